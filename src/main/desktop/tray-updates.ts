import type { MonotonicClock } from '../core/clock'
import type { TrayItem } from './tray-item'

/**
 * Time between two menus. A status notifier on Linux does not report that its menu opens, and replacing an open menu
 * loses the user's place.
 */
const minIntervalSeconds = 10
/** Upper bound on the time that an open menu blocks updates: some desktops never report that it closed. */
const maxOpenSeconds = 60
/** Delay after a menu closes: the selection is reported only then. */
const closeDelaySeconds = 1

/** Whether the menu contains no fleet yet, so replacing it loses no place. */
const isBare = (items: readonly TrayItem[]): boolean =>
  items.every((item) => item === 'separator' || 'action' in item)

/** Replaces the tray's menu only if an item changed, never while it is open, and rarely. */
export function createTrayUpdates(
  clock: Pick<MonotonicClock, 'monotonic' | 'after'>,
  replace: (items: readonly TrayItem[]) => void,
) {
  let menu = (): readonly TrayItem[] => []
  let shown = ''
  /** Monotonic seconds before which the menu is not replaced. */
  let blockedUntil = -Infinity
  let cancel: (() => void) | undefined

  function update(): void {
    cancel?.()
    cancel = undefined
    const now = clock.monotonic()
    if (now < blockedUntil) {
      cancel = clock.after(blockedUntil - now, update)
      return
    }
    const items = menu()
    const next = JSON.stringify(items)
    if (next === shown) return
    shown = next
    blockedUntil = isBare(items) ? now : now + minIntervalSeconds
    replace(items)
  }

  return {
    /** Calls `build` only when the menu may be replaced: building it for a thousand machines is expensive. */
    show(build: () => readonly TrayItem[]): void {
      menu = build
      update()
    },
    opened: (): void => void (blockedUntil = clock.monotonic() + maxOpenSeconds),
    closed(): void {
      blockedUntil = clock.monotonic() + closeDelaySeconds
      update()
    },
  }
}
