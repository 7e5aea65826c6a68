import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, test } from './fixtures'
import { clearKeyring, keyringEntries } from './support/keyring'
import { pictureInBothThemes } from './support/pictures'
import { md5 } from './support/secrets'
import {
  chooseToConnect,
  connect,
  connectWithToken,
  lookAround,
  machineNames,
  openAccounts,
} from './support/window'

test('a user who signs in with a password stays signed in, through the keyring', async ({
  start,
  service,
}) => {
  const first = await start()
  await chooseToConnect(first.window)
  await pictureInBothThemes(first.electron, first.window, 'Connect to a service')
  await connect(first.window, service)
  expect(await machineNames(first.window)).toHaveLength(12)
  await first.quit()

  // Another program of the desktop finds the digest and its user, and nothing else that opens the account.
  const entries = keyringEntries()
  expect(entries.map(({ secret }) => secret).toSorted()).toEqual(
    [md5(service.password), service.username].toSorted(),
  )

  const second = await start()
  expect(await machineNames(second.window)).toHaveLength(12)
  await second.quit()

  // The keyring was the source: without it the user is asked again, and nothing is lost.
  await clearKeyring()
  const third = await start()
  await expect(third.window.getByRole('heading', { name: /^Signed out of / })).toBeVisible()
  await pictureInBothThemes(third.electron, third.window, 'Signed out')
})

test('an API token opens the account too @deep', async ({ start, service }) => {
  const first = await start()
  await chooseToConnect(first.window)
  await connectWithToken(first.window, service)
  expect(await machineNames(first.window)).toHaveLength(12)
  await first.quit()
  expect(keyringEntries().map(({ secret }) => secret)).toEqual([service.apiToken])

  const second = await start()
  expect(await machineNames(second.window)).toHaveLength(12)
})

test('a user who does not stay signed in leaves nothing in the keyring @deep', async ({ start, service }) => {
  const first = await start()
  await chooseToConnect(first.window)
  await first.window.getByRole('checkbox', { name: 'Stay signed in' }).uncheck()
  await connect(first.window, service)
  expect(await machineNames(first.window)).toHaveLength(12)
  await first.quit()
  expect(keyringEntries()).toEqual([])

  const second = await start()
  await expect(second.window.getByRole('heading', { name: /^Signed out of / })).toBeVisible()
})

test('a wrong password shows the service’s message, and nothing is saved', async ({ start, service }) => {
  const { electron, window } = await start()
  await chooseToConnect(window)
  await connect(window, { ...service, password: 'not the password' })
  await expect(window.getByRole('alert')).toContainText('Sign-in refused')
  await pictureInBothThemes(electron, window, 'Wrong password')
  expect(keyringEntries()).toEqual([])

  // Input stays: only the password needs to be typed again.
  await window.getByLabel('Password', { exact: true }).fill(service.password)
  await window.getByRole('button', { name: 'Connect', exact: true }).click()
  expect(await machineNames(window)).toHaveLength(12)
})

test('a service that does not respond is named, with advice @deep', async ({ start }) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  server.close()

  const { electron, window } = await start()
  await chooseToConnect(window)
  await connect(window, { baseUrl: `http://127.0.0.1:${port}`, username: 'anna', password: 'anything' })
  await expect(window.getByRole('alert')).toContainText(`Couldn’t connect to 127.0.0.1:${port}`)
  await pictureInBothThemes(electron, window, 'Unreachable service')
  expect(keyringEntries()).toEqual([])
})

test('an interrupted service leaves the list on the screen, with its age', async ({ start, service }) => {
  const { electron, window } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  expect(await machineNames(window)).toHaveLength(12)

  await service.close()
  await window.getByRole('button', { name: 'Refresh now' }).click()
  await expect(window.getByText('Out of date')).toBeVisible()
  expect(await machineNames(window)).toHaveLength(12)
  await pictureInBothThemes(electron, window, 'Service gone')
})

test('a service outside this computer is refused on the fallback runtime @deep', async ({ start }) => {
  const { window } = await start()
  const loopbackOnly = await window.evaluate(
    `window.wheelhouse.call('app.info', {}).then((a) => a.value.loopbackOnly)`,
  )
  expect(loopbackOnly).toBe(process.env.ELECTRON_EXEC_PATH?.includes('-registry') ?? false)
  await chooseToConnect(window)
  // With encryption this is the only reason to refuse it; elsewhere nothing is sent without encryption.
  const baseUrl = loopbackOnly ? 'https://service.invalid' : 'http://service.invalid'
  await connect(window, { baseUrl, username: 'anna', password: 'anything' })
  await expect(window.getByLabel('Service address')).toHaveAttribute('aria-invalid', 'true')
  expect(keyringEntries()).toEqual([])
})

test('two accounts are signed in at the same time, and one can be forgotten', async ({
  start,
  startService,
}) => {
  const big = await startService({ seed: 11, machines: 30 })
  const { electron, window } = await start()
  await lookAround(window)
  expect(await machineNames(window)).toHaveLength(12)

  await (await openAccounts(window)).getByRole('button', { name: 'Add an account' }).click()
  await connect(window, big)
  await expect(window.getByRole('radio', { name: 'All 30' })).toBeVisible()

  const accounts = await openAccounts(window)
  await expect(accounts.getByText('Signed in')).toHaveCount(2)
  await pictureInBothThemes(electron, window, 'Two accounts')
  await accounts.getByRole('button', { name: /^Sandbox/ }).click()
  await expect(window.getByRole('radio', { name: 'All 12' })).toBeVisible()
  expect(keyringEntries().map(({ secret }) => secret)).toContain(md5(big.password))

  const label = `${big.username} @ ${new URL(big.baseUrl).host}`
  await openAccounts(window)
  await accounts.getByRole('button', { name: `Manage ${label}` }).click()
  await accounts.getByRole('button', { name: 'Forget' }).click()
  await window.getByLabel(`Type ${label} to confirm`).fill(label)
  await window.getByRole('button', { name: 'Forget account' }).click()
  await expect(window.getByText(`${label} removed from this computer`)).toBeVisible()
  expect(keyringEntries().map(({ account }) => account)).toEqual(['sandbox/secret'])
})
