/** Key code that browsers report for keys that an input method handles. */
const inputMethodKeyCode = 229

/** Whether an input method is composing text, so that the key is its own: Enter confirms, arrows choose, Backspace edits. */
export const isComposing = (event: KeyboardEvent): boolean =>
  event.isComposing || event.keyCode === inputMethodKeyCode

/**
 * Keeps keys from the window while an input method composes text. Terminals still receive them: xterm.js follows the
 * composition itself. Returns a function that ends it.
 */
export function guardComposition(root: Document): () => void {
  function guard(event: KeyboardEvent): void {
    const isTerminal = event.target instanceof Element && event.target.closest('.xterm') !== null
    if (isComposing(event) && !isTerminal) event.stopImmediatePropagation()
  }
  root.addEventListener('keydown', guard, true)
  return () => root.removeEventListener('keydown', guard, true)
}

/**
 * Returns the key that a shortcut is compared with, in lower case. On layouts whose letters are not Latin (Russian, Greek,
 * Hebrew) the position of the key decides; Latin layouts (Dvorak, AZERTY) stay by letter.
 */
export function shortcutKey(event: KeyboardEvent): string {
  const { key, code } = event
  const isLatin = key.length > 1 || /^[\u0020-\u024f]$/.test(key)
  const [, atPosition] = /^Key([A-Z])$/.exec(code) ?? []
  return (isLatin || atPosition === undefined ? key : atPosition).toLowerCase()
}
