import type { Clock } from './clock'

/** Seconds between two readings of the resource that a page shows. */
export const lookIntervalSeconds = 60

export interface LookPollerDeps<Subject> {
  readonly clock: Clock
  online(): boolean
  readonly interval: number
  read(subject: Subject): Promise<void>
}

/**
 * Repeatedly reads the one subject that the window shows. The window makes the first reading itself. Pauses while no
 * window is open, the computer sleeps or is offline.
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
    /** A new page reports before the old one closes, so a page that closes ends only its own subject. */
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
