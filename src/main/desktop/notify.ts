import { Notification } from 'electron'

export interface Notice {
  readonly title: string
  readonly body: string
  /** What a click on it does: the main thing, as buttons do not exist everywhere. */
  act(): void
}

/** Shows what happened through the system, where it can. */
export function createNotifier(): (notice: Notice) => void {
  // A notification that nothing holds is collected, and its click with it.
  const shown = new Set<Notification>()
  return ({ title, body, act }) => {
    if (!Notification.isSupported()) return
    const notification = new Notification({ title, body })
    shown.add(notification)
    const drop = () => shown.delete(notification)
    notification.on('click', () => {
      drop()
      act()
    })
    notification.on('close', drop)
    notification.on('failed', drop)
    notification.show()
  }
}
