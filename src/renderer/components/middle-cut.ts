/** Characters at the end of a name that stay where it is cut, and of them those before its suffix. */
const kept = { atLeast: 8, beforeSuffix: 3 }
const suffix = /(?:\.[\p{L}\p{N}]{1,4})?\.[\p{L}\p{N}_-]{1,11}$/u

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
/** Letters and numbers: the others go in the direction of what they stand between. */
const directed = /[\p{L}\p{N}]/gu
const number = /\p{N}/u

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Whether the text reads the same in two pieces, each in the direction of the whole: none is cut that runs against it. */
function readsInPieces(text: string, at: number): boolean {
  const base = rightToLeft.test(/\p{L}/u.exec(text)?.[0] ?? '')
  const isAgainst = (sign: string | undefined): boolean =>
    sign !== undefined && (number.test(sign) || rightToLeft.test(sign) !== base)
  return !(
    isAgainst(text.slice(0, at).match(directed)?.at(-1)) && isAgainst(text.slice(at).match(directed)?.[0])
  )
}

/**
 * A text as its beginning, which may be cut, and its end, which stays; an empty one where it is short, or has no place
 * to divide it. `name`: what of the text, its beginning, has a suffix.
 */
export function dividedText(text: string, name = text): readonly [start: string, end: string] {
  const own = text.startsWith(name) ? name : text
  const [found = ''] = suffix.exec(own) ?? []
  const end = Math.max(kept.atLeast, found.length + kept.beforeSuffix)
  const wanted = own.length - end
  const segments = graphemes.segment(text)
  // Of a text in both directions the end is a little longer or shorter.
  const places = rightToLeft.test(text)
    ? [
        ...Array.from({ length: 13 }, (_, step) => wanted - step),
        ...Array.from({ length: end - found.length }, (_, step) => wanted + step + 1),
      ]
    : [wanted]
  for (const place of places) {
    if (place < kept.atLeast / 2) continue
    const at = segments.containing(place)?.index ?? 0
    if (at > 0 && at < own.length && (places.length === 1 || readsInPieces(text, at)))
      return [text.slice(0, at), text.slice(at)]
  }
  return [text, '']
}
