import { isComposing } from './keys'

/** How long after a key the user still counts as typing. */
export const typingTimeoutMs = 1_000

let lastKeyMs = -Infinity

/** Tracks whether the user is typing. A shortcut, click or Enter in a field ends it. Returns a function that stops. */
export function followTyping(root: Document): () => void {
  function press(event: KeyboardEvent): void {
    const { key, target, ctrlKey, altKey, metaKey } = event
    const isField = target instanceof HTMLInputElement && !/^(?:checkbox|radio)$/.test(target.type)
    const isShortcut = metaKey || (ctrlKey && !altKey)
    const types =
      (isField && (key !== 'Enter' || isComposing(event))) || target instanceof HTMLTextAreaElement
    lastKeyMs = types && !isShortcut ? performance.now() : -Infinity
  }
  const point = (): void => void (lastKeyMs = -Infinity)
  root.addEventListener('keydown', press, true)
  root.addEventListener('mousedown', point, true)
  return () => {
    point()
    root.removeEventListener('keydown', press, true)
    root.removeEventListener('mousedown', point, true)
  }
}

/** Returns whether the user's next keys belong to the focused field. */
export const isTyping = (): boolean => performance.now() - lastKeyMs < typingTimeoutMs
