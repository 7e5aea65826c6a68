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

type Content = string | number | Html | readonly Html[]

const written = (content: Content): string => {
  if (typeof content === 'string') return escaped(content)
  if (typeof content === 'number') return String(content)
  return 'html' in content ? content.html : content.map(({ html }) => html).join('')
}

/** HTML with values in it: text is escaped, whatever it holds; other pieces of HTML go in as they are. */
export const html = (pieces: TemplateStringsArray, ...contents: readonly Content[]): Html => ({
  html: pieces
    .map((piece, index) => piece + (index < contents.length ? written(contents[index] ?? '') : ''))
    .join(''),
})

export const none: Html = { html: '' }
