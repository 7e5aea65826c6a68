import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { gpuEvents, healthEvents } from '#shared/bridge/gpu'
import type { idleEvents } from '#shared/bridge/idle'
import type { Accounts } from '../accounts/index'
import type { Alerts } from '../alerts/index'
import type { MachineCost } from '../alerts/money-alerts'
import type { BareMetal } from '../bare-metal/index'
import type { Clock } from '../core/clock'
import { defineModule, type EventsOf } from '../core/module'
import type { Network } from '../core/network'
import type { ReportError } from '../core/report-error'
import type { Fleet } from '../fleet/index'
import type { Loads } from '../metrics/loads'
import type { OpenConsents } from '../ssh/machines/consents'
import type { SshMachines } from '../ssh/machines/index'
import type { Store } from '../store/database'
import type { Sections } from '../store/settings'
import { createHealth } from './health/index'
import { createIdle } from './idle/index'
import { createTelemetry } from './telemetry/index'

export interface GpuDeps {
  readonly accounts: Pick<Accounts, 'view' | 'service'>
  readonly settings: Sections
  readonly store: Pick<Store, 'database' | 'state'>
  readonly sshMachines: Pick<SshMachines, 'acquire'>
  readonly consents: OpenConsents
  readonly fleet: Pick<Fleet, 'view' | 'snapshot' | 'onChange' | 'onGone'>
  readonly bareMetal: Pick<BareMetal, 'view' | 'views' | 'onChange'>
  readonly loads: Pick<Loads, 'cpu'>
  readonly alerts: Pick<Alerts, 'list' | 'check'>
  costsOf(account: AccountId, machines: readonly string[]): Promise<ReadonlyMap<string, MachineCost>>
  readonly clock: Clock
  readonly network: Network
  readonly report: ReportError
}

export function createGpus(deps: GpuDeps) {
  const { fleet, bareMetal, alerts, clock, network, report } = deps
  const machine = (account: AccountId, id: string): MachineView | undefined =>
    fleet.view(account, id) ?? bareMetal.view(account, id)

  const health = createHealth({
    machine,
    alerts: {
      standing: (account) => alerts.list(account).map(({ cause }) => cause),
      check: (account, found) => alerts.check(account, 'health', found),
    },
    clock,
    online: network.online,
  })
  const telemetry = createTelemetry({
    connected: health.connected,
    store: deps.store,
    machine,
    machines: (account) => [...(fleet.snapshot(account)?.machines ?? []), ...bareMetal.views(account)],
    sshMachines: deps.sshMachines,
    consents: deps.consents,
    clock,
    report,
  })
  const idle = createIdle({
    accounts: deps.accounts,
    settings: deps.settings,
    machines: (account) => fleet.snapshot(account)?.machines ?? [],
    instances: (account) => bareMetal.views(account),
    isMonitored: (account, id) => deps.consents.has(account, id, 'gpu'),
    storedGpus: telemetry.storedGpus,
    loads: (...query) => (deps.store.state().kind === 'opening' ? undefined : telemetry.loads(...query)),
    cpu: (account, id, seconds) => deps.loads.cpu(account, id, seconds),
    fees: async (account, ids) => {
      const costs = await deps.costsOf(account, ids)
      return new Map([...costs].flatMap(([id, { perHour }]) => (perHour ? [[id, perHour] as const] : [])))
    },
    alerts: {
      standing: (account) => alerts.list(account).map(({ cause }) => cause),
      check: (account, found) => alerts.check(account, 'idle', found),
    },
    clock,
    online: network.online,
    report,
  })

  const unsubscribe = [
    fleet.onChange(telemetry.reconcileConnections),
    fleet.onGone(({ account, machines }) => {
      const ids = machines.map(({ id }) => id)
      telemetry.forget(account, ids)
      health.forget(account, ids)
    }),
    bareMetal.onChange(telemetry.reconcileConnections),
    telemetry.onReading(({ account, machine: id, gpus, at }) => {
      idle.addReading(account, id, gpus, at)
      health.addReading(account, id, gpus)
    }),
    telemetry.onChange(health.linkChanged),
  ]

  const events: EventsOf<typeof gpuEvents & typeof idleEvents & typeof healthEvents> = {
    'gpu.changed': telemetry.onChange,
    'gpu.accountChanged': telemetry.onProgress,
    'idle.changed': idle.onChange,
    'gpu.healthChanged': health.onChange,
  }
  return defineModule({
    handlers: { ...telemetry.handlers, ...idle.handlers, ...health.handlers },
    events,
    idle: {
      of: idle.of,
      list: idle.list,
      /** See createIdle. The machine needs no turn while this is asked at intervals: no work may go unseen. */
      gpusIdleSince(account: AccountId, id: string, minutes: number): number | null {
        telemetry.need(account, id)
        return idle.gpusIdleSince(account, id, minutes)
      },
      atWork: idle.atWork,
      onChange: idle.onChange,
    },
    report: (account: AccountId, id: string) => telemetry.view(account, id).report,
    history: telemetry.history,
    windowChanged(isOpen: boolean): void {
      telemetry.windowChanged(isOpen)
      idle.windowChanged(isOpen)
    },
    wakeChanged(awake: boolean): void {
      idle.wakeChanged(awake)
    },
    forgetAccount(account: AccountId): void {
      idle.forgetAccount(account)
      health.forgetAccount(account)
      telemetry.forgetAccount(account)
    },
    close(): void {
      unsubscribe.forEach((end) => end())
      idle.close()
      health.close()
      telemetry.close()
    },
  })
}
