import { expect, test } from './fixtures'
import { pictureInBothThemes } from './support/pictures'
import { openBash } from './support/real-server'
import { typeLine } from './support/terminal'
import { lookAround, openPage } from './support/window'

test.use({ needs: ['ssh', 'sshd'] })

test('a terminal draws colours and links, copies, types and resizes', async ({ start }) => {
  const { window, electron } = await start()
  await lookAround(window)
  const copied = () => electron.evaluate(({ clipboard }) => clipboard.readText())
  const rows = window.getByRole('tabpanel').locator('.xterm-rows')
  const word = (text: string) => rows.locator('span').filter({ hasText: text }).first()
  /** A character of the row with the text, if its words have one style. */
  const at = async (text: string) => {
    const box = await word(text).boundingBox()
    if (!box) throw new Error(`${text} is not drawn`)
    return { x: box.x + 20, y: box.y + box.height / 2 }
  }
  const follow = async (text: string, url: string) => {
    const { x, y } = await at(text)
    await window.mouse.move(x, y)
    await window.mouse.move(x + 1, y)
    await window.keyboard.down('Control')
    await window.mouse.click(x + 1, y)
    await window.keyboard.up('Control')
    await expect(window.getByRole('dialog')).toContainText(url)
    await window.keyboard.press('Escape')
  }
  const bash = await openBash(window)
  try {
    await electron.evaluate(({ clipboard }) => clipboard.writeText('mine'))
    await typeLine(window, String.raw`clear; printf '\e[38;2;120;20;90mCOLOUR\e[m\n\e]52;c;dGhlaXJz\a'`)
    await expect(word('COLOUR')).toHaveCSS('color', 'rgb(120, 20, 90)')
    expect(await copied()).toBe('mine')

    await typeLine(
      window,
      String.raw`printf 'https://plain.example/%s\n\e]8;;https://hidden.example/\a%sTES\e]8;;\a\n' page NO`,
    )
    await follow('https://plain.example/page', 'https://plain.example/page')
    await follow('NOTES', 'https://hidden.example/')

    await window.mouse.dblclick((await at('COLOUR')).x, (await at('COLOUR')).y)
    await window.keyboard.press('Control+Shift+C')
    await expect.poll(copied).toBe('COLOUR')

    // A woman, a joiner and a laptop: bash and tmux count two columns for each of the two pictures.
    await typeLine(
      window,
      String.raw`clear; printf '\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb\e[6n'; IFS=';' read -sdR row column; echo " next $column"`,
    )
    await expect(rows).toContainText('next 5')

    // Same as an input method: composed, and then typed. The line editor of bash would need a locale.
    await typeLine(window, 'clear; cat')
    const page = await window.context().newCDPSession(window)
    await page.send('Input.imeSetComposition', { selectionStart: 2, selectionEnd: 2, text: 'に' })
    await page.send('Input.insertText', { text: '日本' })
    await expect(rows).toContainText('日本')

    const height = async () => (await rows.locator('> div').first().boundingBox())?.height ?? 0
    const before = await height()
    await window.getByRole('button', { name: 'Larger text' }).click()
    await expect.poll(height).toBeGreaterThan(before)

    await openPage(window, 'Settings')
    const font = window.getByLabel('Font for terminals in Wheelhouse')
    await font.fill('No Such Font')
    await font.press('Enter')
    await expect(window.getByText('This font isn’t installed')).toBeVisible()
    await font.fill('DejaVu Sans Mono')
    await font.press('Enter')
    await expect(window.getByText('This font isn’t installed')).toBeHidden()
    await pictureInBothThemes(electron, window, 'The font of terminals')
    await openPage(window, 'Terminals')
    await expect(rows).toHaveCSS('font-family', /^"DejaVu Sans Mono", /)
  } finally {
    await bash.close()
  }
})
