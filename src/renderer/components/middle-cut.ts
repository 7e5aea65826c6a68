/** Fewest characters at the end of a cut name. */
const minEnd = 8
/** Most characters at the end of a name that takes two lines. */
const maxSecondLine = 20
/** Characters before the suffix that stay visible. */
const beforeSuffix = 3
const suffix = /(?:\.[\p{L}\p{N}]{1,4})?\.[\p{L}\p{N}_-]{1,11}$/u

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
/** Letters and numbers; other characters take the direction of their neighbours. */
const directed = /[\p{L}\p{N}]/gu
const number = /\p{N}/u

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Checks that a division keeps the order of the text: no run against the base direction may be divided. */
function readsInPieces(text: string, at: number): boolean {
  const base = rightToLeft.test(/\p{L}/u.exec(text)?.[0] ?? '')
  const isAgainst = (sign: string | undefined): boolean =>
    sign !== undefined && (number.test(sign) || rightToLeft.test(sign) !== base)
  return !(
    isAgainst(text.slice(0, at).match(directed)?.at(-1)) && isAgainst(text.slice(at).match(directed)?.[0])
  )
}

/**
 * Divides a text into a start, which may be cut, and an end, which stays. The end is empty if the text is short or has
 * no safe division. `name`: the beginning of the text that has a suffix. `hasTwoLines`: the end has a line of its own.
 */
export function dividedText(
  text: string,
  name = text,
  hasTwoLines = false,
): readonly [start: string, end: string] {
  const own = text.startsWith(name) ? name : text
  const suffixLength = suffix.exec(own)?.[0].length ?? 0
  const ownLine = hasTwoLines ? Math.min(maxSecondLine, Math.floor(own.length / 2)) : 0
  const end = Math.max(minEnd, suffixLength + beforeSuffix, ownLine)
  const wanted = own.length - end
  const segments = graphemes.segment(text)
  // In a bidirectional text the division may move.
  const places = rightToLeft.test(text)
    ? [
        ...Array.from({ length: 13 }, (_, step) => wanted - step),
        ...Array.from({ length: end - suffixLength }, (_, step) => wanted + step + 1),
      ]
    : [wanted]
  for (const place of places) {
    if (place < minEnd / 2) continue
    const at = segments.containing(place)?.index ?? 0
    if (at > 0 && at < own.length && (places.length === 1 || readsInPieces(text, at)))
      return [text.slice(0, at), text.slice(at)]
  }
  return [text, '']
}

/** Most characters of a name in a sentence. */
const maxInSentence = 48
const longWord = /\S{49,}/gu

/** Cuts a name in its middle, so that `maxInSentence` characters are left. */
function shortName(name: string): string {
  const [all, end] = dividedText(name)
  const segments = [...graphemes.segment(all)].map(({ segment }) => segment)
  let start = ''
  for (const segment of segments) {
    if (start.length + segment.length + end.length >= maxInSentence) break
    start += segment
  }
  return `${start}…${end}`
}

/** Cuts the long names in a sentence in their middle. */
export const withShortNames = (sentence: string): string => sentence.replace(longWord, shortName)
