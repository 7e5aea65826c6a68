import { fonts, sizes } from '../../platform/theme'
import { widestText } from '../charts/text-width'

/** Names that are measured: the widest name has one of the highest numbers of characters. */
const measuredNames = 8
/** Padding of the first cell of a row, in pixels. */
const padding = 20

/** Returns the width that a column needs to show every name whole, in pixels. Measures few names of many. */
export function longestName(names: readonly string[]): number {
  const longest = names.toSorted((left, right) => right.length - left.length).slice(0, measuredNames)
  return longest.length === 0 ? 0 : padding + widestText(longest, `500 ${String(sizes.body)}px ${fonts.text}`)
}
