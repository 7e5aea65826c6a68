import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolder } from '../fixtures/remove-folder'
import { makeKey, temporaryFolder } from '../fixtures/sshd'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { launch } from './support/application'
import { applicationWithout } from './support/folders'
import { clearKeyring } from './support/keyring'
import { pictureInBothThemes } from './support/pictures'
import { machine, reachAt, serverAddress, shows, startServer } from './support/real-server'
import { endSearch, typeLine } from './support/terminal'
import { lookAround } from './support/window'

test.use({ needs: ['sshd'] })

test('without a pseudo-terminal, a terminal in Wheelhouse is a shell of its own client, with a note', async ({
  place,
}) => {
  await clearKeyring()
  const folder = temporaryFolder()
  const application = applicationWithout('node-pty')
  const key = makeKey(join(folder, 'key'))
  const { electron, window, quit } = await launch({ ...place, folder: application })
  let server: Awaited<ReturnType<typeof startServer>> | undefined
  try {
    await lookAround(window)
    const address = await serverAddress(window)
    const first = await startServer(folder, key, address)
    server = first
    const { port, user } = first
    const panel = await reachAt(window, { port, user, identityFile: key })
    await expect(panel.getByText('can’t use OpenSSH on this computer')).toBeVisible()
    expect(await violations(electron, window)).toEqual([])
    await pictureInBothThemes(electron, window, 'Connect without a pseudo-terminal')
    await panel.getByRole('button', { name: 'Open here' }).click()
    const screen = window.getByRole('tabpanel', { name: `Terminal of ${machine}` })
    await expect(screen.locator('textarea')).toBeFocused()
    await first.logged(/Accepted publickey/)
    await typeLine(window, 'echo signed-$((40+2)); tty')
    await shows(window, 'signed-42')
    await shows(window, '/dev/pts/')
    await endSearch(window)

    // A connection lost within ten seconds is not retried automatically, as with OpenSSH.
    server = undefined
    await first.close()
    const state = screen.getByRole('status')
    await expect(state).toHaveText(/Connection lost\.|Next attempt in/)
    await pictureInBothThemes(electron, window, 'A terminal of the own client whose connection is lost')
    const second = await startServer(folder, key, address, { port })
    server = second
    // On a busy computer it took longer, and may reconnect before the button is pressed.
    await expect(async () => {
      if (await state.isHidden()) return
      await state.getByRole('button', { name: /^Reconnect/ }).click({ timeout: 2_000 })
    }).toPass()
    await second.logged(/Accepted publickey/)
    await expect(state).toBeHidden()
    await screen.locator('textarea').focus()
    await typeLine(window, 'echo back-$((40+3))')
    await shows(window, 'back-43')
    await pictureInBothThemes(electron, window, 'A terminal of the own client')
    await endSearch(window)
    await typeLine(window, 'exit')
    await expect(state).toContainText('Session ended (exit code 0).')
  } finally {
    await quit()
    await server?.close()
    rmSync(application, { recursive: true })
    await removeFolder(folder)
  }
})

test('a key’s passphrase is asked for in the window without a pseudo-terminal @deep', async ({
  place,
  secrets,
}) => {
  const passphrase = 'canary of the passphrase'
  secrets.push({ what: 'passphrase', value: passphrase })
  await clearKeyring()
  const folder = temporaryFolder()
  const application = applicationWithout('node-pty')
  const key = makeKey(join(folder, 'key'))
  execFileSync('ssh-keygen', ['-q', '-p', '-N', passphrase, '-f', key])
  const { electron, window, quit } = await launch({ ...place, folder: application })
  let server: Awaited<ReturnType<typeof startServer>> | undefined
  try {
    await lookAround(window)
    server = await startServer(folder, key, await serverAddress(window))
    const { port, user } = server
    const panel = await reachAt(window, { port, user, identityFile: key })
    const asks = window.getByRole('dialog', { name: `Signing in to ${machine}` })
    const answer = async (text: string): Promise<void> => {
      await asks.getByLabel('Passphrase', { exact: true }).fill(text)
      await asks.getByRole('button', { name: 'Continue' }).click()
    }
    await panel.getByRole('button', { name: 'Open here' }).click()
    await expect(asks).toContainText(key)
    expect(await violations(electron, window)).toEqual([])
    await asks.getByRole('button', { name: 'Cancel' }).click()
    await expect(asks).toBeHidden()
    await expect(panel.getByRole('alert')).toBeHidden()

    await panel.getByRole('button', { name: 'Open here' }).click()
    await answer('wrong')
    await expect(asks).toContainText('That wasn’t accepted. Try again.')
    await answer(passphrase)
    await server.logged(/Accepted publickey/)
    await expect(asks).toBeHidden()
    await expect(window.getByRole('tabpanel').locator('textarea')).toBeFocused()
    await typeLine(window, 'echo signed-$((40+2))')
    await shows(window, 'signed-42')
  } finally {
    await quit()
    await server?.close()
    rmSync(application, { recursive: true })
    await removeFolder(folder)
  }
})
