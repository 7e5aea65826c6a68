import type { IBuffer, Terminal } from '@xterm/xterm'
import { t } from '../../platform/i18n'

/** What is needed of xterm. */
export type Drawn = Pick<Terminal, 'write'> & {
  readonly buffer: {
    readonly active: Pick<IBuffer, 'type' | 'baseY' | 'cursorX' | 'cursorY' | 'getLine'>
  }
}

/**
 * Draws a dim line that says how many were left out, if the cursor is on an empty one behind the text that was printed
 * last: no control sequence is unfinished then. Not where a program has the whole screen. The attributes in force stay:
 * those that the first character has are set again.
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
  // A line that is longer than the terminal is wide goes over several rows.
  const isBehind = above !== '' && (above.endsWith(textBefore) || textBefore.endsWith(above))
  if (active.type !== 'normal' || active.cursorX > 0 || textAt(row) !== '' || !isBehind) {
    done(false)
    return
  }
  terminal.write('…', () => {
    const first = active.getLine(active.baseY + active.cursorY)?.getCell(0)
    const again = `${first?.isBold() ? ';1' : ''}${first?.isDim() ? ';2' : ''}`
    terminal.write(`\x1b[2m ${t('terminal.skipped', {}, lines)}\x1b[22${again}m\r\n`, () => done(true))
  })
}
