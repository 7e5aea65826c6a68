import { once } from 'node:events'
import { join } from 'node:path'
import { removeFolder } from '../fixtures/remove-folder'
import { makeKey, temporaryFolder } from '../fixtures/sshd'
import { expect, test } from './fixtures'
import { machine, reachAt, serverAddress, shows, startServer } from './support/real-server'
import { endSearch } from './support/terminal'
import { lookAround, machineNames, openMachine, openPage } from './support/window'

test.use({ needs: ['ssh', 'sshd', 'tmux'] })

test('a kept session is found again after the application was killed', async ({ start }) => {
  const folder = temporaryFolder()
  const key = makeKey(join(folder, 'id'))
  const { window, electron } = await start()
  await lookAround(window)
  const server = await startServer(folder, key, await serverAddress(window))
  try {
    const to = { port: server.port, user: server.user, identityFile: key }
    const menu = (await reachAt(window, to)).getByRole('button', { name: 'More ways to connect' })
    await menu.click()
    await window.getByRole('menuitem', { name: 'New session that survives disconnects' }).click()
    await expect(window.getByRole('tabpanel').locator('textarea')).toBeFocused()
    // In the line that tmux draws below.
    await shows(window, '[wheel')
    await endSearch(window)
    await window.keyboard.type('echo kept-$((40+2))')
    await window.keyboard.press('Enter')
    await shows(window, 'kept-42')
    await endSearch(window)
    await window.getByRole('tab').dblclick()
    const naming = window.getByRole('dialog', { name: 'Rename tab' })
    await naming.getByRole('textbox', { name: 'Name' }).fill('Training')
    await window.keyboard.press('Enter')
    await expect(window.getByRole('tab')).toHaveText('Training')
    await expect(naming).toBeHidden()
    const ended = once(electron.process(), 'exit')
    electron.process().kill('SIGKILL')
    await ended

    const again = await start()
    await openPage(again.window, 'Machines')
    await machineNames(again.window)
    const panel = await openMachine(again.window, machine)
    await panel.getByRole('button', { name: 'More ways to connect' }).click()
    await again.window.getByRole('menuitem', { name: 'Kept sessions…' }).click()
    await again.window.getByRole('button', { name: 'Attach to Training' }).click()
    await shows(again.window, 'kept-42')
    await expect(again.window.getByRole('tab')).toHaveText('Training')
  } finally {
    await server.close()
    await removeFolder(folder)
  }
})
