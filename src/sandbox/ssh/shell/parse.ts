/** A piece of a word: literal text, or the value of a variable. */
type WordSegment = { readonly text: string } | { readonly variable: string }
export type Word = readonly WordSegment[]

/** Where a command's output goes: `>` and `>>`, or `2>&1`. */
export interface Redirect {
  readonly from: 'stdout' | 'stderr'
  readonly to: { readonly path: Word; readonly append: boolean } | 'stdout' | 'stderr'
}

export interface SimpleCommand {
  /** The result of the preceding command that this one requires. */
  readonly after: 'anything' | 'success' | 'failure'
  readonly words: readonly Word[]
  readonly redirects: readonly Redirect[]
}

export type ParsedLine =
  | { readonly kind: 'commands'; readonly commands: readonly SimpleCommand[] }
  /** `message` in the words of bash. */
  | { readonly kind: 'error'; readonly message: string }

type Token =
  | { readonly kind: 'word'; readonly word: Word }
  | { readonly kind: 'separator'; readonly after: SimpleCommand['after']; readonly text: string }
  | {
      readonly kind: 'redirect'
      readonly from: Redirect['from']
      readonly append: boolean
      readonly to?: Redirect['from']
    }

class ShellSyntaxError extends Error {}

const separators = [
  ['&&', 'success'],
  ['||', 'failure'],
  [';', 'anything'],
  ['\n', 'anything'],
] as const
const redirect = /^(?:([12])?(>>?)(?:&([12]))?)/
const variable = /^\$(?:\{([A-Za-z_][A-Za-z0-9_]*|\?)\}|([A-Za-z_][A-Za-z0-9_]*|\?))/

const unexpected = (token: string) => new ShellSyntaxError(`syntax error near unexpected token \`${token}'`)
const unsupported = (what: string) => new ShellSyntaxError(`${what}: not part of the sandbox's shell`)

/** Reads the word at the start of `text`; `length` is its number of characters. */
function readWord(text: string): { word: Word; length: number } {
  const segments: WordSegment[] = []
  let literal = ''
  let position = 0
  let quote: '"' | "'" | undefined
  const push = (segment: WordSegment) => {
    if (literal) segments.push({ text: literal })
    literal = ''
    segments.push(segment)
  }
  if (/^~(?=[/\s;&|>]|$)/.test(text)) {
    push({ variable: 'HOME' })
    position = 1
  }
  for (; position < text.length; position += 1) {
    const rest = text.slice(position, position + 80)
    const character = rest.charAt(0)
    if (quote === "'") {
      if (character === quote) quote = undefined
      else literal += character
    } else if (character === '\\' && (!quote || /^\\["\\$`]/.test(rest))) {
      position += 1
      literal += text.charAt(position)
    } else if (character === '`' || rest.startsWith('$(')) {
      throw unsupported('command substitution')
    } else if (variable.test(rest)) {
      const [whole = '', braced, plain] = variable.exec(rest) ?? []
      push({ variable: braced ?? plain ?? '' })
      position += whole.length - 1
    } else if (character === quote) {
      quote = undefined
    } else if (!quote && (character === '"' || character === "'")) {
      quote = character
    } else if (!quote && /[\s;&|<>()]/.test(character)) {
      break
    } else {
      literal += character
    }
  }
  if (quote) throw new ShellSyntaxError(`unexpected EOF while looking for matching \`${quote}'`)
  if (literal || segments.length === 0) segments.push({ text: literal })
  return { word: segments, length: position }
}

function tokenize(line: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  while (position < line.length) {
    const rest = line.slice(position)
    const space = /^[^\S\n]+/.exec(rest)?.[0] ?? ''
    if (space) {
      position += space.length
      continue
    }
    if (rest.startsWith('#')) break
    const separator = separators.find(([text]) => rest.startsWith(text))
    const arrow = redirect.exec(rest)
    if (separator) {
      tokens.push({ kind: 'separator', text: separator[0], after: separator[1] })
      position += separator[0].length
    } else if (arrow) {
      const [whole, from, sign, to] = arrow
      tokens.push({
        kind: 'redirect',
        from: from === '2' ? 'stderr' : 'stdout',
        append: sign === '>>',
        ...(to ? { to: to === '2' ? ('stderr' as const) : ('stdout' as const) } : {}),
      })
      position += whole.length
    } else if (rest.startsWith('|')) {
      throw unsupported('pipes')
    } else if (rest.startsWith('&')) {
      throw unsupported('background jobs')
    } else if (rest.startsWith('<')) {
      throw unsupported('input from a file')
    } else if (/^[()]/.test(rest)) {
      throw unexpected(rest.charAt(0))
    } else {
      const { word, length } = readWord(rest)
      tokens.push({ kind: 'word', word })
      position += length
    }
  }
  return tokens
}

/** Words, quotes, variables, `;`, `&&`, `||`, `>`, `>>`, `2>` and `2>&1` of bash. Pure. */
export function parseLine(line: string): ParsedLine {
  try {
    const commands: SimpleCommand[] = []
    let after: SimpleCommand['after'] = 'anything'
    let words: Word[] = []
    let redirects: Redirect[] = []
    const finish = () => {
      if (words.length > 0 || redirects.length > 0) commands.push({ after, words, redirects })
      words = []
      redirects = []
    }
    const tokens = tokenize(line).values()
    for (const token of tokens) {
      if (token.kind === 'word') words.push(token.word)
      else if (token.kind === 'redirect') {
        if (token.to) {
          redirects.push({ from: token.from, to: token.to })
          continue
        }
        const target = tokens.next().value
        if (target?.kind !== 'word') throw unexpected('newline')
        redirects.push({ from: token.from, to: { path: target.word, append: token.append } })
      } else {
        if (words.length === 0 && redirects.length === 0 && token.text !== '\n') throw unexpected(token.text)
        finish()
        after = token.after
      }
    }
    if (words.length === 0 && redirects.length === 0 && after !== 'anything') throw unexpected('newline')
    finish()
    return { kind: 'commands', commands }
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error
    return { kind: 'error', message: error.message }
  }
}
