/** The languages that there are messages in, a folder each; the first is the fallback. */
export const languages = ['en'] as const
