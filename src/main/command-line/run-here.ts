import { spawn } from 'node:child_process'
import { followLocale, languages, resolveLocale } from '#shared/locale'
import { loadMessages } from '#shared/messages/index'
import { hiddenSwitch } from '../core/start-arguments'
import { appImageOf } from '../updates/installation'
import { callApplication } from './client'
import { environmentLocales } from './environment-locales'
import { runProgram } from './program'
import { systemTerminal } from './system-terminal'

export interface Run {
  readonly words: readonly string[]
  /** Arguments that start the application itself. */
  readonly launch: readonly string[]
  readonly program: string
  /** User data. */
  readonly folder: string
  readonly version: string
}

/** Runs a command in this process and returns its exit code. */
export async function runHere({ words, launch, program, folder, version }: Run): Promise<number> {
  const { env, platform } = process
  const hasDisplay = platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  // The mount of an AppImage ends with this process.
  const file = appImageOf({ env, program }) ?? program
  const start = (): void => {
    const child = spawn(file, [...launch, hiddenSwitch], { detached: true, stdio: 'ignore', env })
    // If it does not start, the command reports that nothing answers.
    child.on('error', () => undefined)
    child.unref()
  }
  // The language of the environment, as programs in a terminal use it.
  const locale = resolveLocale('system', environmentLocales(env), languages)
  await loadMessages(locale)
  followLocale(() => locale)
  return runProgram(words, {
    call: callApplication(folder),
    terminal: systemTerminal(env),
    version,
    startApplication: hasDisplay ? start : null,
    now: () => Date.now() / 1000,
  })
}
