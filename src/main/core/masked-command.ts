import { secretMask } from '#shared/secret-mask'

/** Option or variable whose name contains, or ends with, a word that means that its value is secret. */
const secretName = String.raw`(?:[\w.-]*(?:api[_-]?key|access[_-]?key|secret|passw(?:or)?d|passphrase|token|credential|auth(?!or))[\w.-]*|(?:[\w.-]*[_-])?(?:pass|pwd|(?:hf|wandb|private|encryption|signing)[_-]key))`
const word = String.raw`(?:"[^"]*"|'[^']*'|\S)+`
const secretValue = new RegExp(
  String.raw`(^|\s)(-{0,2}${secretName})(=|\s+(?=[^-\s|<>&;])|:\s*)(${word})`,
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
/** Passwords of sshpass and curl. */
const programPassword = /(\bsshpass\s+-p\s*|\bcurl\s.*?-u\s+[^\s:]+:)\S+/g
const urlPassword = /(\b\w+:\/\/[^\s/:@]*:)[^\s/]+@/g
/** Token in place of a user, as in `https://token@host` and `https://token:x-oauth-basic@host`. */
const urlToken = /(\bhttps?:\/\/)[^\s/:@]+(?=(?::(?:x-oauth-basic)?)?@)/g
/** Input of chpasswd, as `user:password`. */
const printedPassword =
  /(\b(?:echo|printf)\s+(?:-\w+\s+)*["']?[^\s:"'|]+:).*?(["']?\s*\|\s*(?:sudo\s+)?(?:\S*\/)?chpasswd\b)/g
const hereString = /(\bchpasswd(?:[ \t]+[\w-]+)*[ \t]*<<<[ \t]*["']?[^\s:"']+:)[^\s"']+/g
const hereDocument =
  /^(?=.*\bchpasswd\b)(.*<<-?[ \t]*["']?(\w+)["']?.*\n)([\s\S]*?)(?=\n[ \t]*\2\b|(?![\s\S]))/gm
const privateKey =
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g

/** Options such as `--max-tokens 512` and `--token-file x` hold no secret. */
const isHarmless = (name: string): boolean =>
  /tokens$|tokeniz|(?:file|path|dir|type|len|length|size|count|limit)$|^chpasswd$/i.test(name)

const maskedValue = (whole: string, before: string, name: string, separator: string): string =>
  isHarmless(name) ? whole : `${before}${name}${separator}${secretMask}`

/** Masks secrets of several lines. The number of lines stays. */
const withoutBlocks = (text: string): string =>
  text
    .replace(privateKey, (key) => secretMask + '\n'.repeat(key.split('\n').length - 1))
    .replace(
      hereDocument,
      (_, start: string, _end, lines: string) => start + lines.replace(/^([^:\n]+:).+$/gm, `$1${secretMask}`),
    )

/** Masks values in a command line that look secret. Pure. */
export const maskedCommand = (command: string): string =>
  withoutBlocks(command)
    .replace(quotedValue, maskedValue)
    .replace(fieldValue, maskedValue)
    .replace(secretValue, maskedValue)
    .replace(innerValue, maskedValue)
    .replace(authorization, `$1${secretMask}`)
    .replace(programPassword, `$1${secretMask}`)
    .replace(printedPassword, `$1${secretMask}$2`)
    .replace(hereString, `$1${secretMask}`)
    .replace(urlToken, `$1${secretMask}`)
    .replace(urlPassword, `$1${secretMask}@`)
    .replace(knownToken, secretMask)

/** Masks values in the lines of a script that look secret. The number of lines stays. Pure. */
export const maskedScript = (script: string): string =>
  withoutBlocks(script).split('\n').map(maskedCommand).join('\n')
