import { nextTick } from 'vue'

const focusable = 'button, a[href], input, select, textarea, [tabindex]'

/** What had the focus and what lies around it, nearest first; the page at last. */
export function placesAround(element: Element | null): readonly Element[] {
  const places: Element[] = []
  for (let at = element; at; at = at.parentElement) if (at.matches(focusable)) places.push(at)
  const page = document.getElementById('page')
  return page && !places.includes(page) ? [...places, page] : places
}

/** Whether the focus leaves the element that listens, and does not only move inside it. */
export const leavesFocus = ({ currentTarget, relatedTarget }: FocusEvent): boolean =>
  !(currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget))

/** Gives the focus to the first of them that is still there and takes it. */
export function focusFirst(places: readonly Element[]): void {
  for (const place of places) {
    if (place instanceof HTMLElement && place.isConnected) place.focus()
    if (document.activeElement === place) return
  }
}

/**
 * Browsers leave the focus nowhere where the element that has it is removed, as the button is that a dialog was opened
 * with: here it goes to what lay around it, unless something else takes it first. Answers how to end it.
 */
export function keepFocus(): () => void {
  let places = placesAround(document.activeElement)
  const focused = ({ target }: FocusEvent) => {
    if (target instanceof Element) places = placesAround(target)
  }
  const isNowhere = () => document.activeElement === null || document.activeElement === document.body
  const observer = new MutationObserver(() => {
    if (isNowhere() && places[0]?.isConnected === false)
      void nextTick(() => isNowhere() && focusFirst(places))
  })
  document.addEventListener('focusin', focused)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', focused)
    observer.disconnect()
  }
}
