// Machines monitored in the background with everything on: GPUs, health and idle verdicts. Measures connections, memory
// and CPU of the monitoring process. The machines are the sandbox's, over real SSH, in their own process.
// npm run bench -- telemetry [SECONDS] [MACHINES]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { AccountsView } from '../src/shared/bridge/account'
import type { FleetSnapshot, MachineView } from '../src/shared/bridge/fleet'
import type { IdleList } from '../src/shared/bridge/idle'
import { systemClock } from '../src/main/core/clock'
import { fakeNetwork } from '../test/fixtures/fake-network'
import { reportError } from '../src/main/core/report-error'
import { machineView } from '../src/main/fleet/machine-view'
import { apiTokenHeaders } from '../src/main/service/login'
import { sshWithTerminals } from '../test/fixtures/ssh-with-terminals'
import { openConnection } from '../src/main/ssh/client/connection'
import { openConsents } from '../src/main/ssh/machines/consents'
import { createSshMachines } from '../src/main/ssh/machines/index'
import { createGpus } from '../src/main/gpu/index'
import { createStore } from '../src/main/store/database'
import { openSettings } from '../src/main/store/settings'
import { openKeychain } from '../src/main/store/keychain'
import { memorySecrets } from '../test/fixtures/memory-secrets'
import { clientWith } from '../test/fixtures/service-client'
import { finish } from './support/compare'
import { startSandboxProcess } from './support/sandbox-process'
import { noAskpass, noKeys, noTerminals } from '../test/fixtures/no-terminals'

/** Seconds of measured background monitoring. Activity and processes are read every ten minutes, health every five. */
const measured = Number(process.argv[2] ?? 600)
const watched = Number(process.argv[3] ?? 50)
const goals = { memory: 50, cpu: 5 }
const account = 'benchbenchbe'
const signedIn: AccountsView = {
  selected: account,
  accounts: [
    {
      id: account,
      label: 'bench',
      baseUrl: 'http://localhost',
      credential: 'api-token',
      username: null,
      sandbox: false,
      state: 'signed-in',
      staysSignedIn: false,
      failure: null,
      heldUntil: null,
    },
  ],
}

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')
/** MB in use, and MB as counted by the system. The latter does not grow while freed pages are reused. */
const memory = () => {
  if (typeof collect === 'function') Reflect.apply(collect, undefined, [])
  const { rss, heapUsed, external } = process.memoryUsage()
  return { used: (heapUsed + external) / 1_048_576, resident: rss / 1_048_576 }
}

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
const service = await startSandboxProcess(Math.ceil(watched * 1.6))
const keychain = openKeychain({ load: () => Promise.resolve(memorySecrets()), timeoutSeconds: 5 })
const store = createStore({ folder, keychain, clock: systemClock })
try {
  await store.open()
  const client = clientWith(service.baseUrl, apiTokenHeaders(service.apiToken)).service
  const { items } = await client.machines.list({ limit: 100 })
  const machines = new Map<string, MachineView>(
    items
      .map(machineView)
      .filter(({ status }) => status === 'running')
      .slice(0, watched)
      .map((machine) => [machine.id, machine]),
  )
  if (machines.size < watched) throw new Error(`only ${machines.size} machines run in the sandbox`)
  const settings = openSettings(folder)
  const ssh = sshWithTerminals({
    folder,
    home: folder,
    platform: process.platform,
    env: {},
    settings,
    terminals: noTerminals,
    keys: noKeys,
    askpass: noAskpass,
    terminal: () => null,
    machine: (_account, id) => machines.get(id),
    defaults: () => ({ port: service.sshPort, identityFile: service.identityFile }),
    chooseFile: () => Promise.resolve(null),
  })
  let opening = 0
  let openedAtOnce = 0
  let attempts = 0
  let readings = 0
  const readAt = new Map<string, number | null>()
  let healthReadings = 0
  let verdicts: IdleList | undefined
  const never = () => () => undefined
  const network = fakeNetwork()
  const consents = openConsents(settings)
  const sshMachines = createSshMachines({
    consents,
    accounts: { onChange: never },
    machine: (_account, id) => machines.get(id),
    onMachines: never,
    onGone: never,
    ssh,
    documents: settings,
    clock: systemClock,
    network,
    report: reportError,
    open: async (target, signal) => {
      attempts += 1
      openedAtOnce = Math.max(openedAtOnce, (opening += 1))
      return openConnection(target, signal).finally(() => (opening -= 1))
    },
  })
  const list: FleetSnapshot = {
    account,
    revision: 1,
    status: { asOf: 0, reading: false, total: watched, failure: null },
    machines: [...machines.values()],
  }
  const gpus = createGpus({
    accounts: { view: () => signedIn, service: () => client },
    settings,
    store,
    sshMachines,
    consents,
    fleet: { view: (_account, id) => machines.get(id), snapshot: () => list, onChange: never, onGone: never },
    bareMetal: { view: () => undefined, views: () => [], onChange: never },
    loads: { cpu: () => Promise.resolve(null) },
    alerts: { list: () => [], check: () => undefined },
    costsOf: () => Promise.resolve(new Map()),
    clock: systemClock,
    network,
    report: reportError,
  })
  const { handlers, events } = gpus
  events['gpu.healthChanged'](() => (healthReadings += 1))
  events['idle.changed']((list) => (verdicts = list))
  events['gpu.changed'](({ machine, link, at }) => {
    if (at !== null && at !== readAt.get(machine)) readings += 1
    readAt.set(machine, at)
    if (link.kind !== 'host-key-unknown') return
    const { fingerprint } = link
    void handlers['gpu.trustHostKey']({ account, machine, fingerprint })
  })

  const before = { memory: memory(), cpu: process.cpuUsage(), at: performance.now() }
  for (const machine of machines.keys()) await consents.answer(account, machine, { gpu: true })
  const settled = () =>
    [...machines.keys()].filter((machine) => gpus.report(account, machine) !== null).length
  while (settled() < machines.size && performance.now() - before.at < 120_000) await pause(100)
  const connected = {
    seconds: (performance.now() - before.at) / 1_000,
    cpu: process.cpuUsage(before.cpu),
    attempts,
  }
  console.log(
    `${sshMachines.openConnections()} of ${machines.size} machines connected and read in ${connected.seconds.toFixed(1)} s: ` +
      `${connected.attempts} connections (two each at first contact), never more than ${openedAtOnce} being opened, ` +
      `${((connected.cpu.user + connected.cpu.system) / 1_000).toFixed(0)} ms of CPU`,
  )

  const calm = { cpu: process.cpuUsage(), at: performance.now(), readings }
  await pause(measured * 1_000)
  const spent = process.cpuUsage(calm.cpu)
  const seconds = (performance.now() - calm.at) / 1_000
  const now = memory()
  const rounded = (value: number): number => Math.round(value * 10) / 10
  const cpu = (spent.user + spent.system) / 1_000
  const result = {
    bench: 'telemetry',
    ratio: null,
    unit: 'MB',
    runs: 1,
    machines: machines.size,
    connections: sshMachines.openConnections(),
    openedAtOnce,
    readings: readings - calm.readings,
    healthReadings,
    unused: verdicts?.machines.length ?? 0,
    memory: rounded(now.used - before.memory.used),
    resident: rounded(now.resident - before.memory.resident),
    cpu: Math.round((cpu / 1_000 / seconds) * 10_000) / 100,
  }
  console.log(
    `${seconds.toFixed(0)} s in the background: ${result.readings} readings, ${result.connections} connections, ` +
      `${cpu.toFixed(0)} ms of CPU (${result.cpu} % of a core; goal ≤ ${goals.cpu}), ` +
      `${result.memory} MB in use more than before (goal ≤ ${goals.memory}), ${result.resident} MB resident`,
  )
  gpus.close()
  await settings.flushed()
  if (result.connections !== machines.size || result.memory > goals.memory || result.cpu > goals.cpu)
    process.exitCode = 1
  finish(result)
} finally {
  await store.close()
  await service.close()
  rmSync(folder, { recursive: true, force: true })
}
