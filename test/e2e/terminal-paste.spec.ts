import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { pictureInBothThemes } from './support/pictures'
import { openBash, shows } from './support/real-server'
import { endSearch, typeLine } from './support/terminal'
import { lookAround } from './support/window'

test.use({ needs: ['ssh', 'sshd'] })

test('a text from the clipboard, the primary selection or another window runs nothing automatically', async ({
  start,
}) => {
  const { window, electron } = await start()
  await lookAround(window)
  const copy = (text: string) => electron.evaluate(({ clipboard }, value) => clipboard.writeText(value), text)
  /** Selects a text in another program, for the middle button. */
  const select = async (text: string) => {
    await window.evaluate((value) => {
      const field = document.body.appendChild(document.createElement('textarea'))
      field.id = 'elsewhere'
      field.value = value
      field.focus()
    }, text)
    await window.keyboard.press('Control+A')
  }
  const screen = window.getByRole('tabpanel').locator('.xterm-screen')
  const bash = await openBash(window)
  try {
    // Out of the marks, then Ctrl-O, which runs a line of bash.
    await copy('\u001b[201~touch made\u000f')
    await window.keyboard.press('Control+Shift+V')
    await shows(window, '[201~touch made')
    await endSearch(window)
    await window.keyboard.press('Control+C')

    await typeLine(window, `clear; printf '\\e[?2004l'; cat -v`)
    await copy('a\u001b[201~b\u009bc\u000f')
    await window.keyboard.press('Control+Shift+V')
    await window.keyboard.press('Enter')
    await shows(window, 'a[201~bc')
    await endSearch(window)
    await select('d\u001be')
    await screen.click({ button: 'middle' })
    await window.evaluate(() => document.querySelector('#elsewhere')?.remove())
    await window.keyboard.press('Enter')
    await shows(window, 'de')
    await endSearch(window)
    await copy('me\u001bnu')
    await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.paste())
    await window.keyboard.press('Enter')
    await shows(window, 'menu')
    await endSearch(window)
    await window.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.setData('text/plain', 'f\u001bg')
      const at = document.querySelector('[role=tabpanel] .xterm-screen')
      at?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    })
    await window.keyboard.press('Enter')
    await shows(window, 'fg')
    await endSearch(window)

    // One line that would run, if the shell does not mark pasted text.
    await copy('touch made\n')
    await window.keyboard.press('Control+Shift+V')
    const asking = window.getByRole('dialog', { name: 'Paste this line?' })
    await expect(asking).toContainText('touch made')
    await pictureInBothThemes(electron, window, 'Before a line that would run is pasted')
    await window.keyboard.press('Escape')
    await window.keyboard.press('Control+C')

    // With marks, exactly these bytes arrive.
    await typeLine(window, `clear; printf '\\e[?2004hmar''ked'; cat -v`)
    await shows(window, 'marked')
    await endSearch(window)
    await copy('x\u001b[201~y')
    await window.keyboard.press('Control+Shift+V')
    await window.keyboard.press('Enter')
    await shows(window, '^[[200~x[201~y^[[201~')
    expect(existsSync(join(bash.folder, 'made'))).toBe(false)
  } finally {
    await bash.close()
  }
})
