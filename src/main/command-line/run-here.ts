import { spawn, spawnSync } from 'node:child_process'
import { followLocale, languages, resolveLocale } from '#shared/locale'
import { loadMessages } from '#shared/messages/index'
import { hiddenSwitch } from '../core/start-arguments'
import { appImageOf } from '../updates/installation'
import { callApplication } from './client'
import { environmentLocales } from './environment-locales'
import { runProgram } from './program'
import { systemTerminal } from './system-terminal'
import type { ThreadData } from './thread-data'

/** Starts a program that outlives this process and its terminal. */
function startDetached(file: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  if (process.platform === 'win32') {
    spawn(file, args, { detached: true, stdio: 'ignore', env }).unref()
    return
  }
  // Node aborts if this process ends while its thread has a child process.
  const script = 'if command -v setsid >/dev/null; then setsid "$0" "$@" & else nohup "$0" "$@" & fi'
  spawnSync('/bin/sh', ['-c', script, file, ...args], { stdio: 'ignore', env })
}

/** Runs a command in this process and returns its exit code. */
export async function runHere({ words, launch, program, folder, version }: ThreadData): Promise<number> {
  const { env, platform } = process
  const hasDisplay = platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  // The mount of an AppImage ends with this process.
  const file = appImageOf({ env, program }) ?? program
  const start = (): void => startDetached(file, [...launch, hiddenSwitch], env)
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
