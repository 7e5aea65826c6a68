const maxLength = 4_000

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

/** Converts release notes to plain text: GitHub's feed contains HTML. List items become dashes. Pure. */
export function plainNotes(notes: string): string {
  const text = notes
    .slice(0, maxLength * 4)
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
    .slice(0, maxLength)
}
