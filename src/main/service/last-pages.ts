import { createHash } from 'node:crypto'
import type { Page } from '#shared/service/page'
import type { RawAnswer } from './answer'

/** Pages of one list that are kept; what goes beyond them is read as if it were new. */
const most = 500

/**
 * The pages of a list as last read, for a caller that keeps its records anyway: an answer that is the same as the last one is
 * neither parsed nor checked again, and has the same objects, which are never changed.
 */
export function createLastPages<Item>() {
  const pages = new Map<string, { readonly digest: string; readonly page: Page<Item> }>()
  const asked = new Set<string>()
  return {
    /** A reading of the list begins, at its first page. */
    begin: (): void => asked.clear(),
    /** The reading has come to the list's end: pages that it did not ask for are there no more. */
    keepAsked(): void {
      for (const query of pages.keys()) if (!asked.has(query)) pages.delete(query)
    },
    /** For one request: whether its answer is the page that it was the last time. */
    expect(query: string) {
      asked.add(query)
      let digest: string | undefined
      let known: Page<Item> | undefined
      return {
        isKnown({ status, text }: RawAnswer): boolean {
          digest = status === 200 ? createHash('sha256').update(text).digest('base64') : undefined
          const last = pages.get(query)
          known = last && last.digest === digest ? last.page : undefined
          if (!known) pages.delete(query)
          return known !== undefined
        },
        /** The page as it was; else what `read` makes of the answer, for the next time. */
        page(read: () => Page<Item>): Page<Item> {
          if (known) return known
          const page = read()
          if (digest !== undefined && pages.size < most) pages.set(query, { digest, page })
          return page
        },
      }
    },
  }
}
export type LastPages<Item> = ReturnType<typeof createLastPages<Item>>
