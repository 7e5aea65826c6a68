/** Piece of a word: literal text, or the value of a variable. */
type WordSegment = { readonly text: string } | { readonly variable: string }
export type Word = readonly WordSegment[]

/** Target of a command's output: `>` and `>>`, or `2>&1`. */
export interface Redirect {
  readonly from: 'stdout' | 'stderr'
  readonly to: { readonly path: Word; readonly append: boolean } | 'stdout' | 'stderr'
}

export interface SimpleCommand {
  /** Required result of the preceding command. */
  readonly after: 'anything' | 'success' | 'failure'
  readonly words: readonly Word[]
  readonly redirects: readonly Redirect[]
}

/** `if … then … elif … else … fi`. */
interface IfCommand {
  readonly after: SimpleCommand['after']
  readonly branches: readonly {
    readonly condition: readonly Statement[]
    readonly body: readonly Statement[]
  }[]
  readonly otherwise: readonly Statement[]
}
export type Statement = SimpleCommand | IfCommand

export type ParsedLine =
  | { readonly kind: 'commands'; readonly commands: readonly Statement[] }
  /** Error with the message of bash. */
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

/** Reads the word at the start of `text`. `length`: number of its characters. */
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
    if (rest.startsWith('#')) {
      position += rest.search(/\n|$/)
      continue
    }
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

const keywords = new Set(['if', 'then', 'elif', 'else', 'fi'])

/** Returns the keyword that a token is at the start of a command. */
function keywordOf(token: Token | undefined): string | undefined {
  if (token?.kind !== 'word') return undefined
  const [segment, ...more] = token.word
  const text = segment && 'text' in segment && more.length === 0 ? segment.text : ''
  return keywords.has(text) ? text : undefined
}

/** Parses statements up to a keyword in `until`, or to the end. */
function parseStatements(tokens: Token[], until: readonly string[]): Statement[] {
  const statements: Statement[] = []
  let after: SimpleCommand['after'] = 'anything'
  let words: Word[] = []
  let redirects: Redirect[] = []
  let isComplete = false
  const isEmpty = () => words.length === 0 && redirects.length === 0 && !isComplete
  const finish = () => {
    if (words.length > 0 || redirects.length > 0) statements.push({ after, words, redirects })
    words = []
    redirects = []
    isComplete = false
  }
  for (;;) {
    const keyword = isEmpty() ? keywordOf(tokens[0]) : undefined
    if (keyword !== undefined && until.includes(keyword)) break
    const token = tokens.shift()
    if (token === undefined) {
      if (until.length > 0) throw new ShellSyntaxError('syntax error: unexpected end of file')
      break
    }
    if (keyword === 'if') {
      statements.push(parseIf(tokens, after))
      isComplete = true
    } else if (keyword !== undefined) throw unexpected(keyword)
    else if (token.kind === 'separator') {
      if (isEmpty()) {
        // A command after && or || may follow on a later line.
        if (token.text === '\n') continue
        throw unexpected(token.text)
      }
      finish()
      after = token.after
    } else if (isComplete) throw unexpected(token.kind === 'word' ? 'word' : '>')
    else if (token.kind === 'word') words.push(token.word)
    else if (token.to) redirects.push({ from: token.from, to: token.to })
    else {
      const target = tokens.shift()
      if (target?.kind !== 'word') throw unexpected('newline')
      redirects.push({ from: token.from, to: { path: target.word, append: token.append } })
    }
  }
  if (isEmpty() && after !== 'anything') throw unexpected('newline')
  finish()
  if (until.length > 0 && statements.length === 0) throw unexpected(until[0] ?? 'fi')
  return statements
}

/** Parses the text after the keyword `if`. */
function parseIf(tokens: Token[], after: SimpleCommand['after']): IfCommand {
  const branches: IfCommand['branches'][number][] = []
  for (;;) {
    const condition = parseStatements(tokens, ['then'])
    tokens.shift()
    const body = parseStatements(tokens, ['elif', 'else', 'fi'])
    branches.push({ condition, body })
    const keyword = keywordOf(tokens.shift())
    if (keyword === 'fi') return { after, branches, otherwise: [] }
    if (keyword === 'else') break
  }
  const otherwise = parseStatements(tokens, ['fi'])
  tokens.shift()
  return { after, branches, otherwise }
}

/** Parses words, quotes, variables, `if`, `;`, `&&`, `||`, `>`, `>>`, `2>` and `2>&1` as bash does. Pure. */
export function parseLine(line: string): ParsedLine {
  try {
    const commands = parseStatements(tokenize(line), [])
    return { kind: 'commands', commands }
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error
    return { kind: 'error', message: error.message }
  }
}
