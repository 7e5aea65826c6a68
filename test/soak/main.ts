// Days of fast-forwarded polling against the sandbox in its own process, with faults:
// node --expose-gc --import tsx test/soak/main.ts [DAYS [MACHINES]]
// Prints the memory after each day, and fails if memory or listeners are left behind.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { events } from '#shared/bridge/index'
import { createModules } from '../../src/main/app/modules'
import { openSettings } from '../../src/main/store/settings'
import { startSandboxProcess } from '../../bench/support/sandbox-process'
import { fakeClock } from '../fixtures/fake-clock'
import { createFastForward } from '../fixtures/fast-forward'
import { memorySecrets } from '../fixtures/memory-secrets'
import { plainHost } from '../fixtures/plain-host'
import { control } from '../fixtures/sandbox-control'
import { faultyFetch } from './faulty-fetch'
import { changeOf, growthOf, measured, type Measurement, problemsOf } from './measure'

const days = Number(process.argv[2] ?? 7)
const machines = Number(process.argv[3] ?? 500)
const hour = 3_600
/** Hours of each day in which a window is open; polling is four times as fast then. */
const windowHours = 1

const warnings: string[] = []
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`))

const sandbox = await startSandboxProcess(machines)
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-soak-'))
const clock = fakeClock(Math.floor(Date.now() / 1000))
const wire = faultyFetch(sandbox)
const pass = createFastForward(clock, wire.isBusy)
const settings = openSettings(folder)
const main = createModules(
  plainHost({ folder, secrets: memorySecrets(), clock, fetch: wire.fetch }),
  settings,
)
let pushed = 0
main.forwardEvents((name, payload) => {
  events[name].parse(payload)
  pushed += 1
})

// Pending answers arrive first: until then everything is read every three seconds.
await control(sandbox, 'POST', '/clock', { advance: hour })
await control(sandbox, 'PUT', '/balance', { USD: 1e6 })

const started = performance.now()
const measurements: Measurement[] = []
try {
  await main.modules.store.open()
  await main.start()
  const credential = { kind: 'api-token', token: sandbox.apiToken } as const
  const { id: account } = await main.handlers['accounts.connect']({
    baseUrl: sandbox.baseUrl,
    credential,
    staySignedIn: true,
  })
  for (let day = 1; day <= days; day += 1) {
    for (let hours = 0; hours < 24; hours += 1) {
      main.windowChanged(hours < windowHours)
      await changeOf(sandbox, main.modules.fleet.snapshot(account)?.machines ?? [], day * 24 + hours)
      await pass(hour)
    }
    // Node keeps idle connections for five seconds; only sockets open after that are leaks.
    await setTimeout(6_000)
    const measurement = await measured(clock.pending())
    measurements.push(measurement)
    const seconds = Math.round((performance.now() - started) / 1000)
    const { heap, resources, sockets, planned, listeners } = measurement
    console.log(
      `day ${String(day)}: heap ${(heap / 2 ** 20).toFixed(2)} MiB, ${String(resources)} handles, ${String(sockets)} sockets, ` +
        `${String(planned)} timers, listeners ${JSON.stringify(listeners)}; ` +
        `${String(wire.requests())} requests, ${String(wire.faults())} faults, ${String(pushed)} events, ${String(seconds)} s`,
    )
  }
  const shown = main.modules.fleet.snapshot(account)?.machines.length ?? 0
  console.log(`heap after the last day against after the first: ${growthOf(measurements).toFixed(4)}`)
  const problems = problemsOf(measurements, warnings)
  if (shown !== machines)
    problems.push(`${String(shown)} of ${String(machines)} machines are known at the end`)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await main.close()
  await settings.close()
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
}
