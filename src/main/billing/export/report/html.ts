const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Piece of HTML, in contrast to text that must be escaped. */
export interface Html {
  readonly html: string
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

type Content = string | number | Html | readonly Html[]

const written = (content: Content): string => {
  if (typeof content === 'string') return escaped(content)
  if (typeof content === 'number') return String(content)
  return 'html' in content ? content.html : content.map(({ html }) => html).join('')
}

/** Builds HTML: escapes text, and inserts pieces of HTML unchanged. */
export const html = (pieces: TemplateStringsArray, ...contents: readonly Content[]): Html => ({
  html: pieces
    .map((piece, index) => piece + (index < contents.length ? written(contents[index] ?? '') : ''))
    .join(''),
})

export const none: Html = { html: '' }
