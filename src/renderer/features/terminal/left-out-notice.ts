import type { IBuffer, Terminal } from '@xterm/xterm'
import { t } from '../../platform/i18n'

export type Drawn = Pick<Terminal, 'write'> & {
  readonly buffer: {
    readonly active: Pick<IBuffer, 'type' | 'baseY' | 'cursorX' | 'cursorY' | 'getLine'>
  }
}

/**
 * Draws a dim line with the number of left-out lines and restores the attributes. Requires an empty line after the last
 * text, outside full-screen programs, because no control sequence is unfinished there.
 */
export function drawLeftOut(
  terminal: Drawn,
  lines: number,
  textBefore: string,
  done: (isDrawn: boolean) => void,
): void {
  const { active } = terminal.buffer
  const textAt = (row: number): string => active.getLine(row)?.translateToString(true).trim() ?? ''
  const row = active.baseY + active.cursorY
  const above = textAt(row - 1)
  // A line longer than the terminal's width covers several rows.
  const isBehind = above !== '' && (above.endsWith(textBefore) || textBefore.endsWith(above))
  if (active.type !== 'normal' || active.cursorX > 0 || textAt(row) !== '' || !isBehind) {
    done(false)
    return
  }
  terminal.write('…', () => {
    const first = active.getLine(active.baseY + active.cursorY)?.getCell(0)
    const attributes = `${first?.isBold() ? ';1' : ''}${first?.isDim() ? ';2' : ''}`
    terminal.write(`\x1b[2m ${t('terminal.skipped', {}, lines)}\x1b[22${attributes}m\r\n`, () => done(true))
  })
}
