import { join } from 'node:path'
import { removeFolder } from '../fixtures/remove-folder'
import { makeKey, temporaryFolder } from '../fixtures/sshd'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { pictureInBothThemes } from './support/pictures'
import { machine, reachAt, serverAddress, shows, startServer } from './support/real-server'
import { endSearch, typeLine } from './support/terminal'
import { lookAround, openMachine, openPage } from './support/window'

test.use({ needs: ['ssh', 'sshd'] })

test('a machine without tmux and screen explains that, and opens a terminal that is not kept @deep', async ({
  start,
}) => {
  const folder = temporaryFolder()
  const key = makeKey(join(folder, 'id'))
  const { window, electron } = await start()
  await lookAround(window)
  const path = join(folder, 'no-programs')
  const server = await startServer(folder, key, await serverAddress(window), { path })
  try {
    const to = { port: server.port, user: server.user, identityFile: key }
    const menu = (await reachAt(window, to)).getByRole('button', { name: 'More ways to connect' })
    await menu.click()
    await window.getByRole('menuitem', { name: 'New session that survives disconnects' }).click()
    const state = window.getByRole('tabpanel').getByRole('status')
    await expect(state).toContainText(
      'This machine has neither tmux nor screen, so the session can’t be kept.',
    )
    await expect(state.getByRole('button', { name: 'Reconnect' })).toHaveCount(0)
    await expect(state.getByRole('button', { name: 'Open without keeping' })).toBeFocused()
    expect(await violations(electron, window)).toEqual([])
    await pictureInBothThemes(electron, window, 'A session that can’t be kept')

    await window.keyboard.press('Enter')
    await expect(state).toBeHidden()
    await expect(window.getByRole('tabpanel').locator('textarea')).toBeFocused()
    await expect(window.getByRole('tab')).toHaveCount(1)
    await expect(window.getByRole('tab')).toHaveAccessibleName(machine)
    await typeLine(window, 'echo plain-$((40+2))')
    await shows(window, 'plain-42')
    await endSearch(window)

    await openPage(window, 'Machines')
    const again = (await openMachine(window, machine)).getByRole('button', { name: 'More ways to connect' })
    await again.click()
    await window.getByRole('menuitem', { name: 'Kept sessions…' }).click()
    const list = window.getByRole('dialog', { name: `Kept sessions on ${machine}` })
    await expect(list).toContainText('It has neither tmux nor screen in ')
    await expect(list.getByRole('button', { name: 'New session that survives disconnects' })).toHaveCount(0)
    await pictureInBothThemes(electron, window, 'A machine that can’t keep sessions')
  } finally {
    await server.close()
    await removeFolder(folder)
  }
})
