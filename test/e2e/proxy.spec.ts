import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { expect, test } from './fixtures'
import { serviceHost, startCorporateNetwork } from './support/corporate-network'
import { allKeyringEntries } from './support/keyring'
import { pictureInBothThemes } from './support/pictures'
import { chooseToConnect, connect, machineNames } from './support/window'

/** The fallback runtime reaches only loopback unless it is started on purpose. */
const beyondLoopback = { WHEELHOUSE_ELECTRON: 'registry', HTTPS_PROXY: '', https_proxy: '', ALL_PROXY: '' }

const pickFile = (electron: ElectronApplication, path: string): Promise<void> =>
  electron.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
  }, path)

test('the environment’s proxy asks once for a sign-in, and the keychain stores it', async ({
  start,
  service,
  place,
  secrets,
}) => {
  const password = 'Proxy-Pass-8841'
  secrets.push({ what: 'proxy password', value: password })
  const network = await startCorporateNetwork(service, place.home, { credential: `anna:${password}` })
  const env = {
    ...beyondLoopback,
    HTTPS_PROXY: `http://${network.proxy.address}`,
    NODE_EXTRA_CA_CERTS: network.authorityFile,
  }
  const first = await start(env)
  await chooseToConnect(first.window)
  await connect(first.window, { ...service, baseUrl: network.baseUrl })
  const dialog = first.window.getByRole('dialog', { name: `Sign in to the proxy ${network.proxy.address}` })
  await expect(dialog).toContainText('Acme Labs')
  await dialog.getByLabel('Username').fill('anna')
  await dialog.getByLabel('Password', { exact: true }).fill('wrong')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect(dialog).toContainText('The proxy refused these credentials.')
  await pictureInBothThemes(first.electron, first.window, 'Proxy asks again')
  await dialog.getByLabel('Username').fill('anna')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  expect(await machineNames(first.window)).toHaveLength(12)
  await first.quit()
  const entry = `proxy/${network.proxy.address}`
  expect(allKeyringEntries().find(({ account }) => account === entry)?.secret).toContain(password)

  const second = await start(env)
  expect(await machineNames(second.window)).toHaveLength(12)
  await expect(second.window.getByRole('dialog')).toHaveCount(0)
  // The proxy got no other request: no dictionary, no page, and none for this computer.
  expect([...new Set(network.proxy.seen.map(({ host }) => host))]).toEqual([`${serviceHost}:443`])
  await network.close()
})

test('a PAC file and the company’s own authority are set before there is an account', async ({
  start,
  service,
  place,
}) => {
  let status: number | null = null
  const network = await startCorporateNetwork(service, place.home, { refuses: () => status })
  const { electron, window } = await start(beyondLoopback)
  const form = { ...service, baseUrl: network.baseUrl }
  const notice = window.getByRole('alert')
  await chooseToConnect(window)
  await connect(window, form)
  await expect(notice).toContainText(`Couldn’t connect to ${serviceHost}`)

  await window.getByRole('button', { name: 'Network settings…' }).click()
  const dialog = window.getByRole('dialog', { name: 'Network settings' })
  await dialog.getByRole('combobox', { name: 'Proxy' }).selectOption({ label: 'PAC file' })
  const pac = join(place.home, 'company.pac')
  writeFileSync(pac, `function FindProxyForURL() { return 'PROXY ${network.proxy.address}' }`)
  await dialog.getByLabel('Address of the PAC file').fill(pac)
  await dialog.getByLabel('Address of the PAC file').press('Enter')
  await expect(window.getByText('Proxy saved')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await window.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(notice).toContainText(`The certificate of ${serviceHost} isn’t trusted`)
  await expect(notice).toContainText('add its certificate authority')
  await pictureInBothThemes(electron, window, 'Unknown authority')

  await pickFile(electron, network.authorityFile)
  await window.getByRole('button', { name: 'Network settings…' }).click()
  await dialog.getByRole('button', { name: 'Add a file…' }).click()
  await expect(dialog).toContainText('Also trusted: Acme Labs Root CA')
  await pictureInBothThemes(electron, window, 'Network settings')
  await dialog.getByRole('button', { name: 'Close' }).click()

  for (const refused of [403, 302]) {
    status = refused
    await window.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(notice).toContainText(
      `The proxy ${network.proxy.address} refused to connect to ${serviceHost}`,
    )
  }
  await pictureInBothThemes(electron, window, 'Proxy refuses')
  status = null
  await window.getByRole('button', { name: 'Connect', exact: true }).click()
  expect(await machineNames(window)).toHaveLength(12)
  await network.close()

  // Known data stays on screen; the reason names the proxy.
  await window.getByRole('button', { name: 'Refresh now' }).click()
  await expect(window.getByText('Out of date')).toBeVisible()
  expect(await machineNames(window)).toHaveLength(12)
})

test('the system’s proxy settings are used, as stored by KDE @deep', async ({ start, service, place }) => {
  const network = await startCorporateNetwork(service, place.home)
  const configuration = join(place.home, '.config')
  mkdirSync(configuration, { recursive: true })
  const address = `http://${network.proxy.address.replace(':', ' ')}`
  writeFileSync(
    join(configuration, 'kioslaverc'),
    `[Proxy Settings]\nProxyType=1\nhttpProxy=${address}\nhttpsProxy=${address}\n`,
  )
  const { window } = await start({
    ...beyondLoopback,
    XDG_CONFIG_HOME: configuration,
    XDG_CURRENT_DESKTOP: 'KDE',
    KDE_SESSION_VERSION: '5',
    NODE_EXTRA_CA_CERTS: network.authorityFile,
  })
  await chooseToConnect(window)
  await connect(window, { ...service, baseUrl: network.baseUrl })
  expect(await machineNames(window)).toHaveLength(12)
  expect([...new Set(network.proxy.seen.map(({ host }) => host))]).toEqual([`${serviceHost}:443`])
  await network.close()
})

test('the sandbox is reached without the proxy that is set for everything @deep', async ({
  start,
  service,
}) => {
  const { window } = await start({
    ...beyondLoopback,
    HTTPS_PROXY: 'http://127.0.0.1:1',
    HTTP_PROXY: 'http://127.0.0.1:1',
  })
  await chooseToConnect(window)
  await connect(window, service)
  expect(await machineNames(window)).toHaveLength(12)
})
