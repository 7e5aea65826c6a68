import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { z } from 'zod'
import { hiddenSwitch } from '../core/start-arguments'

/** Data of the thread (desktop/command-line.ts). `ended`: whether it is over, and the exit code. */
const Data = z.object({
  words: z.array(z.string()),
  launch: z.array(z.string()),
  program: z.string(),
  folder: z.string(),
  version: z.string(),
  ended: z.instanceof(Int32Array),
})

/** Exit code of a program whose reader is gone (128 + SIGPIPE). */
const closedOutput = 141

async function main(): Promise<void> {
  const { words, launch, program, folder, version, ended } = Data.parse(workerData)
  const { env, platform } = process
  const hasDisplay = platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  let code = 1
  try {
    // Imported here, so that the thread ends even if they fail.
    const { callApplication } = await import('./client')
    const { runProgram } = await import('./program')
    const { systemTerminal } = await import('./system-terminal')
    code = await runProgram(words, {
      call: callApplication(folder),
      terminal: systemTerminal(env),
      version,
      startApplication: hasDisplay
        ? () => spawn(program, [...launch, hiddenSwitch], { detached: true, stdio: 'ignore', env }).unref()
        : null,
      now: () => Date.now() / 1000,
    })
  } catch (error) {
    if (error instanceof Error && error.name === 'OutputClosed') code = closedOutput
    else writeSync(2, `wheelhouse: ${String(error)}\n`)
  } finally {
    Atomics.store(ended, 1, code)
    Atomics.store(ended, 0, 1)
    Atomics.notify(ended, 0)
  }
}

void main()
