import { z } from 'zod'

const NoAccount = z.object({ accounts: z.array(z.never()) })
/** Whether the settings section `accounts` may contain an account. True if the section cannot be read. */
export const hasAccount = (section: unknown): boolean =>
  section !== undefined && !NoAccount.safeParse(section).success

const first = '/overview'
const pageOf = (place: string): string => /^\/[a-z-]+/.exec(place)?.[0] ?? first

/**
 * Remembers the user's place in the window. The whole address lasts while the application runs. Only the page survives a
 * restart, since ids and filters are private. `page`: page of the last run; empty at the first start.
 */
export function createLastPlace(page: string) {
  let place = page === '' ? first : pageOf(page)
  return {
    /**
     * Returns the address of the last place. Without an account it is the connect page, since the router would redirect
     * there after loading a page that cannot be shown.
     */
    urlOf: (page: string, hasAccount: boolean): string =>
      `${page}#${hasAccount ? place : `/connect?then=${pageOf(place).slice(1)}`}`,
    page: (): string => pageOf(place),
    /** Records a navigation. The connect page is never a place to return to. */
    navigated(url: string): void {
      const at = url.indexOf('#')
      const next = at < 0 ? '' : url.slice(at + 1)
      if (next.startsWith('/') && pageOf(next) !== '/connect') place = next
    },
  }
}
