import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { startAgent } from '../fixtures/agent-process'
import { makeSecurityKey } from '../fixtures/security-key'
import { removeFolder } from '../fixtures/remove-folder'
import { fingerprintBySsh, makeKey, temporaryFolder } from '../fixtures/sshd'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { heapOf, recordMessages } from './support/observed'
import { pictureInBothThemes } from './support/pictures'
import { machine, reachAt, serverAddress, startServer } from './support/real-server'
import { type Secret, secretsIn, secretsUnder } from './support/secrets'
import { chooseToConnect, connect, lookAround, openPage } from './support/window'

test.use({ needs: ['ssh', 'sshd'] })

const phrase = 'canary of a new key'
const agentOf = (socket: string) => ({ SSH_AUTH_SOCK: socket })

async function openKeys(window: Page) {
  await openPage(window, 'Settings')
  const section = window.getByRole('region', { name: 'SSH keys' })
  await section.scrollIntoViewIfNeeded()
  const rows = section.getByRole('list', { name: 'SSH keys' }).getByRole('listitem')
  return { section, rows, generate: section.getByRole('button', { name: 'Generate a key…' }) }
}
const clipboardOf = (electron: ElectronApplication): Promise<string> =>
  electron.evaluate(({ clipboard }) => clipboard.readText())
/** The line of a public key in a file. */
const publicLine = (path: string): string => readFileSync(`${path}.pub`, 'utf8').trim()
/** A line of a private key that no other key has. */
const privateLine = (path: string): Secret => {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return { what: `private key ${path}`, value: lines.at(-2) ?? '' }
}
/** Finds the passphrase of a private key, by ssh-keygen. */
const opens = (path: string, passphrase: string): boolean => {
  try {
    execFileSync('ssh-keygen', ['-y', '-P', passphrase, '-f', path], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

test('a key is created in the form, by keyboard only, and its private half stays in its file', async ({
  start,
  place,
  secrets,
}) => {
  const inSsh = (name: string): string => join(place.home, '.ssh', name)
  secrets.push({ what: 'passphrase', value: phrase })
  const { electron, window, said } = await start(agentOf(''))
  await lookAround(window)
  const messages = await recordMessages(electron)
  const { section, rows, generate } = await openKeys(window)
  await expect(section).toContainText(
    `No SSH keys yet. Generate one, or put one into ${join(place.home, '.ssh')}.`,
  )
  await expect(section).toContainText('No SSH agent is running.')
  expect(await violations(electron, window)).toEqual([])
  await pictureInBothThemes(electron, window, 'No SSH key')

  // A duplicate name is reported at its field, which has the focus; all input stays.
  mkdirSync(join(place.home, '.ssh'), { mode: 0o700 })
  makeKey(join(place.home, 'elsewhere'))
  execFileSync('cp', [join(place.home, 'elsewhere.pub'), inSsh('work.pub')])
  await generate.focus()
  await window.keyboard.press('Enter')
  const dialog = window.getByRole('dialog', { name: 'Generate a key' })
  const [name, passphrase, comment] = ['File name', 'Passphrase (optional)', 'Comment'].map((label) =>
    dialog.getByLabel(label, { exact: true }),
  )
  if (!name || !passphrase || !comment) throw new Error('the form has no fields')
  await expect(name).toHaveValue('wheelhouse_ed25519')
  await expect(name).toBeFocused()
  await window.keyboard.press('ControlOrMeta+a')
  await window.keyboard.type('work')
  await window.keyboard.press('Tab')
  await expect(passphrase).toBeFocused()
  await expect(passphrase).toHaveAttribute('type', 'password')
  await window.keyboard.type(phrase)
  await window.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Show passphrase' })).toBeFocused()
  await window.keyboard.press('Tab')
  await window.keyboard.type('anna at work; $(touch x)')
  await window.keyboard.press('Enter')
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await expect(name).toHaveAccessibleDescription('Already exists')
  await expect(name).toBeFocused()
  await expect(passphrase).toHaveValue(phrase)
  await expect(comment).toHaveValue('anna at work; $(touch x)')
  expect(await violations(electron, window)).toEqual([])
  await pictureInBothThemes(electron, window, 'A name for a key that is taken')
  expect(readdirSync(join(place.home, '.ssh'))).toEqual(['work.pub'])

  await window.keyboard.press('End')
  await window.keyboard.type('_2')
  await expect(name).not.toHaveAttribute('aria-invalid')
  await window.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(generate).toBeFocused()
  await expect(rows).toHaveCount(1)
  const locked = rows.filter({ hasText: fingerprintBySsh(inSsh('work_2')) })
  await expect(locked).toContainText('anna at work; $(touch x)')
  await expect(locked.getByText('Passphrase', { exact: true })).toBeVisible()
  await expect(locked).toContainText('.ssh/work_2')
  expect(statSync(inSsh('work_2')).mode & 0o777).toBe(0o600)
  expect([phrase, '', 'work_2'].map((text) => opens(inSsh('work_2'), text))).toEqual([true, false, false])

  // Without a passphrase; the comment is the name by default.
  await window.keyboard.press('Enter')
  await expect(name).toHaveValue('wheelhouse_ed25519')
  await expect(passphrase).toHaveValue('')
  await window.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const open = rows.filter({ hasText: fingerprintBySsh(inSsh('wheelhouse_ed25519')) })
  await expect(open.getByText('No passphrase', { exact: true })).toBeVisible()
  expect(opens(inSsh('wheelhouse_ed25519'), '')).toBe(true)
  await pictureInBothThemes(electron, window, 'Keys that were made')

  // Each only in its own file: not in another file, in the page, on the way to the page, or in logs.
  const sought = ['work_2', 'wheelhouse_ed25519'].map((file) => privateLine(inSsh(file)))
  secrets.push(...sought)
  expect(secretsUnder(place.home, sought)).toEqual(
    ['wheelhouse_ed25519', 'work_2'].map((file) => `${inSsh(file)}: private key ${inSsh(file)}`),
  )
  expect(secretsIn(await heapOf(window), secrets)).toEqual([])
  expect(secretsIn(Buffer.from(JSON.stringify(await messages())), secrets)).toEqual([])
  expect(secretsIn(Buffer.from(said()), secrets)).toEqual([])
})

test('keys of every kind are listed as in OpenSSH, from files and the agent @deep', async ({
  start,
  place,
}) => {
  const [inSsh, away] = [join(place.home, '.ssh'), temporaryFolder()]
  mkdirSync(inSsh, { mode: 0o700 })
  const long = `${'a comment that somebody has written at length for a key '.repeat(6)}end`
  const files = {
    plain: makeKey(join(inSsh, 'id_ed25519'), 'ed25519', 'anna@lab'),
    rsa: makeKey(join(inSsh, 'id_rsa'), 'rsa', long),
    ecdsa: makeKey(join(inSsh, 'k'.repeat(120)), 'ecdsa', 'خادم التدريب\u202Egnp'),
    hardware: makeSecurityKey(join(inSsh, 'id_ed25519_sk'), 'anna on a token'),
  }
  const hidden = makeKey(join(inSsh, 'old'), 'rsa')
  execFileSync('ssh-keygen', ['-q', '-p', '-m', 'PEM', '-N', phrase, '-f', hidden])
  rmSync(`${hidden}.pub`)
  const held = {
    away: makeKey(join(away, 'away'), 'ed25519', 'anna@1password'),
    token: makeSecurityKey(join(away, 'token'), 'a token elsewhere'),
  }
  const agent = await startAgent([files.plain, ...Object.values(held)])
  try {
    const { electron, window } = await start(agentOf(agent.socket))
    await lookAround(window)
    const { section, rows } = await openKeys(window)
    await expect(rows).toHaveCount(7)
    await expect(section.getByText('No SSH agent')).toBeHidden()
    const marksOf = (path: string) =>
      rows
        .filter({ hasText: fingerprintBySsh(path) })
        .locator('.type, .mark')
        .allInnerTexts()
    expect(await marksOf(files.plain)).toEqual(['ed25519', 'No passphrase', 'In agent'])
    expect(await marksOf(files.rsa)).toEqual(['rsa', 'No passphrase'])
    expect(await marksOf(files.ecdsa)).toEqual(['ecdsa-sha2-nistp256', 'No passphrase'])
    expect(await marksOf(files.hardware)).toEqual(['ed25519', 'Security key'])
    expect(await marksOf(held.away)).toEqual(['ed25519'])
    expect(await marksOf(held.token)).toEqual(['ed25519', 'Security key'])
    for (const path of Object.values(held))
      await expect(rows.filter({ hasText: fingerprintBySsh(path) })).toContainText('Only in the SSH agent')
    const unknown = rows.filter({ hasText: '.ssh/old' })
    await expect(unknown).toContainText('Fingerprint unknown: it has a passphrase and no public file')
    await expect(unknown.getByRole('button')).toHaveCount(0)

    // The first 200 characters of a long comment; the file has the rest.
    for (const path of [files.plain, files.rsa, files.hardware, held.away, held.token]) {
      await rows
        .filter({ hasText: fingerprintBySsh(path) })
        .getByRole('button', { name: /^Copy Public key of a/ })
        .focus()
      await window.keyboard.press('Enter')
      await expect.poll(() => clipboardOf(electron)).toBe(publicLine(path).replace(long, long.slice(0, 200)))
    }
    // A key added while the page is open appears when the user returns to the page.
    agent.add(files.rsa)
    await window.evaluate(() => dispatchEvent(new Event('focus')))
    await expect(rows.filter({ hasText: fingerprintBySsh(files.rsa) })).toContainText('In agent')
    expect(await violations(electron, window)).toEqual([])
    await pictureInBothThemes(electron, window, 'Keys of every kind')
    await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(720, 900))
    await rows.first().scrollIntoViewIfNeeded()
    await pictureInBothThemes(electron, window, 'Keys of every kind in a narrow window')
    expect(await section.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0)
  } finally {
    agent.close()
    rmSync(away, { recursive: true })
  }
})

test('a key’s machine is listed below it @deep', async ({ start, place, service }) => {
  const folder = temporaryFolder()
  mkdirSync(join(place.home, '.ssh'), { mode: 0o700 })
  const other = makeKey(join(place.home, '.ssh', 'id_ed25519'))
  const right = makeKey(join(folder, 'right'), 'ed25519', 'anna@agent')
  const agent = await startAgent([other, right])
  const { electron, window } = await start(agentOf(agent.socket))
  await chooseToConnect(window)
  await connect(window, service)
  const server = await startServer(folder, right, await serverAddress(window))
  try {
    const panel = await reachAt(window, { port: server.port, user: server.user, identityFile: null })
    await panel.getByRole('button', { name: 'Open here' }).click()
    await server.logged(/Accepted publickey/)
    const { rows } = await openKeys(window)
    await expect(rows).toHaveCount(2)
    const opened = rows.filter({ hasText: fingerprintBySsh(right) })
    await expect(opened).toContainText(`Opened ${machine}`)
    await expect(rows.filter({ hasText: fingerprintBySsh(other) })).not.toContainText('Opened')
    await pictureInBothThemes(electron, window, 'A key that has opened a machine')
  } finally {
    await server.close()
    agent.close()
    await removeFolder(folder)
  }
})
