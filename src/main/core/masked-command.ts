import { secretMask } from '#shared/secret-mask'
import { readsSecret, withoutArguments } from './secret-arguments'

/** Option or variable whose name contains, or ends with, a word that means that its value is secret. */
const secretName = String.raw`(?:[\w.-]*(?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|token|credential|auth(?!or))[\w.-]*|(?:[\w.-]*[_-])?(?:pass|pwd|(?:hf|wandb|private|encryption|signing)[_-]key))`
const quotedText = String.raw`"(?:\\[\s\S]|[^"\\])*"|'[^']*'`
const word = String.raw`(?:${quotedText}|\\.|\S)+`
const secretValue = new RegExp(
  String.raw`(^|\s)(-{0,2}${secretName})(=|(?:\s|\\\n)+(?=[^-\s|<>&;\\])|:\s*)(${word})`,
  'gi',
)
/** Assignment after another character, as in `--env=TOKEN=x` and `https://host/?token=x`. */
const innerValue = new RegExp(
  String.raw`([{,;&|?(${'`'}]|=(?=[^\s=:]*=))(${secretName})(=|:\s*)([^\s"'&;,})]+|${word})`,
  'gi',
)
/** Assignment or header in quotes, as in `-e "TOKEN=x"`. */
const quotedValue = new RegExp(
  String.raw`(["'])(-{0,2}${secretName})(=|:\s*)((?:\\.|(?!\1)[^\\\n])+)(?=\1)`,
  'gi',
)
/** Field of JSON, YAML or a Python dictionary. */
const fieldValue = new RegExp(
  String.raw`(["'])(${secretName})(\1\s*:\s*)("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s,}\]]+)`,
  'gi',
)
/**
 * Forms of well-known tokens: Hugging Face, OpenAI, GitHub, GitLab, NVIDIA, Slack, Weights & Biases (40 hexadecimal digits),
 * AWS, JWT.
 */
const knownToken =
  /\b(?:hf_[A-Za-z0-9]{10,}|sk-[\w-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|nvapi-[\w-]{16,}|xox[abprs]-[\w-]{8,}|AKIA[A-Z0-9]{12,}|eyJ[\w-]{10,}\.[\w-]+\.[\w-]*|[0-9a-f]{40,})\b/g
/** HTTP header; `ps` prints arguments without their quotes. */
const authorization = /\b(authorization(?::\s*|=|\s+)(?:(?:bearer|basic|token)\s+)?)[^\s"']+/gi
const urlPassword = /(\b\w+:\/\/[^\s/:@]*:)[^\s/]+@/g
/** Token in place of a user, as in `https://token@host` and `https://token:x-oauth-basic@host`. */
const urlToken = /(\bhttps?:\/\/)[^\s/:@]+(?=(?::(?:x-oauth-basic)?)?@)/g
const hereDocument = /^(.*<<-?[ \t]*["']?(\w+)["']?.*\n)([\s\S]*?)(?=\n[ \t]*\2\b|(?![\s\S]))/gm
/** Entry of a list in which one field names a secret and another holds it, as in Kubernetes. */
const fieldOf = (name: string): string => String.raw`(?:\b|--|["'])${name}["']?(?:[ \t]*[:=][ \t]*|[ \t]+)`
const pairName = String.raw`${fieldOf('(?:name|key)')}["']?((?:[^\s"',:=]*\/)?${secretName})["']?`
const otherFields = String.raw`(?:\s*,\s*|\s*\n\s*|[ \t]+(?=--))(?:(?!-\s|["']?(?:name|key|value)\b)[^\n,{}]*(?:\s*,\s*|\n\s*)){0,3}`
const pairValue = String.raw`(?:(?<=--value[ \t=]*)${word}|["'](?:\\.|[^"'\\\n])*["']|(?<=\n[^{}\n]*)[^\s"'|>][^\n]*|[^\s"',}|>]+)`
const valueAfterName = new RegExp(
  String.raw`(${pairName}${otherFields}${fieldOf('value')})${pairValue}`,
  'gi',
)
const valueBeforeName = new RegExp(
  String.raw`(${fieldOf('value')})${pairValue}(?=${otherFields}${pairName}[ \t]*(?:[,}\n]|$))`,
  'gi',
)
/** Text of several lines in YAML, below the name of a secret or the value of such an entry. */
const blockText = new RegExp(
  String.raw`^(([ \t]*)(?:-[ \t]+)*(?:${pairName}\s*\n\s*value|["']?(${secretName})["']?)[ \t]*:[ \t]*[|>][-+\d]*[ \t]*\n)((?:\2[ \t]+.*(?:\n|$)|[ \t]*\n)+)`,
  'gim',
)
/** Passwords of users in cloud-init. */
const pairList = /^([ \t]*)(?:-[ \t]+)?["']?chpasswd["']?[ \t]*:.*(?:\n|$)(?:\1[ \t]+.*(?:\n|$)|[ \t]*\n)*/gim
const privateKey =
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g

/** Options such as `--max-tokens 512`, `--token-file x`, `lock_passwd: false` and `secret: {` hold no secret. */
const isHarmless = (name: string, value: string): boolean =>
  /tokens$|tokeniz|(?:file|path|dir|type|len|length|size|count|limit|stdin)$|^chpasswd$/i.test(name) ||
  /^(?:true|false|null|login)[,}]*$/i.test(value)

const maskedValue = (
  whole: string,
  before: string,
  name: string,
  separator: string,
  value: string,
): string => {
  const isOperand = /^\w*passwd$/i.test(name) && /^\s+$/.test(separator)
  const isStructure = separator.includes(':') && /^(?:\{|[|>][-+\d]*$)/.test(value)
  return isOperand || isStructure || isHarmless(name, value)
    ? whole
    : `${before}${name}${separator}${secretMask}`
}

const maskedPair = (whole: string, before: string, name: string): string =>
  isHarmless(name, '') ? whole : before + secretMask

const maskedLines = (lines: string): string => lines.replace(/^([ \t]*)\S.*$/gm, `$1${secretMask}`)
const maskedPairs = (lines: string): string => lines.replace(/^([^:\n]+:).+$/gm, `$1${secretMask}`)

/** Masks secrets of several lines. The number of lines stays. */
const withoutBlocks = (text: string): string =>
  text
    .replace(privateKey, (key) => secretMask + '\n'.repeat(key.split('\n').length - 1))
    .replace(hereDocument, (whole, start: string, _end, lines: string) => {
      const input = readsSecret(start)
      if (input === null) return whole
      return start + (input === 'pair' ? maskedPairs(lines) : maskedLines(lines))
    })
    .replace(pairList, (list) =>
      list
        .replace(/^([ \t]*(?:-[ \t]+)?["']?[^\s:"'{}]+:)[^\s:].*$/gm, `$1${secretMask}`)
        .replace(/(\blist["']?[ \t]*:[ \t]*)[^\s|>][^\n}]*/g, `$1${secretMask}`),
    )
    .replace(blockText, (whole, start: string, _indent, pair?: string, field?: string, lines: string = '') =>
      isHarmless(pair ?? field ?? '', '') ? whole : start + maskedLines(lines),
    )
    .replace(valueAfterName, maskedPair)
    .replace(valueBeforeName, maskedPair)

/** Masks values in a command line that look secret. Pure. */
export const maskedCommand = (command: string): string =>
  withoutArguments(withoutBlocks(command))
    .replace(quotedValue, maskedValue)
    .replace(fieldValue, maskedValue)
    .replace(secretValue, maskedValue)
    .replace(innerValue, maskedValue)
    .replace(authorization, `$1${secretMask}`)
    .replace(urlToken, `$1${secretMask}`)
    .replace(urlPassword, `$1${secretMask}@`)
    .replace(knownToken, secretMask)

/** Masks values in the lines of a script that look secret. The number of lines stays. Pure. */
export const maskedScript = (script: string): string =>
  withoutBlocks(script)
    .split(/(?<!\\)\n/)
    .map(maskedCommand)
    .join('\n')
