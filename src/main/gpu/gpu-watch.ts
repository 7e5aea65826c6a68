import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { Accounts } from '../accounts/index'
import type { Alerts } from '../alerts/index'
import type { MachineCost } from '../alerts/money-alerts'
import type { BareMetal } from '../bare-metal/index'
import type { Fleet } from '../fleet/index'
import type { Loads } from '../metrics/loads'
import type { Ssh } from '../ssh/index'
import { createTelemetry } from './telemetry/index'
import type { SettingsStore } from '../store/settings'
import type { Store } from '../store/database'
import { createIdle } from './idle/index'

export interface GpuWatchDeps {
  readonly accounts: Pick<Accounts, 'view'>
  readonly settings: Pick<SettingsStore, 'section'>
  readonly store: Pick<Store, 'database' | 'state'>
  readonly ssh: Pick<Ssh, 'reach' | 'record' | 'onReachChange'>
  readonly fleet: Pick<Fleet, 'view' | 'snapshot' | 'onChange'>
  readonly bareMetal: Pick<BareMetal, 'view' | 'onChange'>
  readonly loads: Pick<Loads, 'cpu'>
  readonly alerts: Pick<Alerts, 'list' | 'check'>
  costsOf(account: AccountId, machines: readonly string[]): Promise<ReadonlyMap<string, MachineCost>>
  /** Epoch seconds. */
  now(): number
  after(seconds: number, task: () => void): () => void
  online(): boolean
  report(action: string, error: unknown): void
}

/** GPU telemetry and the idle machines that it finds, tied to the machines that there are. */
export function watchGpus(deps: GpuWatchDeps) {
  const { fleet, bareMetal, ssh, alerts, now, after, report } = deps
  const machine = (account: AccountId, id: string): MachineView | undefined =>
    fleet.view(account, id) ?? bareMetal.view(account, id)

  const telemetry = createTelemetry({
    settings: deps.settings,
    store: deps.store,
    machine,
    reach: ssh.reach,
    record: ssh.record,
    read: (account, id, gpus, at) => idle.read(account, id, gpus, at),
    now,
    after,
    chance: Math.random,
    report,
  })
  const idle = createIdle({
    accounts: deps.accounts,
    settings: deps.settings,
    machines: (account) => fleet.snapshot(account)?.machines ?? [],
    busiest: (...query) => (deps.store.state().kind === 'opening' ? undefined : telemetry.busiest(...query)),
    cpu: (account, id, seconds) => deps.loads.cpu(account, id, seconds),
    fees: async (account, ids) => {
      const costs = await deps.costsOf(account, ids)
      return new Map([...costs].flatMap(([id, { perHour }]) => (perHour ? [[id, perHour] as const] : [])))
    },
    alerts: {
      standing: (account) => alerts.list(account).map(({ cause }) => cause),
      check: (account, found) => alerts.check(account, 'idle', found),
    },
    now,
    after,
    online: deps.online,
    report,
  })

  const unfollow = [
    fleet.onChange(telemetry.settle),
    bareMetal.onChange(telemetry.settle),
    ssh.onReachChange(telemetry.retry),
  ]

  return {
    telemetry,
    idle,
    handlers: { ...telemetry.handlers, ...idle.handlers },
    windowChanged: telemetry.windowChanged,
    wakeChanged: telemetry.wakeChanged,
    /** Machines that are gone for good. Fails with local-fault. */
    forget: telemetry.forget,
    async forgetAccount(account: AccountId): Promise<void> {
      await Promise.all([telemetry.forgetAccount(account), idle.forgetAccount(account)])
    },
    close(): void {
      unfollow.forEach((end) => end())
      idle.close()
      telemetry.close()
    },
  }
}
export type GpuWatch = ReturnType<typeof watchGpus>
