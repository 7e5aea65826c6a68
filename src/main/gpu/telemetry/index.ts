import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { gpuCalls, GpuReading, GpuView } from '#shared/bridge/gpu'
import type { SshLink } from '#shared/bridge/ssh-link'
import type { HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { resourceKey } from '#shared/resource-key'
import { createEmitter } from '#shared/emitter'
import type { Clock } from '../../core/clock'
import type { ReportError } from '../../core/report-error'
import type { ConsentChange } from '../../ssh/machines/consents'
import { amdQuery } from '../tools/amd-smi'
import { detailsQuery, gpuQuery } from '../tools/gpu-columns'
import { openDevicesCommand, programsCommand, programsWithoutPs } from '../tools/programs'
import type { Exec } from '../tools/read-gpus'
import { healthScript } from '../health/health-facts'
import { rocmQuery } from '../tools/rocm-smi'
import { createProgress, progressOf } from './account-progress'
import { createSampling, type SamplingDeps, thinIntervalSeconds } from './sampling'
import { createWatches, type WatchesDeps } from './watches'

export interface TelemetryDeps extends Omit<WatchesDeps, 'machines' | 'idlePower'> {
  readonly store: SamplingDeps['store']
  readonly report: ReportError
  /** A machine's connection opened (`exec` runs a script over it) or closed (null). */
  connected(account: AccountId, machine: string, exec: Exec | null): void
  machines(account: AccountId): readonly MachineView[]
}

/** Delay of the first thinning, which would slow down the start. */
const firstThinningSeconds = 120

/** GPUs of a machine. `at`: time of the reading in epoch seconds. */
export interface MachineReading {
  readonly account: AccountId
  readonly machine: string
  readonly gpus: readonly GpuReading[]
  readonly at: number
}

/** Thins old samples regularly, in small steps because each blocks the main process. Returns a function that stops it. */
function scheduleThinning(sampling: ReturnType<typeof createSampling>, clock: Clock): () => void {
  let cancel = clock.after(firstThinningSeconds, thin)
  function thin(): void {
    const isUnfinished = sampling.thin(clock.now())
    cancel = clock.after(isUnfinished ? 1 : thinIntervalSeconds, thin)
  }
  return () => cancel()
}

const pids = ['PID…']

/** Commands that run on machines, for the question of consent. */
const gpuCommands = {
  nvidia: [gpuQuery(new Set())],
  details: [
    detailsQuery({ activity: true, instances: true }),
    programsCommand(pids),
    programsWithoutPs(pids),
    openDevicesCommand,
  ],
  amd: [amdQuery(true), rocmQuery],
  health: [healthScript],
}

/** Whether a machine may be retried with all others: not if its host key has changed. */
const mayRetry = (link: SshLink): boolean =>
  link.kind === 'waiting' || (link.kind === 'stopped' && link.stop.kind !== 'host-key-changed')

/** Reads the GPUs of all machines with the user's consent, over one shared SSH connection per machine. */
export function createTelemetry(deps: TelemetryDeps) {
  const { clock, consents } = deps
  const sampling = createSampling(deps)
  const changes = createEmitter<GpuView>()
  const readings = createEmitter<MachineReading>()
  const emitted = new Map<string, string>()
  const progress = createProgress(clock, (account) =>
    progressOf(account, consents.hasAll(account, 'gpu'), deps.machines(account), view, clock.now()),
  )
  const idsOf = (account: AccountId) => deps.machines(account).map(({ id }) => id)
  const watches = createWatches(
    { ...deps, machines: idsOf, idlePower: sampling.idlePower },
    {
      changed: emitChange,
      connected: deps.connected,
      read(account, machine, report, at) {
        if (report.kind !== 'gpus') return
        sampling.add(account, machine, report.gpus, at)
        readings.emit({ account, machine, gpus: report.gpus, at })
      },
    },
  )

  function view(account: AccountId, machine: string): GpuView {
    const watch = watches.find(account, machine)
    return {
      account,
      machine,
      consent: consents.has(account, machine, 'gpu'),
      link: watches.link(account, machine),
      report: watch?.report() ?? null,
      at: watch?.at() ?? null,
    }
  }

  function emitChange(account: AccountId, machine: string): void {
    progress.touch(account)
    const next = view(account, machine)
    const text = JSON.stringify(next)
    const key = resourceKey(account, machine)
    if (emitted.get(key) === text) return
    emitted.set(key, text)
    changes.emit(next)
  }

  function reconcileConnections(): void {
    watches.reconcileConnections()
    progress.touch(null)
  }

  const stopThinning = scheduleThinning(sampling, clock)

  /** Reads newly allowed machines and deletes the readings of machines without consent. */
  function consentsChanged({ account, machines, purposes }: ConsentChange): void {
    if (!purposes.includes('gpu')) return
    watches.reconcileConnections()
    const isRead = consents.hasAll(account, 'gpu') || consents.consented(account, 'gpu').length > 0
    const withdrawn = (machines ?? []).filter((machine) => !consents.has(account, machine, 'gpu'))
    if (!isRead) sampling.forgetAccount(account)
    else if (withdrawn.length > 0) sampling.forget(account, withdrawn)
    // New consent is a reason to try the machine again.
    const isAffected = (machine: string): boolean =>
      machines?.includes(machine) ?? watches.isFocused(account, machine)
    watches.retry(
      account,
      ({ kind }, machine) => isAffected(machine) && kind !== 'connecting' && kind !== 'connected',
    )
    for (const { id } of deps.machines(account))
      if (machines === null || isAffected(id) || emitted.has(resourceKey(account, id)))
        emitChange(account, id)
    progress.touch(account)
  }
  const unfollowConsents = consents.onChange(consentsChanged)

  const history = (account: AccountId, machine: string, seconds: number) =>
    sampling.history(account, machine, seconds, clock.now())

  const handlers: HandlersOf<typeof gpuCalls> = {
    'gpu.state': ({ account, machine }) => view(account, machine),
    'gpu.fleet': ({ account }) => deps.machines(account).map(({ id }) => view(account, id)),
    'gpu.account': ({ account }) => progress.view(account),
    'gpu.commands': () => gpuCommands,
    'gpu.retryAll': ({ account }) => {
      watches.retry(account, mayRetry)
      return progress.view(account)
    },
    'gpu.look': ({ account, machine, looking }) => {
      watches.focus(account, machine, looking)
      return view(account, machine)
    },
    'gpu.retry': ({ account, machine }) => {
      watches.find(account, machine)?.retry()
      return view(account, machine)
    },
    'gpu.trustHostKey': async ({ account, machine, fingerprint }) => {
      if (!(await watches.find(account, machine)?.trust(fingerprint)))
        throw new FailureError({ kind: 'invalid-input', field: 'hostKey', reason: 'unknown' })
      return view(account, machine)
    },
    'gpu.history': ({ account, machine, seconds }) => history(account, machine, seconds),
  }

  return {
    handlers,
    view,
    loads: sampling.loads,
    storedGpus: sampling.gpus,
    history,
    onChange: changes.on,
    onReading: readings.on,
    onProgress: progress.onChange,
    reconcileConnections,
    need: watches.need,
    windowChanged(isOpen: boolean): void {
      if (!isOpen) watches.blur()
    },
    forget: sampling.forget,
    forgetAccount(account: AccountId): void {
      sampling.forgetAccount(account)
      progress.forgetAccount(account)
    },
    close(): void {
      stopThinning()
      unfollowConsents()
      progress.close()
      watches.close()
      sampling.flush()
    },
  }
}
