import { secretMask } from '#shared/secret-mask'
import { withoutArguments } from './secret-arguments'

/** Option or variable whose name contains, or ends with, a word that means that its value is secret. */
const secretName = String.raw`(?:[\w.-]{0,100}(?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|token|credential|auth(?!or))[\w.-]{0,100}|(?:[\w.-]{0,100}[_-])?(?:pass|pwd|(?:hf|wandb|kaggle|private|encryption|signing)[_-]key))`
const wholeSecretName = new RegExp(`^${secretName}$`, 'i')
const word = String.raw`(?:"[^"]*"|'[^']*'|\\[\s\S]|\$\([^()\n]*\)|\S)+`
/** Commands whose next words are a name and its value, and a line of .netrc. */
const setter = String.raw`(?:setenv|set(?:[ \t]+-[\w-]+)+|ENV|config(?:ure[ \t]+set)?(?:[ \t][^\n;|&]{0,40})?)[ \t:]`
/** `--name value`, `NAME=value`, `name = value`, `name: value` and `setenv NAME value`. */
const secretValue = new RegExp(
  String.raw`(^|\s|[\x60"'(;&|](?=set(?:env)?\s))(-{1,2}${secretName}(?=\s|\\\n)|${setter}${secretName}(?=\s)|password(?=[ \t])(?<=(?:^|\n)\s*password)|-{0,2}(?:${secretName}|sshpass)(?=[ \t]*=|:))(=(?!=\s)|[ \t]+=[ \t]*(?=[^\s=])|:\s*|(?:\s|\\\n)+(?=[^-\s|<>&;=:\\]|\\[^\n]))(${word})`,
  'gi',
)
/** Assignment after another character, as in `--env=TOKEN=x` and `https://host/?token=x`. */
const innerValue = new RegExp(
  String.raw`([{,;&|?(${'`'}]|:(?=_)|=(?=[^\s=:]{1,100}=))(${secretName})(=|:\s*)([^\s"'&;,})]+|${word})`,
  'gi',
)
/** Assignment or header in quotes, as in `-e "TOKEN=x"`. Ends at the quote or with the line. */
const quotedValue = new RegExp(String.raw`(["'])(-{0,2}${secretName})(=|:\s*)((?:\\.|(?!\1)[^\\\n])+)`, 'gi')
/** Field of JSON, YAML or a Python dictionary. */
const fieldValue = new RegExp(
  String.raw`(["'])(${secretName})(\1(?:\s*:\s*|\][ \t]*=[ \t]*(?!=)))("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s,}\]]+)`,
  'gi',
)
/** Secrets in kaggle.json and .netrc, and for wandb in Python, which have usual names. */
const neighborValue =
  /("username"\s*:\s*"[^"]*"\s*,\s*"key"\s*:\s*|\blogin\s+\S+\s+password\s+|\bwandb\.login\(\s*(?:key\s*=\s*)?(?=["']))(?:"[^"]*"|'[^']*'|\S+)/g
/**
 * Forms of well-known tokens: Hugging Face, OpenAI, GitHub, GitLab, NVIDIA, Slack, Weights & Biases (40 hexadecimal digits),
 * AWS, JWT.
 */
const knownToken =
  /\b(?:hf_[A-Za-z0-9]{10,}|sk-[\w-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|nvapi-[\w-]{16,}|xox[abprs]-[\w-]{8,}|npm_[A-Za-z0-9]{20,}|AKIA[A-Z0-9]{12,}|(?<!-)eyJ[\w-]{10,}\.[\w-]+\.[\w-]*|[0-9a-f]{40,})\b/g
/** HTTP header; `ps` prints arguments without their quotes. */
const authorization = /\b(authorization(?::\s*|=|\s+)(?:(?:bearer|basic|token)\s+)?)[^\s"']+/gi
const urlPassword = /(\b\w+:\/\/[^\s/:@]*:)[^\s/]+@/g
/** Token in place of a user, as in `https://token@host` and `https://token:x-oauth-basic@host`. */
const urlToken = /(\bhttps?:\/\/)[^\s/:@]+(?=(?::(?:x-oauth-basic)?)?@)/g
/** Field in a line of YAML or JSON. A dash begins an entry of a list. */
const field = /^([ \t]*(?:-[ \t]+)*)["']?([\w.-]+)["']?[ \t]*:(?:[ \t]+|(?=["'])|$)(.*)$/
const flatObject = /\{[^{}]*\}/g
const nameInObject = /(?<![\w.-])["']?(?:name|key)["']?\s*[:=]\s*["']?([\w./-]+)/i
const valueInObject =
  /((?<![\w.-])["']?value["']?\s*[:=]\s*)("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s,}"']+)/i
const privateKey =
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g

/** Options such as `--max-tokens 512`, `--token-file x`, `lock_passwd: false` and `secret: {` hold no secret. */
const isHarmless = (name: string, value: string): boolean =>
  /tokens$|tokeniz|token_?ids?$|(?:file|path|dir|type|len|length|size|count|limit|stdin|helper)$|^chpasswd$/i.test(
    name,
  ) || /^(?:true|false|null|login)[,}]*$/i.test(value)

const isSecretName = (name: string): boolean => wholeSecretName.test(name) && !isHarmless(name, '')

const maskedValue = (
  whole: string,
  before: string,
  name: string,
  separator: string,
  value: string,
): string => {
  const isStructure = separator.includes(':') && /^(?:\{(?!\w+\}.)|[|>][-+\d]*$)/.test(value)
  const isComparison =
    /^\s?$/.test(before) && separator === '=' && value.startsWith('=') && !/^(?:-|[A-Z\d_]+$)/.test(name)
  return isStructure || isComparison || isHarmless(name, value)
    ? whole
    : `${before}${name}${separator}${secretMask}`
}

/** Lists in which one field names a secret and another holds it, as in Kubernetes, and text below the name of a secret. */
function withoutFields(text: string): string {
  const lines = text.split('\n')
  const entries: { column: number; isSecret: boolean; value: number }[] = []
  let block: { column: number } | null = null
  const hideBelow = (at: number, column: number): void => {
    for (let below = at + 1; below < lines.length; below += 1) {
      const line = lines[below] ?? ''
      if (line.trim() !== '' && line.search(/\S/) <= column) return
      lines[below] = line.replace(/^([ \t]*)\S.*$/, `$1${secretMask}`)
    }
  }
  const hide = (at: number): void => {
    const [, start = '', name = '', value = ''] = field.exec(lines[at] ?? '') ?? []
    if (/^[|>][-+\d]*$/.test(value)) hideBelow(at, start.length)
    else if (name !== '' && value !== '')
      lines[at] = (lines[at] ?? '').slice(0, -value.length) + secretMask + (value.endsWith(',') ? ',' : '')
  }
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    if (block !== null && line.search(/\S/) <= block.column) block = null
    if (block !== null)
      lines[at] = line
        .replace(/^([ \t]*(?:-[ \t]+)?["']?[^\s:"'{}]+:)[^\s:].*$/, `$1${secretMask}`)
        .replace(/(\blist["']?[ \t]*:[ \t]*)[^\s|>][^\n}]*/, `$1${secretMask}`)
    const found = field.exec(line)
    if (!found) continue
    const [, start = '', name = '', value = ''] = found
    const column = start.length
    if (name === 'chpasswd') {
      block = { column: line.search(/\S/) }
      lines[at] = line.replace(/(\blist["']?[ \t]*:[ \t]*)[^\s|>][^\n}]*/, `$1${secretMask}`)
    }
    while (entries.length > 0 && (entries.at(-1)?.column ?? 0) >= column + (start.includes('-') ? 0 : 1))
      entries.pop()
    let entry = entries.at(-1)
    if (entry?.column !== column) {
      entry = { column, isSecret: false, value: -1 }
      entries.push(entry)
    }
    const plain = value.replaceAll(/["',]/g, '').trim()
    if (/^(?:name|key)$/i.test(name) && isSecretName(plain.slice(plain.lastIndexOf('/') + 1)))
      entry.isSecret = true
    if (/^value$/i.test(name)) entry.value = at
    if (entry.isSecret && entry.value >= 0) {
      hide(entry.value)
      entry.value = -1
    }
    if (isSecretName(name) && /^[|>][-+\d]*$/.test(value)) hideBelow(at, column)
  }
  return lines.join('\n').replace(flatObject, (object) => {
    const name = nameInObject.exec(object)?.[1] ?? ''
    return isSecretName(name.slice(name.lastIndexOf('/') + 1))
      ? object.replace(valueInObject, `$1${secretMask}`)
      : object
  })
}

/** Masks secrets of several lines, and those without names. The number of lines stays. */
const withoutBlocks = (text: string): string =>
  withoutArguments(
    withoutFields(text.replace(privateKey, (key) => secretMask + '\n'.repeat(key.split('\n').length - 1))),
    isSecretName,
  )

/** Masks values after names in a line. */
const withoutValues = (line: string): string =>
  line
    .replace(quotedValue, maskedValue)
    .replace(fieldValue, maskedValue)
    .replace(secretValue, maskedValue)
    .replace(innerValue, maskedValue)
    .replace(neighborValue, `$1${secretMask}`)
    .replace(authorization, `$1${secretMask}`)
    .replace(urlToken, `$1${secretMask}`)
    .replace(urlPassword, `$1${secretMask}@`)
    .replace(knownToken, secretMask)

/** Masks values in a command line that look secret. Takes linear time. Pure. */
export const maskedCommand = (command: string): string => withoutValues(withoutBlocks(command))

/** Masks values in the lines of a script that look secret. The number of lines stays. Pure. */
export const maskedScript = (script: string): string =>
  withoutBlocks(script)
    .split(/(?<!\\)\n/)
    .map((line) => (line === '' ? line : withoutValues(line)))
    .join('\n')
