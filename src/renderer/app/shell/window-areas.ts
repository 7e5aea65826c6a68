/** Areas in the order of the document. The toasts of naive-ui are the first. */
const areaSelector = '.n-message-container, [data-area]'
const entrySelectors = [
  'nav [aria-current=page], [role=tab][aria-selected=true], [role=grid]',
  'button, a[href]',
]

/** Elements of an area that may get the focus, the best first, without elements of an area inside it. */
function entriesOf(area: HTMLElement): readonly HTMLElement[] {
  const [best, others] = entrySelectors.map((selector) =>
    [...area.querySelectorAll<HTMLElement>(selector)].filter((entry) => entry.closest(areaSelector) === area),
  )
  return [...(best ?? []), area, ...(others ?? [])]
}

/**
 * Moves the focus to the next area of the window, or to the previous one. Areas without a control are skipped. An open
 * dialog or menu keeps the focus.
 */
export function focusArea(step: 1 | -1): void {
  if (document.querySelector('dialog[open]') || document.activeElement?.closest('[role=menu]')) return
  const areas = [...document.querySelectorAll<HTMLElement>(areaSelector)]
  const here = areas.findLastIndex((area) => area.contains(document.activeElement))
  const from = here < 0 && step < 0 ? 0 : here
  for (let count = 1; count < areas.length; count += 1) {
    const area = areas.at((from + step * count) % areas.length)
    for (const entry of area ? entriesOf(area) : []) {
      entry.focus()
      if (document.activeElement === entry) return
    }
  }
}

/** Pixels by which an arrow key scrolls. */
const line = 40
/** Part of the visible height by which Page Down scrolls. */
const screenPart = 0.9
const distances: Readonly<Record<string, (visible: number, whole: number) => number>> = {
  ArrowDown: () => line,
  ArrowUp: () => -line,
  PageDown: (visible) => visible * screenPart,
  PageUp: (visible) => -visible * screenPart,
  Home: (_, whole) => -whole,
  End: (_, whole) => whole,
}

/** Scrolls the largest scrolled part of the page, whose focus is on the page itself: browsers scroll only parents. */
export function scrollPage(page: HTMLElement, { key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  const distance = distances[key]
  if (!distance || ctrlKey || altKey || metaKey) return false
  const parts = [...page.querySelectorAll<HTMLElement>('*')].filter(
    (part) => part.scrollHeight > part.clientHeight && /auto|scroll/.test(getComputedStyle(part).overflowY),
  )
  const sizeOf = ({ clientWidth, clientHeight }: HTMLElement): number => clientWidth * clientHeight
  const [part] = parts.sort((left, right) => sizeOf(right) - sizeOf(left))
  if (!part) return false
  part.scrollBy({ top: distance(part.clientHeight, part.scrollHeight) })
  return true
}
