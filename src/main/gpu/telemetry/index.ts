import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { gpuCalls, GpuReading, GpuView } from '#shared/bridge/gpu'
import type { HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { resourceKey } from '#shared/resource-key'
import { createEmitter } from '#shared/emitter'
import type { ReportError } from '../../core/report-error'
import type { ConsentChange } from '../../ssh/machines/consents'
import { gpuQuery, processQuery } from '../tools/gpu-columns'
import { rocmQuery } from '../tools/rocm-smi'
import { createProgress, progressOf } from './account-progress'
import { createSampling, type SamplingDeps, thinEvery } from './sampling'
import { createWatches, type WatchesDeps } from './watches'

export interface TelemetryDeps extends Omit<WatchesDeps, 'machines'> {
  readonly store: SamplingDeps['store']
  readonly report: ReportError
  /** All machines of the account that are listed now. */
  machines(account: AccountId): readonly MachineView[]
}

/** Seconds after the start before old samples are thinned: there is more to do then. */
const firstThinning = 120

/** The GPUs of a machine as they were read at `at` (epoch seconds). */
export interface MachineReading {
  readonly account: AccountId
  readonly machine: string
  readonly gpus: readonly GpuReading[]
  readonly at: number
}

/** GPU telemetry of all machines that the person has agreed to, over one SSH connection each. */
export function createTelemetry(deps: TelemetryDeps) {
  const { clock, consents } = deps
  const sampling = createSampling(deps)
  const changes = createEmitter<GpuView>()
  const readings = createEmitter<MachineReading>()
  /** The last event of each machine, as text. */
  const emitted = new Map<string, string>()
  const progress = createProgress(clock, (account) =>
    progressOf(account, consents.hasAll(account, 'gpu'), deps.machines(account), (id) => view(account, id)),
  )
  const watches = createWatches(
    { ...deps, machines: (account) => deps.machines(account).map(({ id }) => id) },
    {
      changed: emitChange,
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

  let cancelThinning = (): void => undefined
  /** In small steps while much is left to do: each blocks the main process a little. */
  function thin(): void {
    const more = sampling.thin(clock.now())
    cancelThinning = clock.after(more ? 1 : thinEvery, thin)
  }
  cancelThinning = clock.after(firstThinning, thin)

  /** Reads the machines that the user allows now, and drops the readings of all others. */
  function consentsChanged({ account, machines, purposes }: ConsentChange): void {
    if (!purposes.includes('gpu')) return
    watches.reconcileConnections()
    const isRead = consents.hasAll(account, 'gpu') || consents.consented(account, 'gpu').length > 0
    const withdrawn = (machines ?? []).filter((machine) => !consents.has(account, machine, 'gpu'))
    if (!isRead) sampling.forgetAccount(account)
    else if (withdrawn.length > 0) sampling.forget(account, withdrawn)
    // The user's consent is a reason to try the machine once more.
    const isMeant = (machine: string): boolean =>
      machines?.includes(machine) ?? watches.isFocused(account, machine)
    watches.retry(
      account,
      ({ kind }, machine) => isMeant(machine) && kind !== 'connecting' && kind !== 'connected',
    )
    for (const { id } of deps.machines(account))
      if (isMeant(id) || emitted.has(resourceKey(account, id))) emitChange(account, id)
    progress.touch(account)
  }
  const unfollowConsents = consents.onChange(consentsChanged)

  const history = (account: AccountId, machine: string, seconds: number) =>
    sampling.history(account, machine, seconds, clock.now())

  const handlers: HandlersOf<typeof gpuCalls> = {
    'gpu.state': ({ account, machine }) => view(account, machine),
    'gpu.account': ({ account }) => progress.view(account),
    'gpu.commands': () => ({
      nvidia: [gpuQuery(new Set()), processQuery(new Set())],
      amd: [rocmQuery],
    }),
    'gpu.retryAll': ({ account }) => {
      watches.retry(
        account,
        (link) =>
          link.kind === 'waiting' || (link.kind === 'stopped' && link.stop.kind !== 'host-key-changed'),
      )
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
    /** What is known of a machine now. */
    view,
    /** The highest utilization of any GPU per minute since `from`; null where one had none. Oldest first. */
    busiest: sampling.busiest,
    history,
    onChange: changes.on,
    onReading: readings.on,
    onProgress: progress.onChange,
    reconcileConnections,
    windowChanged(isOpen: boolean): void {
      if (!isOpen) watches.blur()
    },
    /** Removes the readings of machines that are gone for good. */
    forget: sampling.forget,
    forgetAccount(account: AccountId): void {
      sampling.forgetAccount(account)
      progress.forgetAccount(account)
    },
    close(): void {
      cancelThinning()
      unfollowConsents()
      progress.close()
      watches.close()
      sampling.flush()
    },
  }
}
