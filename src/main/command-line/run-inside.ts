import type { CommandRun } from '#shared/bridge/command-line'
import { currentLocale, languages, resolveLocale } from '#shared/locale'
import type { Clock } from '../core/clock'
import { actingCalls, type CallApplication } from './client'
import { environmentLocales } from './environment-locales'
import { runProgram } from './program'
import { type Finished, readingCommands } from './run-in-application'
import type { Terminal } from './terminal'

/** Machines of a list that the application prints at most: some 50 ms. */
const maxMachines = 2_000

/** Whether two locales have the same texts and formats: `en` is `en-US`. */
const isSameLocale = (one: string, other: string): boolean =>
  new Intl.Locale(one).maximize().toString() === new Intl.Locale(other).maximize().toString()

/**
 * Runs a command of the command line in the application, unless its texts would be in another language or time zone, or it
 * does more than read and print: then the result is null, as if nothing was asked. `env`: of the application.
 */
export async function runInside(
  request: CommandRun,
  deps: {
    readonly call: CallApplication
    readonly env: NodeJS.ProcessEnv
    readonly now: Clock['now']
    readonly version: string
  },
): Promise<Finished | null> {
  const { run, columns, hasColors, environment } = request
  if (!readingCommands.has(run[0] ?? '') || environment['TZ'] !== deps.env['TZ']) return null
  const locale = resolveLocale('system', environmentLocales(environment), languages)
  if (!isSameLocale(locale, currentLocale())) return null
  const lines: string[] = []
  let isDeclined = false
  const decline = (): never => {
    isDeclined = true
    throw new Error('the command needs a process of its own')
  }
  const terminal: Terminal = {
    print: (line) => void lines.push(`${line}\n`),
    // Errors and progress: they must appear at once.
    report: decline,
    columns,
    isInteractive: false,
    hasColors,
    ask: decline,
    run: decline,
    hasProgram: decline,
    openStreams: decline,
    wait: decline,
  }
  const { now, version } = deps
  const call: CallApplication = async (name, input) => {
    if (actingCalls.has(name)) return decline()
    const output = await deps.call(name, input)
    // A long list would keep the application from its other work.
    if (output && 'machines' in output && output.machines.length > maxMachines) return decline()
    return output
  }
  const code = await runProgram(run, { call, terminal, version, startApplication: null, now })
  return isDeclined ? null : { printed: lines.join(''), code }
}
