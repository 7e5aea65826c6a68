import { withoutDepths } from './limit-depth'

const tryJson = (text: string): { readonly json: unknown } | null => {
  try {
    const json: unknown = JSON.parse(text)
    return { json }
  } catch {
    return null
  }
}

/** Escaped characters and quotes are matched too, so that nothing within strings is taken for a number. */
const strangeNumbers = /\\[^]|"|-?\b(?:NaN|Infinity)\b/g

/** One step a character, however long and broken the text is: a pattern for whole strings would try each again. */
const withoutStrangeNumbers = (text: string): string => {
  let isInString = false
  return text.replace(strangeNumbers, (matched) => {
    if (matched === '"') isInString = !isInString
    return isInString || matched === '"' || matched.startsWith('\\') ? matched : 'null'
  })
}

/** Levels beyond which nothing is parsed: V8 takes seconds for millions of them, in which nothing else happens. */
const deepestParsed = 100_000

const character = { quote: 34, backslash: 92, openList: 91, closeList: 93, openObject: 123, closeObject: 125 }

/** Whether a text has more opening brackets than so many, those within its strings too. */
function opensMore(text: string, most: number): boolean {
  let count = 0
  for (const bracket of ['[', '{'])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > most) return true
    }
  return false
}

/** Whether a text opens more lists and objects at once than are parsed, whatever it is otherwise. */
function isTooDeep(text: string): boolean {
  // Next to nothing in a text that means something, which has far fewer brackets: no character is looked at.
  if (!opensMore(text, deepestParsed)) return false
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === character.quote) isInString = !isInString
    else if (isInString) {
      if (code === character.backslash) at += 1
    } else if (code === character.openList || code === character.openObject) {
      depth += 1
      if (depth > deepestParsed) return true
    } else if (code === character.closeList || code === character.closeObject) depth -= 1
  }
  return false
}

/**
 * JSON, also as Python and others write it by default: a measurement that is no number stands there as a bare NaN.
 * `…` stands where values are nested too deep to be meant; null: it is no JSON, or nested beyond all measure.
 */
export const parseJson = (text: string): { readonly json: unknown } | null => {
  if (isTooDeep(text)) return null
  const parsed = tryJson(text) ?? tryJson(withoutStrangeNumbers(text))
  return parsed && { json: withoutDepths(parsed.json) }
}
