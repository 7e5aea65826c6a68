// The memory of all processes of the packaged application with 1,000 machines listed, a minute after its start.
// Yardstick: the empty window after the same minute. Shared pages count by their share (PSS), as in the kernel.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { signIn } from './start/sign-in'
import { alternate, compare, finish } from './support/compare'
import { startProgram } from './support/devtools-pipe'
import { packagedProgram, packageYardstick, startFlags } from './support/packaged'
import { memoryOf } from './support/processes'
import { startSandboxProcess } from './support/sandbox-process'

const goal = 1.15
const machines = 1_000
const rounds = Number(process.argv[2] ?? 2)
/** Seconds from the start to the measurement. */
const after = 60

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
const fresh = (): string => mkdtempSync(join(folder, 'user-data-'))
const service = await startSandboxProcess(machines)
try {
  const userData = fresh()
  writeFileSync(join(userData, 'settings.json'), JSON.stringify({ window: { page: '/machines' } }))
  await signIn({ userData, service, machines })
  const empty = packageYardstick('bench/start/empty-window')
  const emptyData = fresh()
  const measure = async (program: string, data: string, script: string): Promise<number> => {
    const started = await startProgram(program, startFlags(data), { env: process.env, script })
    try {
      if ((await started.answer) !== 'true') throw new Error(await started.answer)
      await pause(Math.max(0, started.startedAt + after * 1_000 - Date.now()))
      return memoryOf(started.child.pid ?? Number.NaN)
    } finally {
      await started.quit()
    }
  }
  const listed = `while (document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') !== '${String(machines + 1)}')
      await new Promise((resolve) => setTimeout(resolve, 100))
    return true`
  const measured = await alternate({
    rounds,
    warmUp: 0,
    ours: () => measure(packagedProgram, userData, listed),
    yardstick: () => measure(empty, emptyData, 'return true'),
  })
  const ratio = compare(`${String(machines)} machines, after ${String(after)} s`, 'MB', measured, goal)
  finish({ bench: 'memory', ratio, unit: 'MB', runs: rounds, goal, machines })
} finally {
  await service.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
