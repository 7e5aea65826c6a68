import { spawn, spawnSync } from 'node:child_process'
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { z } from 'zod'
import { hiddenSwitch } from '../core/start-arguments'
import { appImageOf } from '../updates/installation'

/** Data of the thread (desktop/command-line.ts). `ended`: whether it is over, and the exit code. */
const Data = z.object({
  words: z.array(z.string()),
  launch: z.array(z.string()),
  program: z.string(),
  folder: z.string(),
  version: z.string(),
  ended: z.instanceof(Int32Array),
})

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

/** Uses the language of the environment, as programs in a terminal do. */
async function followEnvironment(env: NodeJS.ProcessEnv): Promise<void> {
  const { followLocale, languages, resolveLocale } = await import('#shared/locale')
  const { loadMessages } = await import('#shared/messages/index')
  const { environmentLocales } = await import('./environment-locales')
  const locale = resolveLocale('system', environmentLocales(env), languages)
  await loadMessages(locale)
  followLocale(() => locale)
}

async function main(): Promise<void> {
  const { words, launch, program, folder, version, ended } = Data.parse(workerData)
  const { env, platform } = process
  const hasDisplay = platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  // The mount of an AppImage ends with this process.
  const file = appImageOf({ env, program }) ?? program
  const start = (): void => startDetached(file, [...launch, hiddenSwitch], env)
  let code = 1
  try {
    // Imported here, so that the thread ends even if they fail.
    const { callApplication } = await import('./client')
    const { runProgram } = await import('./program')
    const { systemTerminal } = await import('./system-terminal')
    await followEnvironment(env)
    code = await runProgram(words, {
      call: callApplication(folder),
      terminal: systemTerminal(env),
      version,
      startApplication: hasDisplay ? start : null,
      now: () => Date.now() / 1000,
    })
  } catch (error) {
    writeSync(2, `wheelhouse: ${String(error)}\n`)
  } finally {
    Atomics.store(ended, 1, code)
    Atomics.store(ended, 0, 1)
    Atomics.notify(ended, 0)
  }
}

void main()
