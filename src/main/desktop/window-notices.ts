import type { AppNotice } from '#shared/bridge/app'
import type { Notice } from './notify'

/** Notices that wait at most: the newest. */
const maxWaiting = 20

/**
 * Notices that the window shows, once its page is there: until then those wait that lead somewhere. Of no use without a
 * window is one that leads nowhere.
 */
export function createWindowNotices(isLoaded: () => boolean, show: (notice: AppNotice) => void) {
  let waiting: readonly AppNotice[] = []
  return {
    show(wanted: Notice): void {
      const { title, body, destination = null } = wanted
      const notice = { title, body, destination }
      if (isLoaded()) show(notice)
      else if (destination) waiting = [...waiting, notice].slice(-maxWaiting)
    },
    /** The page of the window is there. */
    loaded(): void {
      const now = waiting
      waiting = []
      now.forEach(show)
    },
  }
}
