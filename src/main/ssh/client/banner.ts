import { stripVTControlCharacters } from 'node:util'

/** Characters of a sign-in's banners that are kept. */
const maxBannerLength = 4_000
/**
 * Seconds that a sign-in may still take once the server has sent a banner: the user may have to follow a link first.
 * sshd ends a sign-in after 120 by default (sshd_config(5), LoginGraceTime).
 */
export const bannerActionSeconds = 130

/** C0 and C1 control characters except tab and line feed, and characters that change the direction of text. */
const invisible = /[^\P{Cc}\t\n]|[\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/**
 * Collects the banners of one sign-in (RFC 4252 §5.4): text by the server, which it may send more than once. Calls
 * `changed` with all of them as plain text. `push` takes the text in pieces.
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
