import type { MonotonicClock } from '../core/clock'
import type { TrayItem } from './tray-menu'

/**
 * Seconds between two menus. A status notifier on Linux reports no opening, and a menu that is replaced while it is
 * open loses the person's place in it.
 */
const betweenSeconds = 10
/** Seconds that an open menu may stay as it is: one whose closing is never reported must not stay so for ever. */
const openSeconds = 60
/** Seconds after its closing: what was chosen in it is reported only then. */
const afterSeconds = 1

/** Whether it says nothing of a fleet: who opens it at the start loses no place in it. */
const isBare = (items: readonly TrayItem[]): boolean =>
  items.every((item) => item === 'separator' || 'action' in item)

/** Decides when the tray's menu is replaced: only where a line has changed, not while it is open, and not often. */
export function createTrayUpdates(
  clock: Pick<MonotonicClock, 'monotonic' | 'after'>,
  replace: (items: readonly TrayItem[]) => void,
) {
  let menu = (): readonly TrayItem[] => []
  let shown = ''
  /** No menu before then, in seconds of the monotonic clock. */
  let heldUntil = -Infinity
  let cancel: (() => void) | undefined

  function update(): void {
    cancel?.()
    cancel = undefined
    const now = clock.monotonic()
    if (now < heldUntil) {
      cancel = clock.after(heldUntil - now, update)
      return
    }
    const wanted = menu()
    const next = JSON.stringify(wanted)
    if (next === shown) return
    shown = next
    heldUntil = isBare(wanted) ? now : now + betweenSeconds
    replace(wanted)
  }

  return {
    /** `build` is called only when the menu may be replaced: with a thousand machines it is much of the work in the tray. */
    show(build: () => readonly TrayItem[]): void {
      menu = build
      update()
    },
    opened: (): void => void (heldUntil = clock.monotonic() + openSeconds),
    closed(): void {
      heldUntil = clock.monotonic() + afterSeconds
      update()
    },
  }
}
