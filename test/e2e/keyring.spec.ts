import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { launch } from './support/application'
import { applicationWithout } from './support/folders'
import {
  cancelKeyringPrompt,
  clearKeyring,
  keyringEntries,
  keyringPrompt,
  unlockKeyring,
} from './support/keyring'
import { pictureInBothThemes, pictureOfScreen } from './support/pictures'
import { chooseToConnect, connect, machineNames } from './support/window'

test('a locked keyring keeps secrets in memory, with a notice', async ({ start, service, lockKeyring }) => {
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

test('the application can be quit while the system still asks for the keyring @deep', async ({
  start,
  service,
  lockKeyring,
}) => {
  await lockKeyring()
  const { window, quit } = await start()
  await chooseToConnect(window)
  await connect(window, service)
  await keyringPrompt()
  await quit()
  await cancelKeyringPrompt()
})

/** A D-Bus session without a keyring, and without a way to start one. */
const busWithoutKeyring = async () => {
  // A socket's path is short.
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bus-'))
  const address = `unix:path=${join(folder, 'bus')}`
  const settings = join(folder, 'bus.conf')
  writeFileSync(
    settings,
    `<busconfig><type>session</type><listen>${address}</listen><policy context="default">
      <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>`,
  )
  const bus = spawn('dbus-daemon', [`--config-file=${settings}`, '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const isUp = await Promise.race([
    once(bus.stdout, 'data').then(() => true),
    once(bus, 'exit').then(() => false),
  ])
  if (!isUp) throw new Error('dbus-daemon did not start')
  return {
    address,
    async close() {
      const ended = once(bus, 'exit')
      bus.kill()
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

test('a missing keyring is reported, with advice', async ({ start, service }) => {
  const bus = await busWithoutKeyring()
  try {
    const { electron, window, quit } = await start({ DBUS_SESSION_BUS_ADDRESS: bus.address })
    await chooseToConnect(window)
    await connect(window, service)
    expect(await machineNames(window)).toHaveLength(12)
    await expect(window.getByText('No keyring is running')).toBeVisible()
    await window.getByText('What to do').click()
    await expect(window.getByText('Start a keyring, such as GNOME Keyring or KWallet')).toBeVisible()
    await pictureInBothThemes(electron, window, 'No keyring is running')
    await quit()
  } finally {
    await bus.close()
  }
  expect(keyringEntries()).toEqual([])
})

test('a missing keytar is reported, with advice @deep', async ({ place, service }) => {
  await clearKeyring()
  const folder = applicationWithout('keytar')
  const { electron, window, quit } = await launch({ ...place, folder })
  try {
    await chooseToConnect(window)
    await connect(window, service)
    expect(await machineNames(window)).toHaveLength(12)
    await expect(window.getByText('Keychain support isn’t installed')).toBeVisible()
    await window.getByText('What to do').click()
    await expect(window.getByText('Install libsecret')).toBeVisible()
    await pictureInBothThemes(electron, window, 'Keychain support is not installed')
  } finally {
    await quit()
    rmSync(folder, { recursive: true })
  }
  expect(keyringEntries()).toEqual([])
})
