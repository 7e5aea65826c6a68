import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { gpuCalls, GpuReading, GpuView } from '#shared/bridge/gpu'
import type { HandlersOf } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { resourceKey } from '#shared/resource-key'
import { createEmitter } from '#shared/emitter'
import type { ReportError } from '../../core/report-error'
import type { Sections } from '../../store/settings'
import { gpuQuery, processQuery } from '../tools/gpu-columns'
import { rocmQuery } from '../tools/rocm-smi'
import { createProgress, progressOf } from './account-progress'
import { openConsents } from './consents'
import { createSampling, type SamplingDeps, thinEvery } from './sampling'
import { createWatches, type WatchesDeps } from './watches'

export interface TelemetryDeps extends Omit<WatchesDeps, 'machines'> {
  readonly settings: Sections
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
  const { clock } = deps
  const consents = openConsents(deps.settings)
  const sampling = createSampling(deps)
  const changes = createEmitter<GpuView>()
  const readings = createEmitter<MachineReading>()
  /** The last event of each machine, as text. */
  const emitted = new Map<string, string>()
  const progress = createProgress(clock, (account) =>
    progressOf(account, consents.hasAll(account), deps.machines(account), (id) => view(account, id)),
  )
  const watches = createWatches(
    { ...deps, machines: (account) => deps.machines(account).map(({ id }) => id) },
    consents,
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
      consent: consents.has(account, machine),
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

  function settle(): void {
    watches.settle()
    progress.touch(null)
  }

  const checkKnown = (account: AccountId, machine: string): void => {
    if (!deps.machine(account, machine))
      throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
  }

  let cancelThinning = (): void => undefined
  /** In small steps while much is left to do: each blocks the main process a little. */
  function thin(): void {
    const more = sampling.thin(clock.now())
    cancelThinning = clock.after(more ? 1 : thinEvery, thin)
  }
  cancelThinning = clock.after(firstThinning, thin)

  /** Nothing of the account is read any more, and what was read is forgotten. */
  function withdrawAll(account: AccountId): Promise<void> {
    const written = consents.forgetAccount(account)
    settle()
    sampling.forgetAccount(account)
    return written
  }

  const history = (account: AccountId, machine: string, seconds: number) =>
    sampling.history(account, machine, seconds, clock.now())

  const handlers: HandlersOf<typeof gpuCalls> = {
    'gpu.state': ({ account, machine }) => view(account, machine),
    'gpu.consent': async ({ account, machine, consent }) => {
      checkKnown(account, machine)
      const written = consent ? consents.give(account, machine) : consents.withdraw(account, machine)
      settle()
      const watch = watches.find(account, machine)
      // The user's consent is a reason to try once more.
      if (consent && watch && !['connecting', 'connected'].includes(watch.link().kind)) watch.retry()
      if (!consent) sampling.forget(account, [machine])
      emitChange(account, machine)
      await written
      return view(account, machine)
    },
    'gpu.account': ({ account }) => progress.view(account),
    'gpu.commands': () => ({
      nvidia: [gpuQuery(new Set()), processQuery(new Set())],
      amd: [rocmQuery],
    }),
    'gpu.consentAll': async ({ account, consent }) => {
      const written = consent ? consents.giveAll(account) : withdrawAll(account)
      if (consent) watches.settle()
      for (const { id } of deps.machines(account))
        if (watches.isFocused(account, id) || emitted.has(resourceKey(account, id))) emitChange(account, id)
      await written
      return progress.view(account)
    },
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
    settle,
    /** Machines that were agreed to one by one. */
    remembered: consents.of,
    windowChanged(isOpen: boolean): void {
      if (!isOpen) watches.blur()
    },
    /** Removes what is kept of machines that are gone for good. Fails with local-fault. */
    async forget(account: AccountId, machines: readonly string[]): Promise<void> {
      if (!machines.some((machine) => consents.has(account, machine))) return
      const written = consents.forget(account, machines)
      settle()
      sampling.forget(account, machines)
      await written
    },
    async forgetAccount(account: AccountId): Promise<void> {
      const written = withdrawAll(account)
      progress.forgetAccount(account)
      await written
    },
    close(): void {
      cancelThinning()
      progress.close()
      watches.close()
      sampling.flush()
    },
  }
}
