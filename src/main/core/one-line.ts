/**
 * Characters that start a new line, reverse the text, or are invisible. The joiners U+200C and U+200D stay: some
 * scripts and emoji need them.
 */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00AD\u200B\u2060-\u2064\uFEFF]+/gu

/** Truncates a text to `most` characters without splitting a surrogate pair. Pure. */
export const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text

/** Returns untrusted text on one line without misleading characters. Pure. */
export const oneLine = (text: string): string => text.replace(breaking, ' ')

/** Returns untrusted text on one line of at most `most` characters. Pure. */
export const shortLine = (text: string, most: number): string => cut(oneLine(text), most)
