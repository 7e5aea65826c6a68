import { nextTick } from 'vue'

const focusable = 'button, a[href], input, select, textarea, [tabindex]'

/** Returns the focusable ancestors of an element, nearest first, including itself. The page comes last. */
export function placesAround(element: Element | null): readonly Element[] {
  const places: Element[] = []
  for (let at = element; at; at = at.parentElement) if (at.matches(focusable)) places.push(at)
  const page = document.getElementById('page')
  return page && !places.includes(page) ? [...places, page] : places
}

/** Returns whether the focus leaves the listening element instead of moving inside it. */
export const leavesFocus = ({ currentTarget, relatedTarget }: FocusEvent): boolean =>
  !(currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget))

export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

/** Focuses the first element that is still in the document and accepts the focus. */
export function focusFirst(places: readonly Element[]): void {
  for (const place of places) {
    if (place instanceof HTMLElement && place.isConnected) place.focus()
    if (document.activeElement === place) return
  }
}

/** Moves the focus to the nearest ancestor when the focused element is removed. Returns a function that stops this. */
export function keepFocus(): () => void {
  let places = placesAround(document.activeElement)
  const focused = ({ target }: FocusEvent) => {
    if (target instanceof Element) places = placesAround(target)
  }
  const observer = new MutationObserver(() => {
    if (isFocusLost() && places[0]?.isConnected === false)
      void nextTick(() => isFocusLost() && focusFirst(places))
  })
  document.addEventListener('focusin', focused)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', focused)
    observer.disconnect()
  }
}
