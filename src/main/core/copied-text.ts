/** Copies a part of a longer text that is kept: V8's slice of a string keeps the whole string in memory. */
export const copiedText = (part: string): string => Buffer.from(part).toString()
