/** What a click does something to; a list's row opens, so it is one too. */
const acting =
  'button, a, input, select, textarea, label, summary, dialog, [role=row], [role=menuitem], [role=option]'

const targetOf = (event: Event): Element | null =>
  event.target instanceof Element ? (event.target.closest(acting) ?? document.body) : null

/**
 * The second and third click of a double or triple click do nothing where another element has come under the pointer
 * since the first, and never submit a form a second time. Clicks of the keyboard and of assistive technology have no
 * count. Answers how to end it.
 */
export function guardClicks(root: Document): () => void {
  let first: Element | null = null
  function press(event: MouseEvent): void {
    if (event.detail <= 1) first = targetOf(event)
    else stopElsewhere(event)
  }
  function stopElsewhere(event: MouseEvent): void {
    if (event.detail <= 1) return
    const target = targetOf(event)
    const submits = target instanceof HTMLButtonElement && target.type === 'submit'
    if (target === first && !submits) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  root.addEventListener('mousedown', press, true)
  root.addEventListener('click', stopElsewhere, true)
  root.addEventListener('dblclick', stopElsewhere, true)
  return () => {
    root.removeEventListener('mousedown', press, true)
    root.removeEventListener('click', stopElsewhere, true)
    root.removeEventListener('dblclick', stopElsewhere, true)
  }
}
