import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { firstAnswersId } from '../../src/shared/bridge/channels'
import { plainText } from '../fixtures/private-documents'
import { control } from '../fixtures/sandbox-control'
import { cancelKeyringPrompt, keyringPrompt, unlockKeyring } from './support/keyring'
import { pictureInBothThemes } from './support/pictures'
import { chooseToConnect, connect, connectWithToken, machineNames, openPage } from './support/window'

// The first reading starts with the sign-in.
const settling = { timeout: 30_000 }

const kept = (window: Page): Locator => window.getByRole('region', { name: 'Local data' })
const notice = (window: Page): Locator => window.getByRole('complementary', { name: 'Keychain' })
const go = (window: Page, page: string): Promise<void> =>
  window.getByRole('link', { name: page, exact: true }).click()

test('the local data wait for a locked keychain, unchanged, and open once it is unlocked', async ({
  start,
  service,
  place,
  lockKeyring,
}) => {
  const first = await start()
  await chooseToConnect(first.window)
  await connect(first.window, service)
  await machineNames(first.window)
  await openPage(first.window, 'Settings')
  await expect(kept(first.window)).toContainText('Encrypted')
  await expect(kept(first.window)).toContainText(/[\d,]+ statements, updated/, settling)
  await kept(first.window).scrollIntoViewIfNeeded()
  await pictureInBothThemes(first.electron, first.window, 'Local data in use')
  await first.quit()

  const file = join(place.userData, 'wheelhouse.db')
  const before = readFileSync(file)
  await lockKeyring()
  const { electron, window } = await start()
  await cancelKeyringPrompt()
  await go(window, 'Overview')
  await expect(notice(window)).toContainText('Unlock it to open your history and saved passwords.', settling)
  expect(await violations(electron, window)).toEqual([])
  await pictureInBothThemes(electron, window, 'Local data wait for the keychain')
  expect(readFileSync(file)).toEqual(before)

  await notice(window).getByRole('button', { name: 'Try again' }).click()
  await keyringPrompt()
  await unlockKeyring()
  await expect(notice(window)).toBeHidden(settling)
  await openPage(window, 'Settings')
  await expect(kept(window)).toContainText('Encrypted')
  // Data of earlier readings is available without a sign-in.
  await expect(kept(window)).toContainText(/[\d,]+ statements, updated/)
})

test('a first reading shows its progress, and continues after a restart @deep', async ({
  start,
  startService,
}) => {
  const service = await startService({ machines: 90 })
  const delay = (milliseconds: number) => {
    const fault = { kind: 'delay', milliseconds, count: 500, path: '/billing/resources/statements' }
    return control(service, 'POST', '/faults', fault)
  }
  await delay(2_500)
  const first = await start()
  await chooseToConnect(first.window)
  await connectWithToken(first.window, service)
  await machineNames(first.window)
  await go(first.window, 'Billing')
  const progress = (window: Page): Locator => window.getByText(/^Loading statements: /)
  const read = async (window: Page): Promise<number> => {
    const [words = ''] = await progress(window).allInnerTexts()
    return Number((/([\d,]+) of/.exec(words)?.[1] ?? '0').replaceAll(',', ''))
  }
  let far = 0
  await expect.poll(async () => (far = await read(first.window)), settling).toBeGreaterThan(0)
  await pictureInBothThemes(first.electron, first.window, 'First reading of the statements')
  await first.quit()

  // A slow computer shows it before all is read, too.
  await control(service, 'DELETE', '/faults')
  await delay(10_000)
  const { window } = await start()
  await go(window, 'Billing')
  await expect.poll(() => read(window), settling).toBeGreaterThanOrEqual(far)
  await control(service, 'DELETE', '/faults')
  await expect(progress(window)).toBeHidden(settling)
  await openPage(window, 'Settings')
  await expect(kept(window)).toContainText(/[\d,]+ statements, updated/)
})

test('the machines of the last run are listed before the service answers', async ({
  start,
  startService,
  place,
}) => {
  const service = await startService()
  const first = await start()
  await chooseToConnect(first.window)
  await connectWithToken(first.window, service)
  const names = await machineNames(first.window)
  await openPage(first.window, 'Machines')
  await first.quit()

  await control(service, 'POST', '/faults', { kind: 'delay', milliseconds: 600_000, count: 500 })
  const { electron, window, quit } = await start()
  expect((await machineNames(window)).toSorted()).toEqual([...names].toSorted())
  // The page came with the list, before main had built its modules.
  const answers = await window.evaluate((id) => document.getElementById(id)?.textContent, firstAnswersId)
  expect(names.filter((name) => !answers?.includes(JSON.stringify(name)))).toEqual([])
  await expect(window.getByText(/^Data from .+\. Updating…$/)).toBeVisible()
  await expect(window.getByRole('button', { name: /^Connect to / })).toHaveCount(0)
  await pictureInBothThemes(electron, window, 'Machines of the last run')
  await control(service, 'DELETE', '/faults')
  await expect(window.getByRole('button', { name: /^Connect to / }).first()).toBeVisible(settling)
  await expect(window.getByText(/Updating…$/)).toBeHidden()
  await quit()
  const files = plainText(place.userData)
  expect(names.filter((name) => name.length > 6 && files.includes(name))).toEqual([])
})
