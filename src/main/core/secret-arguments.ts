import { secretMask } from '#shared/secret-mask'

const quotedText = String.raw`"(?:\\[\s\S]|[^"\\])*"|'[^']*'`
/** Word of a shell command, which ends at an operator. */
const word = String.raw`(?:${quotedText}|\\.|\$\([^()\n]*\)|[^\s"'|;&()<>\\])+`
/** Commands of a script, and the operators and unbalanced quotes between them. A backslash continues a line. */
const parts = new RegExp(String.raw`(?:${quotedText}|\\[\s\S]|[^\n"'|;&\\])+|\|\||&&|[\s\S]`, 'g')
const quotedCommand = /"(?:\\[\s\S]|[^"\\])*\s(?:\\[\s\S]|[^"\\])*"|'[^']*\s[^']*'/g

/** Secrets after a program whose options do not name them: short options and operands. */
const programs: readonly (readonly [program: RegExp, argument: RegExp])[] = [
  [/\bsshpass(?:\s+-[^\sp]\S*)*(?=\s)/, new RegExp(String.raw`^(\s+-p\s*)${word}`)],
  // As of docker and az. `login` may also be a host of ssh.
  [/(?<!\b(?:ssh|mosh)(?:\s+-\S+){0,3})\slogin(?=\s)/, new RegExp(String.raw`(\s-p[\s=]*)${word}`)],
  // With a space, mysql reads the name of a database. Docker has ports there.
  [/\b(?:mysql|mariadb)[\w-]*(?=\s)/, new RegExp(String.raw`(\s-p(?=\S)(?!\d+:\d+(?:\s|$)))${word}`)],
  [/\buser(?:add|mod)(?=\s)/, new RegExp(String.raw`(\s-p\s*)${word}`)],
  [/\bopenssl\s+passwd(?=\s)/, new RegExp(String.raw`(\s+(?!-))${word}`, 'g')],
  [
    /\bhtpasswd(?=(?:\s+\S+)*\s+-[A-Za-z]*b)/,
    new RegExp(String.raw`((?<![>\s])\s+)${word}(?=\s*(?:[)>]|$))`),
  ],
  [
    /\bcurl(?=\s)/,
    /(\s(?:-\w*[uU]|--(?:proxy-)?user)[\s=]*(?:"[^":]+:(?=[^"]+")|'[^':]+:(?=[^']+')|[^\s:"']+:))(?:(?<="[^":]*:)[^"]+|(?<='[^':]*:)[^']+|\S+)/g,
  ],
]

/** Programs that read a password from their input; chpasswd reads `user:password`. */
const pairReader = /\bchpasswd\b/
const secretReader =
  /^\W*(?:(?:sudo|(?:arch-)?chroot|then|do|else)\s(?:[^\n]*\s)?)?(?:[\w./-]*\/)?(?:smb)?passwd\b|\bsudo\s+(?:-\S+\s+)*-\w*S\b|\s--(?:[\w-]*(?:pass\w*|token|secret)-stdin|with-token)\b/
const printedPair = /(\b(?:echo|printf)\s+(?:-\w+\s+)*["']?[^\s:"']+:)[\s\S]*?(["']?[\s)}]*)$/
const printedText = /(\b(?:echo|printf|yes)\s+(?:-\w+\s+)*)[\s\S]*?([\s)}]*)$/
const hereString = new RegExp(String.raw`(<<<[ \t]*)${word}`)
const herePair = /(<<<[ \t]*["']?[^\s:"']+:)(?:(?<="[^"]*)[^"]+|(?<='[^']*)[^']+|[^\s"']+)/

/** Masks the output of the commands before a pipe: all of the pipeline, and a group in brackets. */
function maskOutput(script: string[], pipe: number, printed: RegExp): void {
  let isGroup = false
  for (let at = pipe - 1; at >= 0; at -= 1) {
    const part = script[at] ?? ''
    if (!isGroup && (/^[;&\n]/.test(part) || part === '||')) return
    isGroup = isGroup ? !/^\s*[({]/.test(part) : /[)}]\s*$/.test(part) && !/^\s*[({]/.test(part)
    script[at] = part.replace(printed, `$1${secretMask}$2`)
  }
}

/** Returns whether the command in a line of a script reads a secret, or pairs of users and secrets. Pure. */
export function readsSecret(line: string): 'secret' | 'pair' | null {
  if (pairReader.test(line)) return 'pair'
  return (line.match(parts) ?? []).some((part) => secretReader.test(part)) ? 'secret' : null
}

/** Masks secrets that programs receive as arguments without names, or as input. Pure. */
export function withoutArguments(text: string): string {
  const script: string[] = text.match(parts) ?? []
  for (const [at, part] of script.entries()) {
    const inner = part.replace(quotedCommand, (quoted) => {
      const quote = quoted.slice(0, 1)
      return quote + withoutArguments(quoted.slice(1, -1)) + quote
    })
    script[at] = programs.reduce((command, [program, argument]) => {
      const found = program.exec(command)
      const end = found ? found.index + found[0].length : command.length
      return command.slice(0, end) + command.slice(end).replace(argument, `$1${secretMask}`)
    }, inner)
    const isPair = pairReader.test(part)
    if (!isPair && !secretReader.test(part)) continue
    script[at] = script[at].replace(isPair ? herePair : hereString, `$1${secretMask}`)
    if (script[at - 1] === '|') maskOutput(script, at - 1, isPair ? printedPair : printedText)
  }
  return script.join('')
}
