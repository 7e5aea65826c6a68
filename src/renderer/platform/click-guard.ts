/** What a click does something to; a list's row opens, so it is one too. */
const acting =
  'button, a, input, select, textarea, label, summary, dialog, [role=row], [role=menuitem], [role=option]'

const targetOf = (event: Event): Element | null =>
  event.target instanceof Element ? (event.target.closest(acting) ?? document.body) : null

/** The row of a list that an element belongs to now: where the row goes, its elements stand for another. */
const rowOf = (event: Event): string | undefined =>
  event.target instanceof Element ? event.target.closest('[role=row]')?.id : undefined

/**
 * A click does nothing to a row that has taken the place of the one that was pressed, and opens no menu of it: Windows
 * asks for that when the button is let go. The second and third click of a double or triple click do nothing where
 * another element has come under the pointer since the first, and never submit a form a second time. Clicks of the
 * keyboard and of assistive technology have no count. Answers how to end it.
 */
export function guardClicks(root: Document): () => void {
  let first: Element | null = null
  let row: string | undefined
  function press(event: MouseEvent): void {
    if (event.detail > 1) return stopElsewhere(event)
    first = targetOf(event)
    row = rowOf(event)
  }
  function stopElsewhere(event: MouseEvent): void {
    if (event.detail === 0) return
    const target = targetOf(event)
    const submits = target instanceof HTMLButtonElement && target.type === 'submit'
    const isSameRow = row === rowOf(event)
    if (event.detail === 1 ? isSameRow || !row || !rowOf(event) : target === first && isSameRow && !submits)
      return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  function stopMenu(event: MouseEvent): void {
    const isMouse = event.button === 2
    if (!isMouse || !row || !rowOf(event) || row === rowOf(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
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
