const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A piece of HTML, as opposed to text that has to be made safe first. */
export interface Html {
  readonly html: string
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

type Part = string | number | Html | readonly Html[]

const written = (part: Part): string => {
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

/** HTML with values in it: text is escaped, whatever it holds; other pieces of HTML go in as they are. */
export const html = (pieces: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: pieces
    .map((piece, index) => piece + (index < parts.length ? written(parts[index] ?? '') : ''))
    .join(''),
})

export const none: Html = { html: '' }
