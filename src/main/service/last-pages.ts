import { createHash } from 'node:crypto'
import type { Page } from '#shared/service/page'
import type { RawAnswer } from './answer'

const maxPages = 500

/**
 * Caches the last pages of a list whose records the caller keeps anyway. An unchanged answer is not parsed again and
 * returns the same objects, which are never modified.
 */
export function createLastPages<Item>() {
  const pages = new Map<string, { readonly digest: string; readonly page: Page<Item> }>()
  const requested = new Set<string>()
  return {
    begin: (): void => requested.clear(),
    /** Drops the pages that the finished reading did not request. */
    dropUnrequested(): void {
      for (const query of pages.keys()) if (!requested.has(query)) pages.delete(query)
    },
    /** Prepares one request, to compare its answer with the cached page. */
    expect(query: string) {
      requested.add(query)
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
        /** Returns the cached page if unchanged; else the result of `read`, which is cached. */
        page(read: () => Page<Item>): Page<Item> {
          if (known) return known
          const page = read()
          if (digest !== undefined && pages.size < maxPages) pages.set(query, { digest, page })
          return page
        },
      }
    },
  }
}
export type LastPages<Item> = ReturnType<typeof createLastPages<Item>>
