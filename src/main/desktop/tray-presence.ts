import type { Clock } from '../core/clock'
import type { ReportError } from '../core/report-error'

/** Time that a desktop needs to register a new icon. */
const registrationSeconds = 2
/** Interval between searches for a program that shows tray icons, in the first minute and later. */
const earlySearchSeconds = 5
const lateSearchSeconds = 30
const earlySearches = 12
/** Interval between checks of the icon while no window is open. */
const checkSeconds = 30
/** Time in which a panel that restarts registers the icon again. */
const restartSeconds = 15

export interface TrayPresenceDeps {
  hasHost(): Promise<boolean>
  /** Creates the icon. Called once. */
  showIcon(): void
  isIconShown(): Promise<boolean>
  hasWindow(): boolean
  lost(): void
  readonly after: Clock['after']
  readonly report: ReportError
}

/**
 * Keeps the icon in the tray: creates it once a program shows tray icons, which may start after the application, and
 * reports when it vanishes while no window is open.
 */
export function createTrayPresence(deps: TrayPresenceDeps) {
  const { hasHost, showIcon, isIconShown, hasWindow, lost, after, report } = deps
  let isCreated = false
  let hasFailed = false
  let registered = Promise.resolve()
  let searching: Promise<boolean> | undefined

  async function search(): Promise<boolean> {
    if (isCreated) return true
    try {
      if (!(await hasHost()) || isCreated) return isCreated
      showIcon()
      isCreated = true
      registered = new Promise((resolve) => after(registrationSeconds, resolve))
    } catch (error) {
      hasFailed = true
      report('app.start', error)
    }
    return isCreated
  }
  const find = (): Promise<boolean> => (searching ??= search().finally(() => (searching = undefined)))

  async function searchOn(count: number): Promise<void> {
    if ((await find()) || hasFailed) return
    after(count < earlySearches ? earlySearchSeconds : lateSearchSeconds, () => void searchOn(count + 1))
  }

  let cancelCheck = (): void => undefined
  function checkIn(seconds: number, missed: boolean): void {
    cancelCheck()
    cancelCheck = after(seconds, () => void check(missed))
  }
  async function check(missed: boolean): Promise<void> {
    if (hasWindow()) return
    if (await isIconShown()) return checkIn(checkSeconds, false)
    if (hasWindow()) return
    if (missed) lost()
    else checkIn(restartSeconds, true)
  }

  return {
    /** Creates the icon, at the latest when a program that shows it starts. */
    start: (): void => void searchOn(1),
    /** Whether the tray keeps the application reachable without a window. Waits for a new icon to be registered. */
    async isReachable(): Promise<boolean> {
      if (!(await find())) return false
      if (await isIconShown()) return true
      await registered
      return isIconShown()
    },
    /** Checks the icon until a window opens again. */
    watch: (): void => checkIn(checkSeconds, false),
  }
}
