// The application's requests to the service in a calm hour with 1,000 machines: window open, the list of machines in
// view. Its modules run against the sandbox over real HTTP, in its own process; both clocks are fast-forwarded.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machineState } from '#shared/service/machine-state'
import { createModules } from '../src/main/app/modules'
import { openSettings } from '../src/main/store/settings'
import { fakeClock } from '../test/fixtures/fake-clock'
import { createFastForward } from '../test/fixtures/fast-forward'
import { memorySecrets } from '../test/fixtures/memory-secrets'
import { plainHost } from '../test/fixtures/plain-host'
import { control } from '../test/fixtures/sandbox-control'
import { finish } from './support/compare'
import { startSandboxProcess } from './support/sandbox-process'

const machines = Number(process.argv[2] ?? 1_000)
/** Visible rows in a window of usual size. */
const rowsInView = 20

const purposes: Readonly<Record<string, string>> = {
  'GET /virtual-machines': 'the list, two hundred a page, every 15 seconds',
  'GET /virtual-machines/{id}/metrics':
    'the rows in view, each every five minutes; twenty machines a minute to find idle ones, and since when',
  'GET /volumes': 'the list of volumes, every minute',
  'GET /bare-metal/instances/{id}': 'known instances, every 30 seconds',
  'GET /billing/resources/statements': 'new charges, every minute; older ones again now and then',
  'GET /billing/resources/usage':
    'what each resource has cost so far, every minute: what is active, and its place in the ledger',
  'GET /billing/balance': 'the balance, every two minutes',
}
const endpointOf = (method: string, { pathname }: URL): string =>
  `${method} ${pathname.replace(/^\/api\/v1/, '').replaceAll(/\/[^/]*\d[^/]*/g, '/{id}')}`

const sandbox = await startSandboxProcess(machines)
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
const clock = fakeClock(Math.floor(Date.now() / 1000))
const counts = new Map<string, number>()
let busy = 0
const counted: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const endpoint = endpointOf(request.method, new URL(request.url))
  counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1)
  busy += 1
  try {
    return await fetch(request)
  } finally {
    busy -= 1
  }
}
const pass = createFastForward(clock, () => busy > 0, 1)
const settings = openSettings(folder)
const main = createModules(plainHost({ folder, secrets: memorySecrets(), clock, fetch: counted }), settings)
try {
  await main.modules.store.open()
  await main.start()
  const credential = { kind: 'api-token', token: sandbox.apiToken } as const
  const { id: account } = await main.handlers['accounts.connect']({
    baseUrl: sandbox.baseUrl,
    credential,
    staySignedIn: true,
  })
  main.windowChanged(true)
  const passMinutes = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      const running = (main.modules.fleet.snapshot(account)?.machines ?? []).filter(
        ({ status }) => machineState(status) === 'running',
      )
      const looks = running
        .slice(0, rowsInView)
        .map(async ({ id: machine }) => main.handlers['metrics.load']({ account, machine }))
      await Promise.all(looks)
      await control(sandbox, 'POST', '/clock', { advance: 60 })
      await pass(60)
    }
  }
  // Pending answers arrive first, and the ledger is read for the first time.
  await passMinutes(10)
  counts.clear()
  await passMinutes(60)
  const endpoints = [...counts].toSorted(([, one], [, other]) => other - one)
  const requests = endpoints.reduce((sum, [, count]) => sum + count, 0)
  for (const [endpoint, count] of endpoints)
    console.log(`${String(count).padStart(6)}  ${endpoint}: ${purposes[endpoint] ?? 'not described'}`)
  console.log(
    `${String(requests)} requests in a calm hour, ${(requests / 3_600).toFixed(2)} a second, with ${String(machines)} machines`,
  )
  const undescribed = endpoints.filter(([endpoint]) => !(endpoint in purposes))
  if (undescribed.length > 0) process.exitCode = 1
  finish({
    bench: 'requests',
    ratio: null,
    unit: 'requests',
    runs: 1,
    requests,
    machines,
    endpoints: Object.fromEntries(endpoints),
  })
} finally {
  await main.close()
  await settings.close()
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
}
