import { secretMask } from '#shared/secret-mask'

/** Input of a program: a secret, or lines of `user:secret`. */
type Input = 'secret' | 'pair' | null

/** Words of a simple command as places in the list of tokens. */
interface Command {
  words: number[]
  hereStrings: number[]
  input: Input
  output: Input
}

/** Texts in quotes, substitutions and here-documents are read as scripts this many times. Bounds the time. */
const maximumDepth = 4
const operator = /^(?:[;|&\n()`#]|\|\||&&|\|&)$/
/** Words that begin and end groups of commands, as brackets do. */
const groupWord = /^(?:[{}]|do|done)$/
const redirection = /^&?[<>]/
const prefix =
  /^(?:sudo|doas|env|nohup|time|exec|command|if|while|then|else|!|-|RUN|sh|(?:ba|z|da)sh|-[\w-]+|\w+=.*)$/s
const registries = /^(?:docker|podman|nerdctl|buildah|skopeo|oras|helm|az)$/

/** Programs, and their options before a secret, which do not name it. */
const options: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^sshpass$/, /^-p/],
  [/^login$/, /^-p=?/],
  // With a space, mysql reads the name of a database. Docker has ports there.
  [/^(?:mysql(?!-)|mariadb(?!-\d))[\w-]*$/, /^-p(?=.)(?!(?:[\d.]+:)?\d+:\d+(?:\/\w+)?$)/],
  [/^user(?:add|mod)$/, /^-p/],
  [/^redis-cli$/, /^-a/],
  [/^(?:un)?zip$/, /^-P/],
  [/^curl$/, /^(?:-\w*[uU]|--(?:proxy-)?user(?:=|$))/],
]

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

/** End of a text in quotes or of a substitution, or -1. */
function endOfGroup(text: string, start: number): number {
  const opening = text[start]
  if (opening === "'") return text.indexOf("'", start + 1)
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (opening !== '(' && character === opening && at > start) return at
    else if (opening === '(' && character === '(') depth += 1
    else if (opening === '(' && character === ')' && (depth -= 1) === 0) return at
  }
  return -1
}

/**
 * End of a word. Once a group is found open, its quote is a usual character and another opening ends the word: the text is
 * not searched again.
 */
function endOfWord(text: string, start: number, open: Set<string>): number {
  let at = start
  while (at < text.length) {
    const character = text[at] ?? ''
    const isSubstitution = character === '(' && at > start && text[at - 1] === '$'
    if ((isSubstitution || /["'`]/.test(character)) && !open.has(character)) {
      const end = endOfGroup(text, at)
      if (end < 0) {
        open.add(character)
        continue
      }
      at = end
    } else if (character === '\\' && text[at + 1] !== '\n') at += 1
    else if (/[\s;|&()<>\\`]/.test(character)) break
    at += 1
  }
  return Math.min(Math.max(at, start + 1), text.length)
}

/** Body of a here-document from the start of a line, or null. */
function endOfDocument(
  text: string,
  start: number,
  name: string,
  lastLines: ReadonlyMap<string, number>,
): number | null {
  if ((lastLines.get(name) ?? -1) < start) return null
  let at = start
  while (at < text.length) {
    const end = endOfLine(text, at)
    if (text.slice(at, end).trim() === name) return at
    at = end + 1
  }
  return null
}

const unquoted = (word: string): string => word.replaceAll(/["'\\]/g, '')
/** Name without its folder and without an opening quote: the text may be cut. */
const baseName = (word: string): string => word.slice(word.lastIndexOf('/') + 1).replace(/^["']/, '')
const isInputOption = (word: string): boolean =>
  word === '--with-token' || (/^--[\w-]*-stdin$/.test(word) && /pass|token|secret/.test(word))

/** Masks what follows the colon, within quotes around the word. */
function maskedPair(word: string): string {
  const colon = word.indexOf(':')
  const quote = /^["']/.exec(word)?.[0] ?? ''
  if (colon < 0) return secretMask
  return word.slice(0, colon + 1) + secretMask + (quote !== '' && word.endsWith(quote) ? quote : '')
}

const maskedWord = (word: string, input: Input): string => (input === 'pair' ? maskedPair(word) : secretMask)

const maskedInput = (lines: string, input: Input): string =>
  input === 'pair'
    ? lines.replace(/^([^:\n]+:).+$/gm, `$1${secretMask}`)
    : lines.replace(/^([ \t]*)\S.*$/gm, `$1${secretMask}`)

class Script {
  private readonly tokens: string[] = []
  private readonly parts: (Command | string)[] = []
  private readonly bodies: { at: number; command: Command }[] = []
  private readonly openBodies: { at: number; command: Command }[] = []

  constructor(
    text: string,
    private readonly depth: number,
    private readonly isSecretName: (name: string) => boolean,
  ) {
    this.read(text)
  }

  /** Splits the text into words, blanks, operators and here-documents. */
  private read(text: string): void {
    const lastLines = new Map<string, number>()
    let lineStart = 0
    for (const line of text.split('\n')) {
      lastLines.set(line.trim(), lineStart)
      lineStart += line.length + 1
    }
    const whole = { text, open: new Set<string>() }
    // Quotes in a comment, such as `# don't`, end with its line.
    let comment: typeof whole | null = null
    const token = /(?:[^\S\n]|\\\n)+|\n|\|\||&&|\|&|[<>]+&?-?|&>+|[;|&()]/y
    let command: Command = { words: [], hereStrings: [], input: null, output: null }
    let pending: { name: string; command: Command }[] = []
    let last = ''
    for (let at = 0; at < text.length;) {
      token.lastIndex = at
      if (text[at] === '#') comment ??= { text: text.slice(0, endOfLine(text, at)), open: new Set() }
      const scope = comment ?? whole
      const end = token.test(text) ? token.lastIndex : endOfWord(scope.text, at, scope.open)
      const word = text.slice(at, end)
      const place = this.tokens.push(word) - 1
      at = end
      if (/^(?:[^\S\n]|\\\n)/.test(word)) continue
      if (redirection.test(word) && command.words.at(-1) === place - 1 && /^\d+$/.test(last))
        command.words.pop()
      const isOperator = operator.test(word) || (command.words.length === 0 && groupWord.test(word))
      if (isOperator) {
        if (command.words.length > 0) {
          this.parts.push(command)
          command = { words: [], hereStrings: [], input: null, output: null }
        }
        this.parts.push(word)
      } else if (/^<<-?$/.test(last)) pending.push({ name: unquoted(word), command })
      else if (!redirection.test(word) && !/^[<>&]/.test(last)) command.words.push(place)
      else if (last === '<<<') command.hereStrings.push(place)
      last = isOperator ? '' : word
      if (word !== '\n') continue
      comment = null
      for (const { name, command: reader } of pending) {
        const bodyEnd = endOfDocument(text, at, name, lastLines)
        if (bodyEnd === null) {
          this.openBodies.push({ at: this.tokens.length, command: reader })
          continue
        }
        this.bodies.push({ at: this.tokens.push(text.slice(at, bodyEnd)) - 1, command: reader })
        at = bodyEnd
        const next = endOfLine(text, at)
        this.tokens.push(text.slice(at, next))
        at = next
      }
      pending = []
    }
    this.parts.push(command)
  }

  private word(place: number | undefined): string {
    return place === undefined ? '' : (this.tokens[place] ?? '')
  }

  private mask(place: number | undefined, input: Input = 'secret'): void {
    if (place !== undefined) this.tokens[place] = maskedWord(this.word(place), input)
  }

  /** Place of the program among the words of a command. */
  private programOf(words: readonly number[]): number {
    let at = 0
    while (at < words.length) {
      const word = baseName(this.word(words[at]))
      if (/^(?:arch-)?chroot$/.test(word)) at += 2
      else if (/^-[ugpCrT]$/.test(word) && at > 0) at += 2
      else if (prefix.test(word)) at += 1
      else break
    }
    return at
  }

  private inputOf({ words }: Command): Input {
    const at = this.programOf(words)
    const texts = words.map((place) => this.word(place))
    const line = texts.join(' ')
    // It may run on another machine: `ssh host chpasswd`.
    if (/(?<![\w.-])chpasswd(?![\w.:-])/.test(line)) return 'pair'
    if (/(?<![\w.-]|getent |etc\/)(?:smb|vnc)?passwd(?![\w.:/-])/.test(line)) return 'secret'
    const before = texts.slice(0, at)
    const isSudo = before.includes('sudo') && before.some((text) => /^-\w*S/.test(text))
    return isSudo || texts.some(isInputOption) ? 'secret' : null
  }

  private maskOptions(words: readonly number[]): void {
    const texts = words.map((place) => this.word(place))
    const names = texts.map(baseName)
    const registry = names.findIndex((name) => registries.test(name))
    for (const [program, option] of options) {
      const start = names.findIndex(
        (name, at) => program.test(name) && (name !== 'login' || (registry >= 0 && registry < at)),
      )
      for (let at = start + 1; start >= 0 && at < words.length; at += 1) {
        const text = texts[at] ?? ''
        const found = option.exec(text)?.[0]
        const isSshpass = names[start] === 'sshpass'
        if (isSshpass && found === undefined && !text.startsWith('-')) break
        if (found === undefined) continue
        const place = text === found ? words[at + 1] : words[at]
        const value = text === found ? this.word(place) : text.slice(found.length)
        if (names[start] === 'curl' && !value.includes(':')) continue
        if (place === undefined) continue
        const masked = names[start] === 'curl' ? maskedPair(value) : secretMask
        this.tokens[place] = text === found ? masked : found + masked
        at += text === found ? 1 : 0
      }
    }
  }

  private maskOperands(words: readonly number[]): void {
    const texts = words.map((place) => this.word(place))
    const names = texts.map(baseName)
    const after = (program: string, action: string): number =>
      names.findIndex((name, at) => name === program && names[at + 1] === action)
    const hash = after('openssl', 'passwd')
    if (hash >= 0)
      for (const place of words.slice(hash + 2)) if (!this.word(place).startsWith('-')) this.mask(place)
    const login = after('wandb', 'login')
    for (let at = login + 2; login >= 0 && at < words.length; at += 1)
      if (!texts[at]?.startsWith('-') && texts[at - 1] !== '--host') this.mask(words[at])
    const htpasswd = names.indexOf('htpasswd')
    if (htpasswd >= 0 && texts.slice(htpasswd).some((text) => /^-\w*b/.test(text))) this.mask(words.at(-1))
    const name = texts.indexOf('--name')
    const value = texts.indexOf('--value')
    if (name >= 0 && value >= 0 && this.isSecretName(baseName(unquoted(texts[name + 1] ?? ''))))
      this.mask(words[value + 1])
  }

  /** Finds what reads the output of each command, from the last to the first: pipes, and groups before pipes. */
  private connect(): void {
    const groups: Input[] = []
    let group: Input = null
    let output: Input = null
    let reader: Input = null
    for (const part of this.parts.toReversed()) {
      if (typeof part !== 'string') {
        part.output = output
        part.input = this.inputOf(part)
        reader = part.input ?? output
      } else if (part === '|' || part === '|&') output = reader
      else if (/^(?:[)}]|done)$/.test(part)) {
        groups.push(group)
        group = output
      } else {
        if (/^(?:[({]|do)$/.test(part)) group = groups.pop() ?? null
        output = group
      }
    }
  }

  private inner(text: string): string {
    return this.depth >= maximumDepth ? text : new Script(text, this.depth + 1, this.isSecretName).masked()
  }

  masked(): string {
    this.connect()
    for (const part of this.parts) {
      if (typeof part === 'string') continue
      for (const place of part.words) {
        const [, start = '', text = '', end = ''] =
          /^((?:[^"'`$(]|\$(?!\())*(?:["'`]|\$\())([\s\S]*)(["'`)][^"'`)]*)$/.exec(this.word(place)) ?? []
        if (/\s/.test(text)) this.tokens[place] = start + this.inner(text) + end
      }
      const input = part.input
      if (input !== null) for (const place of part.hereStrings) this.mask(place, input)
      const printer = part.words.findIndex((place) =>
        /^(?:echo|printf|yes)$/.test(baseName(this.word(place))),
      )
      if (part.output !== null && printer >= 0)
        for (const place of part.words.slice(printer + 1))
          if (!/^-\w+$/.test(this.word(place))) this.mask(place, part.output)
      if (part.words.length < 2) continue
      this.maskOptions(part.words)
      this.maskOperands(part.words)
    }
    for (const { at, command } of this.bodies) {
      const input = command.input ?? command.output
      const body = this.tokens[at] ?? ''
      this.tokens[at] = input === null ? this.inner(body) : maskedInput(body, input)
    }
    const { at, command } =
      this.openBodies.find((body) => (body.command.input ?? body.command.output) !== null) ?? {}
    const input = command?.input ?? command?.output ?? null
    const rest = this.tokens.splice(at ?? this.tokens.length).join('')
    return this.tokens.join('') + (input === null ? rest : maskedInput(rest, input))
  }
}

/** Masks secrets that programs receive as arguments without names, or as input. Takes linear time. Pure. */
export const withoutArguments = (text: string, isSecretName: (name: string) => boolean): string =>
  new Script(text, 0, isSecretName).masked()
