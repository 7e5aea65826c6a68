import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { askBridge, machineId, selectedAccount } from './support/bridge'
import { output } from './support/command'
import { serviceHost, startCorporateNetwork } from './support/corporate-network'
import { catchNotifications } from './support/notifications'
import { heapOf, recordMessages } from './support/observed'
import type { Sandbox } from './support/sandbox'
import { isSecret, secretsIn, secretsInProcesses, tokenValues } from './support/secrets'
import { endSearch, occurrences } from './support/terminal'
import { trayMenuLabels, trayTooltip } from './support/tray'
import {
  chooseToConnect,
  connect,
  connectWithToken,
  machineNames,
  openAccounts,
  openMachine,
  openPage,
} from './support/window'

test.use({ needs: ['tray', 'ssh'] })

const phrase = 'Open-Sesame-4417'
const printed = 'Printed-Word-9083'

/** Opens a terminal with a key that has a passphrase, which ssh asks for, and closes it. */
async function unlock(window: Page, machine: string, keyFile: string): Promise<void> {
  await openPage(window, 'Machines')
  const panel = await openMachine(window, machine)
  await panel.getByRole('button', { name: 'Open here' }).click()
  const asking = window.getByRole('dialog', { name: `Signing in to ${machine}` })
  await expect(asking).toContainText(keyFile)
  await asking.getByLabel('Passphrase').fill(phrase)
  await asking.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => occurrences(window, `@${machine}:~`)).toBe('1 of 1')
  await endSearch(window)
}

/** Runs a command on all machines, and closes its output. */
async function runCommand(window: Page): Promise<void> {
  await openPage(window, 'Machines')
  await window.getByRole('checkbox', { name: 'Select all' }).click()
  await window.getByRole('button', { name: 'Run a command…' }).click()
  const dialog = window.getByRole('dialog', { name: /^Run a command on / })
  await dialog.getByLabel('Command').fill(`echo ${printed}`)
  await window.keyboard.press('Enter')
  await expect(dialog.getByRole('group', { name: /^Output of / }).first()).toContainText(printed)
  await expect(dialog.getByRole('status')).toHaveText(/^\d+ succeeded$/, { timeout: 60_000 })
  await window.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

/** A copy of the machines' accepted key, with a passphrase. ssh shows 100 bytes of its path. */
async function lockedKey(service: Sandbox): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'wheelhouse-locked-')), 'key')
  copyFileSync(service.identityFile, file)
  await output('ssh-keygen', '-q', '-p', '-P', '', '-N', phrase, '-f', file)
  return file
}

// The search at the end of each test covers the disk, the logs, and arguments and environment of the processes.
test('after a day in which every secret was typed, made and copied, none remains where it was not requested', async ({
  start,
  startService,
  place,
  secrets,
}) => {
  test.setTimeout(900_000)
  const [service, other] = [await startService(), await startService({ seed: 8, machines: 3 })]
  const proxy = { username: 'anna', password: 'Proxy-Pass-8841' }
  const script = '#!/bin/sh\necho Script-Word-5512'
  secrets.push(
    { what: 'proxy password', value: proxy.password },
    { what: 'init script', value: 'Script-Word-5512' },
    { what: 'passphrase', value: phrase },
    { what: 'output of a command', value: printed },
  )
  const network = await startCorporateNetwork(service, place.home, {
    credential: `${proxy.username}:${proxy.password}`,
  })
  const { electron, window, pid, said } = await start({
    WHEELHOUSE_ELECTRON: 'registry',
    HTTPS_PROXY: `http://${network.proxy.address}`,
    NO_PROXY: '127.0.0.1',
    NODE_EXTRA_CA_CERTS: network.authorityFile,
  })
  const messages = await recordMessages(electron)
  const notifications = await catchNotifications(electron)
  const clipboard = () => electron.evaluate(({ clipboard: system }) => system.readText())

  // The account's password and the proxy's.
  await chooseToConnect(window)
  await connect(window, { ...service, baseUrl: network.baseUrl })
  const signIn = window.getByRole('dialog', { name: `Sign in to the proxy ${network.proxy.address}` })
  await signIn.getByLabel('Username').fill(proxy.username)
  await signIn.getByLabel('Password', { exact: true }).fill(proxy.password)
  await signIn.getByRole('button', { name: 'Sign in' }).click()
  const [machine = ''] = await machineNames(window)

  // The password of a machine: copied, and shown.
  const panel = await openMachine(window, machine)
  const password = secrets.find(({ what }) => what === `password of ${machine}`)?.value ?? ''
  await panel.getByRole('button', { name: 'Copy Password' }).click()
  await expect.poll(clipboard).toBe(password)
  await panel.getByRole('button', { name: 'Reveal Password' }).click()
  await expect(panel.getByText(password)).toBeVisible()
  expect(secretsIn(await heapOf(window), secrets)).toContain(`password of ${machine}`)
  await panel.getByRole('button', { name: 'Hide Password' }).click()

  // A private key, pasted by mistake, and a script.
  await window.getByRole('button', { name: 'New machine' }).click()
  await window.getByRole('radio', { name: /^H100/ }).check()
  await window.getByRole('button', { name: 'Generate a new key…' }).click()
  const generating = window.getByRole('dialog', { name: 'Generate a key' })
  await generating.getByRole('button', { name: 'Generate' }).click()
  await expect(generating).toBeHidden()
  const privateKey = readFileSync(join(place.home, '.ssh', 'wheelhouse_ed25519'), 'utf8')
  secrets.push({ what: 'private key', value: privateKey.split('\n')[2] ?? '' })
  await window.getByRole('radio', { name: 'Paste a key' }).check()
  await window.getByLabel('Public key').fill(privateKey)
  await expect(window.getByText('This is a private key.')).toBeVisible()
  await window.getByRole('textbox', { name: 'Init script' }).fill(script)
  await window.getByRole('button', { name: 'Back to the list' }).click()

  // A passphrase, and the output of a command.
  const account = await selectedAccount(window)
  const { sshPort: port, identityFile } = service
  await askBridge(window, 'ssh.configureAccount', { account, port, identityFile })
  await runCommand(window)
  const keyFile = await lockedKey(service)
  const one = { account, machine: await machineId(window, machine) }
  await askBridge(window, 'ssh.configure', { ...one, identityFile: keyFile })
  await unlock(window, machine, keyFile)
  expect(secretsInProcesses(pid, secrets), 'while ssh runs').toEqual([])
  await window.getByTitle(`Close terminal of ${machine}`).click()
  await window
    .getByRole('dialog', { name: 'Close this terminal?' })
    .getByRole('button', { name: 'Close terminal' })
    .click()
  rmSync(dirname(keyFile), { recursive: true })

  // The values of API tokens: one is created and shown once; another is typed to sign in.
  await window.getByRole('link', { name: 'API tokens' }).click()
  await window.getByRole('button', { name: 'Create a token' }).click()
  const form = window.getByRole('dialog', { name: 'Create an API token' })
  await form.getByLabel('Name').fill('notebook')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  const created = window.getByRole('dialog', { name: 'notebook created' })
  await created.getByRole('button', { name: 'Done' }).click()
  secrets.push(...(await tokenValues(service)), ...(await tokenValues(other)))
  await (await openAccounts(window)).getByRole('button', { name: 'Add an account' }).click()
  await connectWithToken(window, other)
  await openPage(window, 'Machines')
  await expect(window.getByRole('radio', { name: 'All 3' })).toBeVisible()

  const sought = secrets.filter(isSecret)
  const found = (text: string): readonly string[] => secretsIn(Buffer.from(text), sought)
  const heap = await heapOf(window)
  expect(heap.includes(serviceHost)).toBe(true)
  expect(secretsIn(heap, sought)).toEqual([])
  // Each answer with a secret, by its call: the user asked to show it.
  const answers = (await messages()).flatMap(({ name, text }) =>
    found(text).map((what) => `${name}: ${what}`),
  )
  expect([...new Set(answers)]).toEqual([`secret.reveal: password of ${machine}`])
  expect(found(JSON.stringify(await notifications.shown()))).toEqual([])
  expect(found([await trayTooltip(), ...(await trayMenuLabels())].join('\n'))).toEqual([])
  expect(found(said())).toEqual([])
  expect(secretsInProcesses(pid, secrets)).toEqual([])
  await expect.poll(clipboard, { timeout: 31_000 }).toBe('')
  await network.close()
})
