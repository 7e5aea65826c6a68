/** Key code that browsers report for keys that an input method handles. */
const inputMethodKeyCode = 229

/** Whether an input method is composing text, so that the key is its own: Enter confirms, arrows choose, Backspace edits. */
export const isComposing = (event: KeyboardEvent): boolean =>
  event.isComposing || event.keyCode === inputMethodKeyCode

/** Keeps keys from the window during composition, except in terminals. Returns a function that ends this. */
export function guardComposition(root: Document): () => void {
  function guard(event: KeyboardEvent): void {
    const isTerminal = event.target instanceof Element && event.target.closest('.xterm') !== null
    if (isComposing(event) && !isTerminal) event.stopImmediatePropagation()
  }
  root.addEventListener('keydown', guard, true)
  return () => root.removeEventListener('keydown', guard, true)
}

/** Returns a shortcut's key in lower case, by position on layouts without Latin letters (Russian, Greek, Hebrew). */
export function shortcutKey(event: KeyboardEvent): string {
  const { key, code } = event
  const isLatin = key.length > 1 || /^[\u0020-\u024f]$/.test(key)
  const [, atPosition] = /^Key([A-Z])$/.exec(code) ?? []
  return (isLatin || atPosition === undefined ? key : atPosition).toLowerCase()
}
