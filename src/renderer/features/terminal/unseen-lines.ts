import { joined } from '#shared/joined'
import { type KeptLines, withoutPlainLines } from './plain-lines'

/** More rows than any screen has. */
const mostRows = 500

/**
 * Leaves lines out of what waits that would have scrolled out before anybody sees them: everything that is on screen and
 * that can be scrolled back to, `scrollback` lines, is the same once the rest is drawn. Bytes that were left out.
 */
export function leaveOutUnseen(waiting: Uint8Array[], scrollback: number): number {
  // A mark stands where something is drawn, or known to be drawn.
  if (waiting.some(({ length }) => length === 0)) return 0
  const all = joined(Uint8Array, waiting)
  // Behind other control characters nothing may be scrolled back to, and what was printed before them is seen again.
  const around = scrollback + mostRows
  const kept: KeptLines = { newest: around, around, withoutReturn: true }
  const { bytes } = withoutPlainLines(all, kept)
  waiting.splice(0, waiting.length, bytes)
  return all.length - bytes.length
}
