import type { AppNotice } from '#shared/bridge/app'
import type { Notice } from './notify'

/** Upper bound on waiting notices; the oldest are dropped. */
const maxWaiting = 20

/** Shows notices in the window. Before its page is loaded, notices with a destination wait and others are dropped. */
export function createWindowNotices(isLoaded: () => boolean, show: (notice: AppNotice) => void) {
  let waiting: readonly AppNotice[] = []
  return {
    show(wanted: Notice): void {
      const { title, body, isGoodNews = false, destination = null } = wanted
      const notice = { title, body, isGoodNews, destination }
      if (isLoaded()) show(notice)
      else if (destination) waiting = [...waiting, notice].slice(-maxWaiting)
    },
    /** Shows the waiting notices; call when the page is loaded. */
    loaded(): void {
      const pending = waiting
      waiting = []
      pending.forEach(show)
    },
  }
}
