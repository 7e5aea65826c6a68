import type { Destination } from '#shared/bridge/app'
import type { Clock } from '../core/clock'
import { notificationBody, systemLine } from './system-text'

export interface Notice {
  readonly title: string
  readonly body: string
  /** Where it leads; absent where it says nothing that a window could show. */
  readonly destination?: Destination
  /** What a click on it does: the main thing, as buttons do not exist everywhere. */
  act(): void
}

/** A notification of the system's, as Electron has it. */
export interface SystemNotification {
  on(event: 'click' | 'close' | 'failed' | 'show', listener: () => void): unknown
  show(): void
}

export interface NotifierDeps {
  readonly platform: NodeJS.Platform
  readonly isSupported: () => boolean
  readonly create: (words: Pick<Notice, 'title' | 'body'>) => SystemNotification
  readonly after: Clock['after']
  /** The system did not show it: the window is to. */
  readonly showInWindow: (notice: Notice) => void
}

/** Seconds in which macOS has shown a notification. One of an unsigned program it may drop in silence. */
const shownWithin = 5

/** Notifications whose click is waited for; systems report the end of few of them. */
const mostShown = 100

/** Shows what happened through the system, else in the window. */
export function createNotifier({ platform, isSupported, create, after, showInWindow }: NotifierDeps) {
  // A notification that nothing holds is collected, and its click with it.
  const shown = new Set<SystemNotification>()
  return (notice: Notice): void => {
    if (!isSupported()) return showInWindow(notice)
    const { title, body, act } = notice
    const notification = create({ title: systemLine(title), body: notificationBody(body, platform) })
    shown.add(notification)
    for (const oldest of [...shown].slice(0, -mostShown)) shown.delete(oldest)
    let isSettled = false
    const cancel = platform === 'darwin' ? after(shownWithin, () => settle(true)) : () => undefined
    function settle(isLost: boolean): void {
      if (isSettled) return
      isSettled = true
      cancel()
      if (isLost) showInWindow(notice)
    }
    const drop = () => shown.delete(notification)
    notification.on('show', () => settle(false))
    notification.on('click', () => {
      settle(false)
      drop()
      act()
    })
    notification.on('close', drop)
    notification.on('failed', () => {
      drop()
      settle(true)
    })
    notification.show()
  }
}
