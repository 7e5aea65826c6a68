import { z } from 'zod'

const NoAccount = z.object({ accounts: z.array(z.never()) })
/** Whether the section `accounts` of the settings may name any: one that cannot be read does. */
export const hasAccount = (section: unknown): boolean =>
  section !== undefined && !NoAccount.safeParse(section).success

/** Where a first start leads. */
const first = '/overview'
const pageOf = (place: string): string => /^\/[a-z-]+/.exec(place)?.[0] ?? first

/**
 * Where the person was in the window: whole while the application runs, only the page across starts, since ids and
 * filters are private. `page`: that of the last run; empty at the first start.
 */
export function createLastPlace(page: string) {
  let place = page === '' ? first : pageOf(page)
  return {
    /**
     * The address of the window's page with the place in it. Where nobody has an account that is where one is connected:
     * the page would only be led there, once it had loaded all of a place that it cannot show.
     */
    urlOf: (page: string, hasAccount: boolean): string =>
      `${page}#${hasAccount ? place : `/connect?then=${pageOf(place).slice(1)}`}`,
    page: (): string => pageOf(place),
    /** The window went there unasked. The page that asks for an account is no place to come back to. */
    went(url: string): void {
      const at = url.indexOf('#')
      const next = at < 0 ? '' : url.slice(at + 1)
      if (next.startsWith('/') && pageOf(next) !== '/connect') place = next
    },
  }
}
