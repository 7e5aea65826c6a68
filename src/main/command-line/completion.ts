import type { Command } from './command'
import { optionOf } from './options'
import { posixQuoted } from '../ssh/launcher/quoting'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]
export const isShell = (word: string): word is Shell => shells.some((shell) => shell === word)

interface CompletionParts {
  readonly pages: readonly string[]
  text(path: string): string
}

const commonOptions = ({ isLocal }: Command): readonly string[] =>
  isLocal ? ['help'] : ['help', 'json', 'account']
const optionsOf = (command: Command): readonly string[] =>
  [...commonOptions(command), ...(command.options ?? [])].map((option) => `--${option}`)

/**
 * Words that a shell offers after a command, besides its options. No names of machines: bash would expand a name of the
 * service as shell code.
 */
const wordsOf = ({ name }: Command, pages: readonly string[]): string => {
  if (name === 'open') return pages.join(' ')
  return name === 'completion' ? shells.join(' ') : ''
}

function bash(commands: readonly Command[], { pages }: CompletionParts): string {
  const names = commands.map(({ name }) => name).join(' ')
  const cases = commands.map(
    (command) => `    ${command.name}) words="${wordsOf(command, pages)} ${optionsOf(command).join(' ')}" ;;`,
  )
  return [
    '_wheelhouse() {',
    "  local words IFS=$' \\t\\n'",
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words=${posixQuoted(`${names} --help --version`)}`,
    '  else case ${COMP_WORDS[1]} in',
    ...cases,
    '  esac; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -F _wheelhouse wheelhouse',
  ].join('\n')
}

function zsh(commands: readonly Command[], { pages, text }: CompletionParts): string {
  const described = commands.map(({ name }) => `    ${posixQuoted(`${name}:${text(`commands.${name}`)}`)}`)
  const cases = commands.map(
    (command) =>
      `    ${command.name}) compadd -- ${wordsOf(command, pages)} ${optionsOf(command).join(' ')} ;;`,
  )
  return [
    '#compdef wheelhouse',
    '_wheelhouse() {',
    '  local -a commands=(',
    ...described,
    '  )',
    '  if (( CURRENT == 2 )); then _describe command commands; return; fi',
    '  case $words[2] in',
    ...cases,
    '  esac',
    '}',
    'compdef _wheelhouse wheelhouse',
  ].join('\n')
}

/** Returns how fish completes the value of an option: files are offered for a file only. */
function fishValue(value: string | null): string {
  if (value === null) return ''
  return value === 'FILE' ? ' -r -F' : ' -x'
}

function fish(commands: readonly Command[], { pages, text }: CompletionParts): string {
  const lines = commands.flatMap((command) => {
    const { name } = command
    const inside = `complete -c wheelhouse -n '__fish_seen_subcommand_from ${name}'`
    const words = wordsOf(command, pages)
    return [
      `complete -c wheelhouse -n __fish_use_subcommand -a ${name} -d ${posixQuoted(text(`commands.${name}`))}`,
      ...(words === '' ? [] : [`${inside} -a '${words}'`]),
      ...commonOptions(command).map((option) => `${inside} -l ${option}`),
      ...(command.options ?? []).map(
        (option) => `${inside} -l ${option}${fishValue(optionOf(option).value)}`,
      ),
    ]
  })
  return ['complete -c wheelhouse -f', ...lines].join('\n')
}

const scripts = { bash, zsh, fish } as const

/** Returns the script that completes the commands in a shell. */
export const completionScript = (
  shell: Shell,
  commands: readonly Command[],
  parts: CompletionParts,
): string => scripts[shell](commands, parts)
