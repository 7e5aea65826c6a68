import { parseArgs } from 'node:util'
import { translate } from '#shared/messages/index'
import type { Clock } from '../core/clock'
import { oneLine } from '../core/one-line'
import type { CallApplication } from './client'
import type { Command, CommandInput } from './command'
import { commands } from './commands'
import { type Captured, createContext } from './context'
import { CommandFailure, describe, exitCodes } from './failure'
import { type OptionName, optionOf, optionWords } from './options'
import { outputVersion } from './output'
import { NotRunning } from './socket'
import { OutputClosed, type Terminal } from './terminal'

/** Time in which the application must answer after its start. */
const startTimeoutSeconds = 60
const pollSeconds = 0.2

export interface ProgramDeps {
  readonly call: CallApplication
  readonly terminal: Terminal
  readonly version: string
  /** Starts the application without a window; null: there is no display for it. */
  readonly startApplication: (() => void) | null
  readonly now: Clock['now']
}

const text = (path: string, values?: Readonly<Record<string, string>>): string =>
  translate(`commandLine.${path}`, values)

const signature = ({ name, required, optional = [], takesRest, options = [] }: Command): string =>
  [
    name,
    ...required,
    ...optional.map((word) => `[${word}]`),
    ...options.map((option) => `[${optionWords(option)}]`),
    ...(takesRest ? ['[-- COMMAND…]'] : []),
  ].join(' ')

/** Lines of two columns, the first as wide as its longest text. */
function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

function helpLines(command: Command | undefined): readonly string[] {
  const options = columns([
    ['--json', text('options.json')],
    ['--account NAME', text('options.account')],
    ...(command?.options ?? []).map(
      (option) => [optionWords(option), text(`options.${optionOf(option).text}`)] as const,
    ),
    ['--help', text('options.help')],
    ...(command ? [] : [['--version', text('options.version')] as const]),
  ])
  if (command)
    return [
      text(`commands.${command.name}`),
      text('usage', { command: signature(command) }),
      '',
      text('optionsTitle'),
      ...options,
    ]
  const list = columns(commands.map((each) => [signature(each), text(`commands.${each.name}`)]))
  const usage = [text('about'), text('usageAny'), '', text('commandsTitle'), ...list]
  return [...usage, '', text('optionsTitle'), ...options, '', text('more')]
}

const usageFailure = (command: string, problem: string): CommandFailure =>
  new CommandFailure('usage', text('errors.usage', { command, problem }))

interface ReadWords extends CommandInput {
  readonly isJson: boolean
  readonly isHelp: boolean
  readonly account: string | undefined
}

const parsedAs = (option: OptionName) =>
  ({ type: optionOf(option).value === null ? 'boolean' : 'string' }) as const

/** Reads the words and options of a command. Throws CommandFailure. */
function readWords(command: Command, args: readonly string[]): ReadWords {
  const { name, required, optional = [], takesRest = false, options = [] } = command
  const end = takesRest ? args.indexOf('--') : -1
  const own = end < 0 ? args : args.slice(0, end)
  const rest = end < 0 ? [] : args.slice(end + 1)
  const read = () => {
    try {
      return parseArgs({
        args: [...own],
        allowPositionals: true,
        options: {
          json: { type: 'boolean' },
          help: { type: 'boolean', short: 'h' },
          account: { type: 'string' },
          ...Object.fromEntries(options.map((option) => [option, parsedAs(option)])),
        },
      })
    } catch (error) {
      throw usageFailure(name, error instanceof Error ? `${error.message.split('. ')[0] ?? ''}.` : '')
    }
  }
  const { values, positionals: words } = read()
  const given = new Map<string, unknown>(Object.entries(values))
  const isHelp = values.help === true
  const missing = required[words.length]
  if (!isHelp && missing !== undefined)
    throw usageFailure(name, text('errors.missingWord', { word: missing }))
  const extra = words[required.length + optional.length]
  if (!isHelp && extra !== undefined) throw usageFailure(name, text('errors.extraWord', { word: extra }))
  return {
    words,
    rest,
    has: (option) => given.has(option),
    value(option) {
      const value = given.get(option)
      return typeof value === 'string' ? value : undefined
    },
    isJson: values.json === true,
    isHelp,
    account: typeof values.account === 'string' ? values.account : undefined,
  }
}

/** Returns a function that starts the application if its first call finds that it does not run. */
function startingCall({ call, terminal, startApplication, now }: ProgramDeps): CallApplication {
  let hasAnswered = false
  return async (name, input) => {
    let end: number | null = null
    for (;;) {
      try {
        const output = await call(name, input)
        hasAnswered = true
        return output
      } catch (error) {
        // Nothing was sent, so the call can be repeated.
        if (!(error instanceof NotRunning) || hasAnswered) throw error
      }
      if (end === null) {
        if (startApplication === null) throw new CommandFailure('notRunning', text('errors.notRunning'))
        terminal.report(text('progress.starting'))
        startApplication()
        end = now() + startTimeoutSeconds
      } else if (now() >= end) {
        const seconds = String(startTimeoutSeconds)
        throw new CommandFailure('notRunning', text('errors.notStarted', { seconds }))
      }
      await terminal.wait(pollSeconds)
    }
  }
}

const bold = (line: string): string => `\u001B[1m${line}\u001B[22m`

/** Runs a command without a terminal, and returns the lines that it prints. */
async function capture(words: readonly string[], deps: ProgramDeps): Promise<Captured> {
  const lines: string[] = []
  const terminal: Terminal = {
    ...deps.terminal,
    print: (line) => void lines.push(line),
    report: () => undefined,
    columns: null,
    isInteractive: false,
    hasColors: false,
  }
  const code = await runProgram(words, { ...deps, terminal })
  return { code, output: lines.join('\n') }
}

async function runCommand(command: Command, args: readonly string[], deps: ProgramDeps): Promise<number> {
  const { terminal } = deps
  const input = readWords(command, args)
  if (input.isHelp) {
    helpLines(command).forEach(terminal.print)
    return exitCodes.done
  }
  const startsNothing = command.isLocal === true || command.name === 'doctor'
  const context = createContext({
    call: startsNothing ? deps.call : startingCall(deps),
    terminal,
    accountName: input.account,
    now: deps.now,
    version: deps.version,
    capture: (captured) => capture(captured, deps),
    show(_name, output, lines) {
      if (input.isJson) return terminal.print(JSON.stringify({ version: outputVersion, ...output }))
      const [first, ...others] = lines().map(oneLine)
      const isTable =
        others.length > 0 && first !== undefined && first === first.toUpperCase() && first.includes('  ')
      if (first !== undefined) terminal.print(isTable && terminal.hasColors ? bold(first) : first)
      others.forEach(terminal.print)
    },
  })
  return (await command.run(context, input)) ?? exitCodes.done
}

/** Prints an error and returns its exit code. Throws OutputClosed. */
function printError(error: unknown, args: readonly string[], terminal: Terminal): number {
  if (error instanceof OutputClosed) throw error
  const described = describe(error)
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (own.includes('--json')) terminal.print(JSON.stringify({ version: outputVersion, error: described }))
  terminal.report(oneLine(described.text))
  return described.code
}

/** Runs one command and returns its exit code. `words`: the command and its arguments. Never rejects. */
export async function runProgram(words: readonly string[], deps: ProgramDeps): Promise<number> {
  const { terminal, version } = deps
  const [name, ...args] = words
  try {
    if (name === '--version') terminal.print(version)
    else if (name === undefined || name === '--help' || name === '-h' || name === 'help')
      helpLines(undefined).forEach(terminal.print)
    else {
      const command = commands.find((each) => each.name === name)
      if (!command) throw new CommandFailure('usage', text('errors.unknownCommand', { word: oneLine(name) }))
      return await runCommand(command, args, deps)
    }
    return exitCodes.done
  } catch (error) {
    try {
      return printError(error, args, terminal)
    } catch {
      return exitCodes.closedOutput
    }
  }
}
