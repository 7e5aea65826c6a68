/** All control characters but tab, line feed and carriage return: those of C0, DEL and C1. */
const controls = /[^\P{Cc}\t\n\r]/gu

/** A text without what a shell takes for keys or for the end of a paste (`ESC[201~`). Pure. */
export const withoutControls = (text: string): string => text.replace(controls, '')

/** Lines that a text has; the end of the last one counts for none. */
export const linesOf = (text: string): number =>
  text.replace(/(?:\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/).length

/** Whether a person should see a text first: it has several lines, or its only one would run. Pure. */
export const needsConsent = (text: string, isBracketed: boolean): boolean =>
  linesOf(text) > 1 || (!isBracketed && /[\r\n]$/.test(text))
