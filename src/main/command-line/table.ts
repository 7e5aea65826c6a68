import { oneLine } from '../core/one-line'

/** Characters that fill two columns of a terminal. The punctuation of Japanese and Chinese belongs to no script. */
const wide =
  /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Emoji_Presentation}|[\u3001-\u303E\u30A0-\u30FF\uFF01-\uFF60\uFFE0-\uFFE6]/u
const segmenter = new Intl.Segmenter()
const partsOf = (text: string): readonly string[] =>
  [...segmenter.segment(text)].map(({ segment }) => segment)
const widthOf = (parts: readonly string[]): number =>
  parts.reduce((width, part) => width + (wide.test(part) ? 2 : 1), 0)

/** Width of a text in columns. Most texts are ASCII, which need no segmenter. */
const columnsOf = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : widthOf(partsOf(text)))

/** Narrowest width to which a column is cut. */
const minWidth = 6
const gap = '  '

/** Shortens a text to `width` columns by removing its middle, since names often differ at their ends. */
export function cutMiddle(text: string, width: number): string {
  if (columnsOf(text) <= width) return text
  const parts = partsOf(text)
  const half = Math.floor((width - 1) / 2)
  const head: string[] = []
  const tail: string[] = []
  for (const part of parts) {
    if (widthOf([...head, part]) > width - 1 - half) break
    head.push(part)
  }
  for (const part of parts.toReversed()) {
    if (widthOf([part, ...tail]) > half) break
    tail.unshift(part)
  }
  return `${head.join('')}…${tail.join('')}`
}

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - columnsOf(text)))

/**
 * Returns the lines of a table. If it is wider than `columns`, the widest columns are cut in the middle. Texts of the
 * service lose characters that would control the terminal.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | null,
): readonly string[] {
  const lines = [head, ...rows.map((row) => row.map(oneLine))]
  const widths = head.map((_, index) =>
    lines.reduce((width, line) => Math.max(width, columnsOf(line[index] ?? '')), 0),
  )
  const total = (): number => widths.reduce((sum, width) => sum + width, gap.length * (head.length - 1))
  while (columns !== null && total() > columns) {
    const widest = Math.max(...widths)
    if (widest <= minWidth) break
    widths[widths.indexOf(widest)] = widest - 1
  }
  return lines.map((line) =>
    line
      .map((text, index) => padded(cutMiddle(text, widths[index] ?? 0), widths[index] ?? 0))
      .join(gap)
      .trimEnd(),
  )
}
