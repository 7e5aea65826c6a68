/** Returns a text as one word of a shell. Pure. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
