/** Text in a line: plain, emphasised, code, a key, a link or a picture. */
type Inline =
  | { readonly kind: 'text' | 'strong' | 'code'; readonly text: string }
  | { readonly kind: 'link' | 'image'; readonly text: string; readonly to: string }
export type Line = readonly Inline[]

export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly id: string; readonly line: Line }
  | { readonly kind: 'paragraph'; readonly line: Line }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly Line[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'table'; readonly head: readonly Line[]; readonly rows: readonly (readonly Line[])[] }

const inlines = /`([^`]+)`|\*\*([^*]+)\*\*|(!?)\[([^\]]*)\]\(([^)\s]+)\)/g

const lineOf = (source: string): Line => {
  const line: Inline[] = []
  let end = 0
  const plain = (text: string): void => {
    if (text !== '') line.push({ kind: 'text', text })
  }
  for (const found of source.matchAll(inlines)) {
    const [whole, code, strong, image, text = '', to = ''] = found
    plain(source.slice(end, found.index))
    end = found.index + whole.length
    if (code !== undefined) line.push({ kind: 'code', text: code })
    else if (strong !== undefined) line.push({ kind: 'strong', text: strong })
    else line.push({ kind: image === '!' ? 'image' : 'link', text, to })
  }
  plain(source.slice(end))
  return line
}

export const plainText = (line: Line): string => line.map(({ text }) => text).join('')

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const cells = (row: string): readonly Line[] =>
  row
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => lineOf(cell.trim()))

/** The items of a list: a marker begins one, an indented line continues it. */
const itemsOf = (lines: readonly string[]): readonly Line[] => {
  const items: string[] = []
  for (const line of lines) {
    if (/^\s/.test(line)) items.push(`${items.pop() ?? ''} ${line.trim()}`)
    else items.push(line.replace(/^(?:-|\d+\.) /, ''))
  }
  return items.map(lineOf)
}

/** One block of lines between blank ones. */
function blockOf(lines: readonly string[]): Block {
  const [first = '', second = ''] = lines
  const [, marks, title = ''] = /^(#{1,3}) (.+)$/.exec(first) ?? []
  if (marks !== undefined) {
    const line = lineOf(title)
    const level = marks.length === 1 ? 1 : marks.length === 2 ? 2 : 3
    return { kind: 'heading', level, id: anchorOf(plainText(line)), line }
  }
  if (lines.every((line) => line.startsWith('    ')))
    return { kind: 'code', text: lines.map((line) => line.slice(4)).join('\n') }
  if (first.startsWith('|') && /^\|[\s:|-]+\|$/.test(second))
    return { kind: 'table', head: cells(first), rows: lines.slice(2).map(cells) }
  if (/^(?:-|\d+\.) /.test(first))
    return { kind: 'list', ordered: !first.startsWith('-'), items: itemsOf(lines) }
  return { kind: 'paragraph', line: lineOf(lines.join(' ')) }
}

/**
 * The Markdown that the user guide is written in: headings, paragraphs, lists of one level, tables, code that is indented
 * by four, and in a line code, bold, links and pictures. Anything else stays text, so nothing in it can be HTML. Pure.
 */
export const parseMarkdown = (source: string): readonly Block[] =>
  source
    .split(/\n{2,}/)
    .map((block) => block.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0)
    .map(blockOf)
