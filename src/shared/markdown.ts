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

/** Returns a function that finds the next `mark`. With ascending positions, all calls together read the source once. */
function finder(source: string, mark: RegExp): (from: number) => number {
  let position = -1
  return (from) => {
    if (position >= from) return position
    mark.lastIndex = from
    position = mark.exec(source)?.index ?? source.length
    return position
  }
}

const lineOf = (source: string): Line => {
  const line: Inline[] = []
  const opener = finder(source, /`|\*\*|!?\[/g)
  const [tick, star] = [finder(source, /`/g), finder(source, /\*/g)]
  const [bracket, addressEnd] = [finder(source, /\]/g), finder(source, /[)\s]/g)]

  /** Parses the element that starts here and its end; undefined for plain text. */
  function inlineAt(at: number): readonly [Inline, number] | undefined {
    if (source[at] === '`') {
      const close = tick(at + 1)
      const text = source.slice(at + 1, close)
      return close < source.length && text !== '' ? [{ kind: 'code', text }, close + 1] : undefined
    }
    if (source[at] === '*') {
      const close = star(at + 2)
      const text = source.slice(at + 2, close)
      return source[close + 1] === '*' && text !== '' ? [{ kind: 'strong', text }, close + 2] : undefined
    }
    const isImage = source[at] === '!'
    const begin = at + (isImage ? 2 : 1)
    const close = bracket(begin)
    if (source[close + 1] !== '(') return undefined
    const end = addressEnd(close + 2)
    const to = source.slice(close + 2, end)
    if (source[end] !== ')' || to === '') return undefined
    return [{ kind: isImage ? 'image' : 'link', text: source.slice(begin, close), to }, end + 1]
  }
  let end = 0
  const plainTo = (at: number): void => {
    if (at > end) line.push({ kind: 'text', text: source.slice(end, at) })
  }
  for (let at = opener(0); at < source.length; at = opener(at)) {
    const inline = inlineAt(at)
    if (inline) {
      plainTo(at)
      line.push(inline[0])
      end = at = inline[1]
    } else at += 1
  }
  plainTo(source.length)
  return line
}

export const plainText = (line: Line): string => line.map(({ text }) => text).join('')

/** Returns the anchor of a heading, as GitHub makes it. */
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

/** Splits a list: a marker starts an item, an indented line continues it. */
const itemsOf = (lines: readonly string[]): readonly Line[] => {
  const items: string[] = []
  for (const line of lines) {
    if (/^\s/.test(line)) items.push(`${items.pop() ?? ''} ${line.trim()}`)
    else items.push(line.replace(/^(?:-|\d+\.) /, ''))
  }
  return items.map(lineOf)
}

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
 * Parses the Markdown of the user guide: headings, paragraphs, flat lists, tables, code indented by four, and inline
 * code, bold, links and images. Everything else stays text, so no HTML can result. Pure.
 */
export const parseMarkdown = (source: string): readonly Block[] =>
  source
    .split(/\n{2,}/)
    .map((block) => block.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0)
    .map(blockOf)
