/** Characters of release notes that are shown. */
const limit = 4_000

const entities: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['amp', '&'],
])

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return entities.get(name.toLowerCase()) ?? whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

/**
 * Release notes as plain text: GitHub's feed brings HTML. Tags go, list items keep a dash, what was written as an entity
 * stays text. The window shows the result as text, whatever it holds. Pure.
 */
export function plainNotes(notes: string): string {
  const text = notes
    .slice(0, limit * 4)
    .replace(/<(script|style)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
    .replace(/\s{0,20}<li\b[^<>]*>\s*/gi, '\n- ')
    .replace(/<(?:br|\/?(?:p|div|ul|ol|h[1-6]|tr|pre|blockquote))\b[^<>]*>/gi, '\n')
    .replace(/<\/?[a-z!][^<>]*>/gi, '')
  return decoded(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, limit)
}
