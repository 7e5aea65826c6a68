import { withoutDepths } from './limit-depth'

const tryJson = (text: string): { readonly json: unknown } | null => {
  try {
    const json: unknown = JSON.parse(text)
    return { json }
  } catch {
    return null
  }
}

/** Escaped characters and quotes are matched too, to skip the contents of strings. */
const nonJsonNumbers = /\\[^]|"|-?\b(?:NaN|Infinity)\b/g

/** Replaces bare NaN and Infinity with null. Linear in the length of the text, however malformed it is. */
const withoutNonJsonNumbers = (text: string): string => {
  let isInString = false
  return text.replace(nonJsonNumbers, (matched) => {
    if (matched === '"') isInString = !isInString
    return isInString || matched === '"' || matched.startsWith('\\') ? matched : 'null'
  })
}

/** Nesting depth from which a text is not parsed: V8 needs seconds for millions of levels and blocks the process. */
const maxParsedDepth = 100_000

const character = { quote: 34, backslash: 92, openList: 91, closeList: 93, openObject: 123, closeObject: 125 }

/** Whether a text has more than `most` opening brackets, including those inside strings. */
function opensMore(text: string, most: number): boolean {
  let count = 0
  for (const bracket of ['[', '{'])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > most) return true
    }
  return false
}

function isTooDeep(text: string): boolean {
  // Counting brackets first is cheap and settles every ordinary text.
  if (!opensMore(text, maxParsedDepth)) return false
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === character.quote) isInString = !isInString
    else if (isInString) {
      if (code === character.backslash) at += 1
    } else if (code === character.openList || code === character.openObject) {
      depth += 1
      if (depth > maxParsedDepth) return true
    } else if (code === character.closeList || code === character.closeObject) depth -= 1
  }
  return false
}

/**
 * Parses JSON, including bare NaN and Infinity, as Python writes them. Replaces deeply nested values with `…`.
 * Returns null if the text is not JSON or exceeds the maximum depth.
 */
export const parseJson = (text: string): { readonly json: unknown } | null => {
  if (isTooDeep(text)) return null
  const parsed = tryJson(text) ?? tryJson(withoutNonJsonNumbers(text))
  return parsed && { json: withoutDepths(parsed.json) }
}
