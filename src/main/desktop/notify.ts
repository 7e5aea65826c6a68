import type { Destination } from '#shared/bridge/app'
import type { Clock } from '../core/clock'
import { notificationBody, systemLine } from './system-text'

export interface Notice {
  readonly title: string
  readonly body: string
  readonly isGoodNews?: boolean
  /** Page that a click opens; absent if no page shows the subject. */
  readonly destination?: Destination
  /** Runs on a click. Buttons do not exist on every system. */
  act(): void
}

/** Interface of Electron's `Notification`. */
export interface SystemNotification {
  on(event: 'click' | 'close' | 'failed' | 'show', listener: () => void): unknown
  show(): void
}

export interface NotifierDeps {
  readonly platform: NodeJS.Platform
  readonly isSupported: () => boolean
  readonly create: (words: Pick<Notice, 'title' | 'body'>) => SystemNotification
  readonly after: Clock['after']
  readonly showInWindow: (notice: Notice) => void
}

/** Time in which macOS shows a notification. It may silently drop notifications of an unsigned program. */
const showTimeoutSeconds = 5

/** Upper bound on the notifications that wait for a click; most systems do not report when one disappears. */
const maxTracked = 100

/** Shows notices through the system, or in the window if the system fails. */
export function createNotifier({ platform, isSupported, create, after, showInWindow }: NotifierDeps) {
  // A notification without a reference is garbage-collected and loses its click.
  const tracked = new Set<SystemNotification>()
  return (notice: Notice): void => {
    if (!isSupported()) return showInWindow(notice)
    const { title, body, act } = notice
    const notification = create({ title: systemLine(title), body: notificationBody(body, platform) })
    tracked.add(notification)
    for (const oldest of [...tracked].slice(0, -maxTracked)) tracked.delete(oldest)
    let isSettled = false
    const cancel = platform === 'darwin' ? after(showTimeoutSeconds, () => settle(true)) : () => undefined
    function settle(isLost: boolean): void {
      if (isSettled) return
      isSettled = true
      cancel()
      if (isLost) showInWindow(notice)
    }
    const drop = () => tracked.delete(notification)
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
