import type { Clock } from './clock'

/** Seconds between two readings of what the window looks at. */
export const lookInterval = 60

export interface LookPollerDeps<Subject> {
  readonly clock: Clock
  online(): boolean
  /** Seconds between two readings. */
  readonly interval: number
  /** Reads the service and reports what came. Never fails. */
  read(subject: Subject): Promise<void>
}

/**
 * Reads again and again what the window looks at, one subject at a time, for as long as it does: silent while no window
 * is open, the computer sleeps or is offline. The first reading is the window's own, when it opens the page.
 */
export function createLookPoller<Subject>({ clock, online, interval, read }: LookPollerDeps<Subject>) {
  let subject: Subject | null = null
  let key = ''
  let windowOpen = true
  let awake = true
  let cancel = (): void => undefined

  function schedule(): void {
    cancel()
    cancel = () => undefined
    if (subject === null || !windowOpen || !awake) return
    const looked = subject
    const lookedKey = key
    cancel = clock.after(interval, () => {
      const done = (): void => {
        if (subject !== null && key === lookedKey) schedule()
      }
      if (online()) void read(looked).finally(done)
      else done()
    })
  }

  return {
    /** A page that opens reports before the one that it replaces is gone: who looks away ends only their own subject. */
    look(next: Subject, looking: boolean): void {
      const nextKey = JSON.stringify(next)
      if (looking) {
        if (key === nextKey) return
        subject = next
        key = nextKey
      } else {
        if (key !== nextKey) return
        subject = null
        key = ''
      }
      schedule()
    },
    windowChanged(open: boolean): void {
      windowOpen = open
      schedule()
    },
    wakeChanged(isAwake: boolean): void {
      awake = isAwake
      schedule()
    },
    close(): void {
      subject = null
      key = ''
      cancel()
    },
  }
}
