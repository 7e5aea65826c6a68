// Control characters, C0 and C1, but for tab and the ends of lines.
const keys = /[^\P{Cc}\t\n\r]/gu

/**
 * What is pasted of a text: without control characters, which would be keys, such as ESC [201~, with which a paste ends and
 * what follows it is typed.
 */
export const pastedText = (text: string): string => text.replace(keys, '')

/** Lines that a text has; the end of the last one counts for none. */
export const linesOf = (text: string): number => text.replace(/\r?\n$/, '').split(/\r\n|\r|\n/).length

/** Whether the person is asked first. `isBracketed`: the program is waiting for pastes as such, and runs no single line at its end. */
export const isAskedAbout = (text: string, isBracketed: boolean): boolean =>
  linesOf(text) > 1 || (!isBracketed && /[\r\n]/.test(text))
