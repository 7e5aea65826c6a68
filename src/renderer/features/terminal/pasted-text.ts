/** Control characters (C0, DEL and C1) except tab, line feed and carriage return. */
const controls = /[^\P{Cc}\t\n\r]/gu

/** Removes control characters, which a shell would treat as keys or as the end of a paste (`ESC[201~`). */
export const withoutControls = (text: string): string => text.replace(controls, '')

/** Returns the number of lines. A line break at the end starts no new line. */
export const linesOf = (text: string): number =>
  text.replace(/(?:\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/).length

/** Returns whether the user must confirm a paste: it has several lines, or its only line would run. */
export const needsConsent = (text: string, isBracketed: boolean): boolean =>
  linesOf(text) > 1 || (!isBracketed && /[\r\n]$/.test(text))
