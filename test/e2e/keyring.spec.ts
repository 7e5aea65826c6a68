import { expect, test } from './fixtures'
import {
  cancelKeyringPrompt,
  keyringEntries,
  keyringPrompt,
  lockKeyring,
  unlockKeyring,
} from './support/keyring'
import { pictureInBothThemes, pictureOfScreen } from './support/pictures'
import { chooseToConnect, connect, machineNames } from './support/window'

test.afterEach(async () => {
  await unlockKeyring()
})

test('with a locked keyring secrets stay in memory, and the application says so', async ({
  start,
  service,
}) => {
  await lockKeyring()
  const { electron, window, quit } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await pictureOfScreen('Locked keyring, asked by the system')
  await cancelKeyringPrompt()

  expect(await machineNames(window)).toHaveLength(12)
  await expect(window.getByText('Your keychain is locked')).toBeVisible()
  await pictureInBothThemes(electron, window, 'Locked keyring')
  await quit()

  await unlockKeyring()
  expect(keyringEntries()).toEqual([])
})

test('the application can be quit while the system still asks for the keyring', async ({
  start,
  service,
}) => {
  await lockKeyring()
  const { window, quit } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await keyringPrompt()
  await quit()
  await cancelKeyringPrompt()
})
