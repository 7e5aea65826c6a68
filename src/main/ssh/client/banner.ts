import { stripVTControlCharacters } from 'node:util'

/** Upper bound on the banners of one sign-in, in characters. */
const maxBannerLength = 4_000

/** C0 and C1 control characters except tab and line feed, and characters that change the direction of text. */
const invisible = /[^\P{Cc}\t\n]|[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/**
 * Collects the banners of one sign-in (RFC 4252 §5.4), which a server may send more than once. Calls `changed` with all of
 * them as plain text. `push` adds a piece of text.
 */
export function collectBanner(changed: ((banner: string) => void) | undefined) {
  let received = ''
  let reported = ''
  return {
    push(text: string): void {
      received = (received + text).slice(0, maxBannerLength)
      const banner = stripVTControlCharacters(received).replace(invisible, '').trim()
      if (banner === reported) return
      reported = banner
      changed?.(banner)
    },
  }
}
