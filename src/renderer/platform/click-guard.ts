const clickable =
  'button, a, input, select, textarea, label, summary, dialog, [role=row], [role=menuitem], [role=option]'

const targetOf = (event: Event): Element | null =>
  event.target instanceof Element ? (event.target.closest(clickable) ?? document.body) : null

/** Returns the id of the list row that the target shows now: lists reuse the elements of a row for other rows. */
const rowOf = (event: Event): string | undefined =>
  event.target instanceof Element ? event.target.closest('[role=row]')?.id : undefined

/**
 * Blocks clicks on elements that moved under the pointer. Returns a function that removes the listeners.
 * - Blocks a click or context menu on a row that replaced the pressed row. (Windows opens menus on release.)
 * - Blocks the later clicks of a double or triple click if they hit another element or would submit a form again.
 * - Allows clicks from the keyboard and from assistive technology, whose `detail` is 0.
 */
export function guardClicks(root: Document): () => void {
  let pressedTarget: Element | null = null
  let pressedRow: string | undefined
  const isOtherRow = (event: MouseEvent): boolean =>
    Boolean(pressedRow && rowOf(event)) && pressedRow !== rowOf(event)
  function block(event: MouseEvent): void {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  function press(event: MouseEvent): void {
    if (event.detail > 1) return stopElsewhere(event)
    pressedTarget = targetOf(event)
    pressedRow = rowOf(event)
  }
  function stopElsewhere(event: MouseEvent): void {
    if (event.detail === 0) return
    const target = targetOf(event)
    const submits = target instanceof HTMLButtonElement && target.type === 'submit'
    const isRepeatable = target === pressedTarget && pressedRow === rowOf(event) && !submits
    if (event.detail === 1 ? isOtherRow(event) : !isRepeatable) block(event)
  }
  function stopMenu(event: MouseEvent): void {
    if (event.button === 2 && isOtherRow(event)) block(event)
  }
  root.addEventListener('mousedown', press, true)
  root.addEventListener('contextmenu', stopMenu, true)
  root.addEventListener('click', stopElsewhere, true)
  root.addEventListener('dblclick', stopElsewhere, true)
  return () => {
    root.removeEventListener('mousedown', press, true)
    root.removeEventListener('contextmenu', stopMenu, true)
    root.removeEventListener('click', stopElsewhere, true)
    root.removeEventListener('dblclick', stopElsewhere, true)
  }
}
