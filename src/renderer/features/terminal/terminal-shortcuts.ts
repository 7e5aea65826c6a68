import type { SplitWay } from '#shared/bridge/terminal'
import { isComposing, shortcutKey } from '../../platform/keys'

/** Returns the action of a key that leaves the terminal: to its tab, to another terminal, or to a new pane. */
export function wayOut(event: KeyboardEvent, isMac: boolean): 'tabs' | 'next' | 'previous' | SplitWay | null {
  if (event.altKey || isComposing(event)) return null
  if (event.key === 'Tab' && event.ctrlKey && !event.metaKey) return event.shiftKey ? 'previous' : 'next'
  const { ctrlKey, metaKey, shiftKey } = event
  const key = shortcutKey(event)
  if (isMac && metaKey && !ctrlKey && shiftKey) return key === 'd' ? 'below' : null
  if (isMac ? !metaKey || ctrlKey : !ctrlKey || !shiftKey || metaKey) return null
  if (key === 'l') return 'tabs'
  if (key === 'd') return 'right'
  return key === 'b' && !isMac ? 'below' : null
}

/** Returns the action of a key that the window handles; null if the key belongs to the terminal. */
export function keyAction(
  event: KeyboardEvent,
  isMac: boolean,
): 'copy' | 'search' | 'menu' | 'window' | null {
  // The event bubbles to the page, which acts on it.
  if (wayOut(event, isMac) !== null) return 'window'
  const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey
  if (isPlain && (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))) return 'menu'
  const key = shortcutKey(event)
  const withModifiers = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && event.shiftKey
  if (!withModifiers || event.altKey || isComposing(event)) return null
  if (key === 'c') return 'copy'
  if (key === 'f') return 'search'
  // The page handles pasting, the palette, the menu's commands and the reload of the window.
  return isMac || key === 'v' ? 'window' : null
}
