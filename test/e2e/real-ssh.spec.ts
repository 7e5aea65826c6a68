import { execFileSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { removeFolder } from '../fixtures/remove-folder'
import { fingerprintBySsh, freePort, makeKey, temporaryFolder } from '../fixtures/sshd'
import { expect, test } from './fixtures'
import { pictureInBothThemes } from './support/pictures'
import { machine, reachAt, serverAddress, shows, startServer } from './support/real-server'
import { typeLine } from './support/terminal'
import { lookAround, openPage } from './support/window'

test.use({ needs: ['ssh', 'sshd'] })

test('ssh asks in the window for a passphrase, through the built program', async ({ start, secrets }) => {
  const folder = temporaryFolder()
  const passphrase = 'canary of the passphrase'
  secrets.push({ what: 'passphrase', value: passphrase })
  const key = makeKey(join(folder, 'locked'))
  execFileSync('ssh-keygen', ['-q', '-p', '-N', passphrase, '-f', key])
  const { window } = await start()
  await lookAround(window)
  const server = await startServer(folder, key, await serverAddress(window))
  try {
    const panel = await reachAt(window, { port: server.port, user: server.user, identityFile: key })
    await panel.getByRole('button', { name: 'Open here' }).click()
    const asks = window.getByRole('dialog', { name: `Signing in to ${machine}` })
    await expect(asks).toContainText('locked')
    await asks.getByLabel('Passphrase', { exact: true }).fill('wrong')
    await asks.getByRole('button', { name: 'Continue' }).click()
    await expect(asks).toContainText('That wasn’t accepted')
    await asks.getByLabel('Passphrase', { exact: true }).fill(passphrase)
    await asks.getByRole('button', { name: 'Continue' }).click()
    await expect(window.getByRole('tabpanel').locator('textarea')).toBeFocused()
    await window.keyboard.type('echo signed-$((40+2))')
    await window.keyboard.press('Enter')
    await shows(window, 'signed-42')
    expect(server.log()).not.toContain('canary')
  } finally {
    await server.close()
    await removeFolder(folder)
  }
})

test('the first host key of a machine is confirmed in the window, if the user wants that @deep', async ({
  start,
}) => {
  const folder = temporaryFolder()
  const key = makeKey(join(folder, 'key'))
  const { electron, window } = await start()
  await lookAround(window)
  const server = await startServer(folder, key, await serverAddress(window))
  try {
    await openPage(window, 'Settings')
    const asks = window.getByRole('checkbox', { name: 'Ask before the first connection to a machine' })
    await asks.check()
    await asks.scrollIntoViewIfNeeded()
    await pictureInBothThemes(electron, window, 'Host keys in the settings')
    const panel = await reachAt(window, { port: server.port, user: server.user, identityFile: key })
    await panel.getByRole('button', { name: 'Open here' }).click()
    const dialog = window.getByRole('dialog', { name: `First connection to ${machine}` })
    await expect(dialog).toContainText(fingerprintBySsh(join(folder, 'host')))
    await expect(dialog).toContainText(`:${String(server.port)}`)
    await pictureInBothThemes(electron, window, 'The key of a machine that was never connected to')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(window.getByText('so nothing was connected')).toBeVisible()
    // It was the user's choice, and no fault.
    await expect(window.getByRole('alert')).toHaveCount(0)
    await pictureInBothThemes(electron, window, 'A host key that was not confirmed')
    expect(server.log()).not.toContain('Accepted')
    await panel.getByRole('button', { name: 'Open here' }).click()
    await dialog.getByRole('button', { name: 'Trust this key' }).click()
    await expect(window.getByRole('tabpanel').locator('textarea')).toBeFocused()
    await window.keyboard.type('echo trusted-$((40+2))')
    await window.keyboard.press('Enter')
    await shows(window, 'trusted-42')
  } finally {
    await server.close()
    await removeFolder(folder)
  }
})

test('a certificate opens a machine, and another machine at its address is stopped', async ({ start }) => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
  const [authority, key] = [makeKey(join(folder, 'authority')), makeKey(join(folder, 'certified'))]
  execFileSync('ssh-keygen', ['-q', '-s', authority, '-I', 'jane', '-n', userInfo().username, `${key}.pub`])
  const { electron, window } = await start()
  await lookAround(window)
  const address = await serverAddress(window)
  const set = { TrustedUserCAKeys: `${authority}.pub` }
  const first = await startServer(folder, makeKey(join(folder, 'other')), address, { set })
  try {
    const { port, user } = first
    const panel = await reachAt(window, { port, user, identityFile: key })
    await panel.getByRole('button', { name: 'Open here' }).click()
    await expect(window.getByRole('tabpanel').locator('textarea')).toBeFocused()
    await typeLine(window, 'echo certified-$((40+2))')
    await shows(window, 'certified-42')
    expect(first.log()).toMatch(/Accepted publickey .*ED25519-CERT/)
    await typeLine(window, 'exit')
    await first.close()

    const second = await startServer(elsewhere, key, address, { port })
    try {
      await reachAt(window, { port, user, identityFile: key })
      await panel.getByRole('button', { name: 'Open here' }).click()
      const dialog = window.getByRole('dialog', { name: `The host key of ${machine} has changed` })
      await expect(dialog).toContainText(fingerprintBySsh(join(folder, 'host')))
      await expect(dialog).toContainText(fingerprintBySsh(join(elsewhere, 'host')))
      await pictureInBothThemes(electron, window, 'Another machine at the same address')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(second.log()).not.toContain('Accepted')
    } finally {
      await second.close()
    }
  } finally {
    await first.close()
    await removeFolder(folder)
    await removeFolder(elsewhere)
  }
})

test('ssh asks in the window for a password, and first whether to trust the host key @deep', async ({
  start,
  secrets,
}) => {
  const folder = temporaryFolder()
  const password = 'canary of the password'
  secrets.push({ what: 'password', value: password })
  const { private: hostKey } = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const offered: string[] = []
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (context) => {
      if (context.method !== 'password') return context.reject(['password'])
      offered.push(context.password)
      if (context.password === password) context.accept()
      else context.reject(['password'])
    })
    client.on('ready', () =>
      client.on('session', (accept) => {
        const session = accept()
        session.on('pty', (acceptPty) => acceptPty())
        session.on('shell', (acceptShell) => acceptShell().write('you are in\r\n'))
      }),
    )
  })
  const { window } = await start()
  await lookAround(window)
  const [port, address] = [await freePort(), await serverAddress(window)]
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  try {
    const panel = await reachAt(window, { port, user: 'ubuntu', identityFile: null })
    await panel.getByRole('button', { name: 'Open here' }).click()
    const asks = window.getByRole('dialog', { name: `Signing in to ${machine}` })
    // The service reports a password of this machine, which is not sent before the host key is confirmed.
    await expect(asks).toContainText('This is your first connection to this machine')
    await expect(asks).toContainText(/SHA256:[\w+/]{43}/)
    expect(offered).toEqual([])
    await asks.getByRole('button', { name: 'Send the password' }).click()
    // The machine rejects it, so the user is asked.
    await expect(asks).toContainText(`The password of ubuntu@${machine}`)
    expect(offered).toHaveLength(1)
    await asks.getByLabel('Password', { exact: true }).fill(password)
    await asks.getByRole('button', { name: 'Continue' }).click()
    await shows(window, 'you are in')
    expect(offered.slice(1)).toEqual([password])
  } finally {
    server.close()
    await removeFolder(folder)
  }
})
