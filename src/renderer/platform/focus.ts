import { nextTick } from 'vue'

const focusable = 'button, a[href], input, select, textarea, [tabindex]'

const page = (): HTMLElement | null => document.getElementById('page')
const acceptsFocus = (element: Element): boolean =>
  element.matches(focusable) && !element.matches(':disabled')

/** Returns an element and its ancestors, nearest first, up to the page. */
export function placesAround(element: Element | null): readonly HTMLElement[] {
  const places: HTMLElement[] = []
  for (let at = element; at && at !== page() && at !== document.body; at = at.parentElement)
    if (at instanceof HTMLElement) places.push(at)
  return places
}

/** Returns whether the focus leaves the listening element instead of moving inside it. */
export const leavesFocus = ({ currentTarget, relatedTarget }: FocusEvent): boolean =>
  !(currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget))

export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

/** Focuses an element, which accepts the focus for this time only if it does not anyway. Returns whether it has it. */
function focusOnce(place: HTMLElement): boolean {
  const isTemporary = !place.matches(focusable)
  if (isTemporary) place.tabIndex = -1
  place.focus()
  const isFocused = document.activeElement === place
  const end = (): void => place.removeAttribute('tabindex')
  if (isTemporary && isFocused) place.addEventListener('blur', end, { once: true })
  else if (isTemporary) end()
  return isFocused
}

/**
 * Focuses the nearest control, list or tab that is still in the document, else the nearest element that is still
 * there, else the page. From there, Tab moves on to the next control.
 */
export function focusFirst(places: readonly HTMLElement[]): void {
  const left = places.filter((place) => place.isConnected)
  const isStop = (place: HTMLElement): boolean => acceptsFocus(place) && !(place instanceof HTMLDialogElement)
  if (left.filter(isStop).some(focusOnce) || left.some(focusOnce)) return
  page()?.focus()
}

/**
 * Moves the focus to the nearest place when the focused element is removed, and back to an element that was disabled for
 * some time. Returns a function that stops this.
 */
export function keepFocus(): () => void {
  /** Places around the last focus inside the page: toasts and dialogs lead back there. */
  let inPage: readonly HTMLElement[] = []
  let places: readonly HTMLElement[] = []
  let isDisabled = false
  const remember = (element: Element): void => {
    const around = placesAround(element)
    const isInPage = page()?.contains(element) === true
    if (isInPage) inPage = around
    places = isInPage ? around : [...around, ...inPage]
    isDisabled = false
  }
  const focused = ({ target }: FocusEvent) => target instanceof Element && remember(target)
  if (document.activeElement) remember(document.activeElement)
  const observer = new MutationObserver((changes) => {
    const [last] = places
    if (last?.isConnected === false && isFocusLost())
      void nextTick(() => {
        if (isFocusLost()) focusFirst(places)
        // Behind a modal dialog nothing accepts the focus: these attempts must not cause the next ones.
        observer.takeRecords()
      })
    if (!last || !changes.some(({ target }) => target === last)) return
    if (!acceptsFocus(last)) isDisabled = true
    else if (isDisabled && isFocusLost()) last.focus()
  })
  document.addEventListener('focusin', focused)
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'tabindex'],
  })
  return () => {
    document.removeEventListener('focusin', focused)
    observer.disconnect()
  }
}
