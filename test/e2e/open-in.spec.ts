import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { violations } from './support/accessibility'
import { pictureInBothThemes } from './support/pictures'
import { machine } from './support/real-server'
import { lookAround, machineNames, openMachine, openPage } from './support/window'

test.use({ needs: ['ssh'] })

test('every installed editor opens a folder of a machine, by its alias', async ({ start, place }) => {
  const bin = join(place.home, 'bin')
  const given = (command: string): string => join(place.home, `${command} was given`)
  mkdirSync(bin)
  for (const command of ['code', 'windsurf', 'zed', 'gateway'])
    writeFileSync(join(bin, command), `#!/bin/sh\nprintf '%s\\n' "$@" > '${given(command)}'\n`, {
      mode: 0o755,
    })
  // Other installed editors are in the menu too.
  const { electron, window } = await start({ PATH: `${bin}:${process.env.PATH ?? ''}` })
  await lookAround(window)
  await machineNames(window)
  const panel = await openMachine(window, machine)
  const choose = async (editor: string) => {
    await panel.getByRole('button', { name: 'More ways to connect' }).click()
    await window.getByRole('menuitem', { name: `Open in ${editor}…` }).click()
    return window.getByRole('dialog', { name: `Open ${machine} in ${editor}` })
  }
  const before = await choose('Zed')
  await expect(before).toContainText('this one has none')
  await expect(before.getByRole('button', { name: 'Open', exact: true })).toBeHidden()
  await pictureInBothThemes(electron, window, 'An editor for a machine without an alias')
  await window.keyboard.press('Escape')
  await openPage(window, 'Settings')
  const wanted = window.getByRole('checkbox', { name: 'Add an alias for each machine' })
  await wanted.click()
  await expect(wanted).toBeChecked()
  await openPage(window, 'Machines')
  await openMachine(window, machine)

  for (const [editor, command, args] of [
    ['VS Code', 'code', ['--folder-uri', `vscode-remote://ssh-remote+${machine}/srv/a%20b%3B%24(x)`]],
    ['Windsurf', 'windsurf', ['--folder-uri', `vscode-remote://ssh-remote+${machine}/srv/a%20b%3B%24(x)`]],
    ['Zed', 'zed', [`ssh://${machine}/srv/a%20b%3B%24(x)`]],
    [
      'JetBrains Gateway',
      'gateway',
      [`jetbrains-gateway://connect#type=ssh&host=${machine}&projectPath=%2Fsrv%2Fa%20b%3B%24(x)`],
    ],
  ] as const) {
    const dialog = await choose(editor)
    const folder = dialog.getByLabel('Folder on the machine')
    await expect(folder).toBeFocused()
    if (editor === 'VS Code') {
      await window.keyboard.type('relative')
      await window.keyboard.press('Enter')
      await expect(folder).toHaveAccessibleDescription(/begins with \//)
      await expect(folder).toBeFocused()
      await expect(folder).toHaveValue('relative')
      expect(await violations(electron, window)).toEqual([])
      await pictureInBothThemes(electron, window, 'A folder that no editor is given')
    }
    await folder.fill('/srv/a b;$(x)')
    await window.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    expect(readFileSync(given(command), 'utf8').trim().split('\n')).toEqual(args)
  }
})
