// The packaged application with 1,000 machines and its window closed, only in the tray: processor and memory (PSS) in
// ten minutes of real polling. Yardstick: an empty Electron application with a tray icon.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { signIn } from './start/sign-in'
import { compare, finish } from './support/compare'
import { packageYardstick, startFlags } from './support/packaged'
import { openPackaged } from './support/packaged-window'
import { memoryOf, processorOf } from './support/processes'
import { startSandboxProcess } from './support/sandbox-process'

const goals = { memory: 1.25, processor: 0.5 }
const machines = 1_000
const minutes = Number(process.argv[2] ?? 10)
/** An empty application is idle after its start, so it needs less time. */
const yardstickMinutes = Math.min(minutes, 2)
/** Seconds until the effects of a closed window and a start are over. */
const settling = 30

/** Megabytes at the end, and per cent of a core. */
async function watched(program: number, forMinutes: number) {
  await pause(settling * 1_000)
  const [from, before] = [performance.now(), processorOf(program)]
  await pause(forMinutes * 60_000)
  const processor = ((processorOf(program) - before) * 1_000 * 100) / (performance.now() - from)
  return { memory: memoryOf(program), processor }
}

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
const fresh = (): string => mkdtempSync(join(folder, 'user-data-'))
const service = await startSandboxProcess(machines)
try {
  const userData = fresh()
  writeFileSync(join(userData, 'settings.json'), JSON.stringify({ window: { page: '/machines' } }))
  await signIn({ userData, service, machines })
  const application = await openPackaged(userData)
  const { window, pid } = application
  await window.locator(`[role=grid][aria-rowcount="${String(machines + 1)}"]`).waitFor({ timeout: 60_000 })
  await window.close()
  await application.disconnect()
  const ours = await watched(pid, minutes)
  if (!application.isRunning()) throw new Error('it did not stay in the tray: there is none')
  await application.quit()

  const empty = spawn(packageYardstick('bench/background/empty-tray'), startFlags(fresh()), {
    stdio: 'ignore',
  })
  const ended = once(empty, 'exit')
  const yardstick = await watched(empty.pid ?? Number.NaN, yardstickMinutes)
  empty.kill('SIGTERM')
  await ended

  const memory = { ours: [ours.memory], yardstick: [yardstick.memory] }
  const ratio = compare(`${String(machines)} machines, in the tray`, 'MB', memory, goals.memory)
  const rounded = (value: number): number => Math.round(value * 100) / 100
  const [processor, yardstickProcessor] = [rounded(ours.processor), rounded(yardstick.processor)]
  console.log(
    `${String(minutes)} minutes: ${String(processor)} % of a core (goal ≤ ${String(goals.processor)}), ` +
      `the empty one ${String(yardstickProcessor)} %`,
  )
  finish({
    bench: 'background',
    ratio,
    unit: 'MB',
    runs: 1,
    goal: goals.memory,
    processor,
    processorGoal: goals.processor,
    yardstickProcessor,
    minutes,
    machines,
  })
} finally {
  await service.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
