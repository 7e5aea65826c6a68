import type { Clock } from '../core/clock'

/** Seconds between searches for the tray icon after a hidden start. */
const searchSeconds = 2
/** Searches before the window opens minimized: at login, the desktop's panel may start after the application. */
const maxSearches = 15

export interface HiddenStartDeps {
  isReachable(): Promise<boolean>
  hasWindow(): boolean
  /** Called once the tray shows the icon. */
  stayed(): void
  showMinimized(): void
  readonly after: Clock['after']
}

/** Stays in the tray after a start without a window, or opens a minimized window if there is no tray. */
export async function stayHidden(deps: HiddenStartDeps, search = 1): Promise<void> {
  const isReachable = await deps.isReachable()
  if (deps.hasWindow()) return
  if (isReachable) return deps.stayed()
  if (search >= maxSearches) return deps.showMinimized()
  deps.after(searchSeconds, () => void stayHidden(deps, search + 1))
}
