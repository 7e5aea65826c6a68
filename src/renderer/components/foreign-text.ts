// C0 and C1 control characters, and characters that change the direction of the text.
const unprintable = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/**
 * Returns a foreign text for display: at most `limit` characters, because laying out a megabyte takes seconds, and
 * without invisible characters that disguise it.
 */
export function foreignText(text: string, limit = 1_000): string {
  // The replacement drops half of a surrogate pair at the cut.
  const limited = text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
  return limited.replace(unprintable, (character) =>
    character === '\n' || character === '\t' ? character : '\uFFFD',
  )
}
