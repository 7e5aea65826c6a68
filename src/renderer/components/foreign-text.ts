// C0 and C1 control characters but for tab and line feed, and those that turn the direction of what follows.
const unprintable = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/**
 * A text that somebody else wrote, as it is shown: at most `limit` characters of it, since laying out a megabyte takes
 * seconds, and nothing invisible that makes it read as another text.
 */
export function foreignText(text: string, limit = 1_000): string {
  const shown =
    text.length <= limit
      ? text
      : // Half of a surrogate pair is no character.
        `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
  return shown.replace(unprintable, (character) =>
    character === '\n' || character === '\t' ? character : '\uFFFD',
  )
}
