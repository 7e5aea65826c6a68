/**
 * What would begin another line, reverse the rest of this one, or hide in it. The joiners U+200C and U+200D stay, without
 * which some scripts and emoji fall apart.
 */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00AD\u200B\u2060-\u2064\uFEFF]+/gu

/** A text of at most so many characters, without half of one at its end. Pure. */
export const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text

/** Somebody else's words as one line that reads as it is. Pure. */
export const oneLine = (text: string): string => text.replace(breaking, ' ')
