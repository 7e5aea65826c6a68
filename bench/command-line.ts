// `wheelhouse ls` of the packaged program with 1,000 machines, answered by the running application, with and without a
// display. Yardstick: the same program prints one line and ends before it is ready.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { commandAddressFile } from '#shared/command-address'
import { signIn } from './start/sign-in'
import { alternate, compare, elapsed, finish } from './support/compare'
import { packagedProgram, packageYardstick, startFlags } from './support/packaged'
import { openPackaged } from './support/packaged-window'
import { startSandboxProcess } from './support/sandbox-process'

const goal = 1.5
const machines = 1_000
const rounds = Number(process.argv[2] ?? 15)
const { DISPLAY: _, WAYLAND_DISPLAY: __, ...withoutDisplay } = process.env

/** Runs a command until it has ended and its output is read; returns the output. */
async function runCommand(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data) => (output += String(data)))
  await once(child, 'close')
  if (child.exitCode !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${String(child.exitCode)}: ${output}`)
  return output
}

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
const fresh = (): string => mkdtempSync(join(folder, 'user-data-'))
const service = await startSandboxProcess(machines)
try {
  const userData = fresh()
  writeFileSync(join(userData, 'settings.json'), JSON.stringify({ window: { page: '/machines' } }))
  await signIn({ userData, service, machines })
  const application = await openPackaged(userData)
  try {
    await application.window
      .locator(`[role=grid][aria-rowcount="${String(machines + 1)}"]`)
      .waitFor({ timeout: 60_000 })
    while (!existsSync(join(userData, commandAddressFile))) await pause(100)
    // The application reads the service and the ledger after its start.
    await pause(10_000)
    const oneLine = packageYardstick('bench/command-line/one-line')
    const yardstickData = fresh()
    const measure = async (env: NodeJS.ProcessEnv) =>
      alternate({
        rounds,
        ours: () =>
          elapsed(async () => {
            const output = await runCommand(packagedProgram, [...startFlags(userData), 'ls'], env)
            const lines = output.trimEnd().split('\n').length
            if (lines !== machines + 1) throw new Error(`${String(lines)} lines: ${output.slice(0, 500)}`)
          }),
        yardstick: () => elapsed(() => runCommand(oneLine, startFlags(yardstickData), env)),
      })
    const shown = await measure(process.env)
    const hidden = await measure(withoutDisplay)
    const withDisplay = compare('ls with a display', 'ms', shown, goal)
    const ratio = compare('ls without a display', 'ms', hidden, goal)
    finish({ bench: 'command-line', ratio, unit: 'ms', runs: rounds, goal, withDisplay, machines })
  } finally {
    await application.quit()
  }
} finally {
  await service.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
