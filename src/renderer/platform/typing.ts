import { isComposing } from './keys'

/** Milliseconds after a key in which the person is taken to type on. */
export const typesOn = 1_000

let last = -Infinity

/**
 * Follows whether the person is typing a text. A shortcut, Enter in a field of one line and a click are no part of one:
 * what opens then was asked for. Answers how to end it.
 */
export function followTyping(root: Document): () => void {
  function press(event: KeyboardEvent): void {
    const { key, target, ctrlKey, altKey, metaKey } = event
    const isField = target instanceof HTMLInputElement && !/^(?:checkbox|radio)$/.test(target.type)
    const isShortcut = metaKey || (ctrlKey && !altKey)
    const types =
      (isField && (key !== 'Enter' || isComposing(event))) || target instanceof HTMLTextAreaElement
    last = types && !isShortcut ? performance.now() : -Infinity
  }
  const point = (): void => void (last = -Infinity)
  root.addEventListener('keydown', press, true)
  root.addEventListener('mousedown', point, true)
  return () => {
    point()
    root.removeEventListener('keydown', press, true)
    root.removeEventListener('mousedown', point, true)
  }
}

/** Whether the next keys are meant for where the focus is. */
export const isTyping = (): boolean => performance.now() - last < typesOn
