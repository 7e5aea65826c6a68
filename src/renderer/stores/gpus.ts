import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { GpuAccountView, GpuView, HealthView } from '#shared/bridge/gpu'
import type { CallInput } from '#shared/bridge/index'
import { resourceKey } from '#shared/resource-key'
import { waitsForTurn } from '#shared/ssh-wait-reasons'
import { bridge } from '../platform/bridge'
import { useAccountMap, useResourceMap } from './per-account'

export const useGpus = defineStore('gpus', () => {
  const views = useResourceMap<GpuView>()
  const keep = (view: GpuView): void => void views.set(resourceKey(view.account, view.machine), view)
  const of = (account: AccountId, machine: string): GpuView | null =>
    views.get(resourceKey(account, machine)) ?? null
  /** Whether machines are read in turns, because there are too many. */
  const isRotated = computed(() => [...views.values()].some(({ link }) => waitsForTurn(link)))

  /** Reading progress of the accounts that the window loaded. */
  const progress = useAccountMap<GpuAccountView>()
  const keepProgress = (view: GpuAccountView): void => void progress.set(view.account, view)

  const healthViews = useResourceMap<HealthView>()
  const keepHealth = (view: HealthView): void =>
    void healthViews.set(resourceKey(view.account, view.machine), view)
  const healthOf = (account: AccountId, machine: string): HealthView | null =>
    healthViews.get(resourceKey(account, machine)) ?? null
  bridge.on('gpu.healthChanged', keepHealth)
  async function loadHealth(account: AccountId, machine: string): Promise<void> {
    const view = await bridge.call('gpu.health', { account, machine })
    if (view) keepHealth(view)
  }

  /** Accounts whose machines were all loaded. */
  const loadedFleets = useAccountMap<true>()

  bridge.on('gpu.changed', keep)
  bridge.on('gpu.accountChanged', keepProgress)

  const load = (account: AccountId, machine: string) =>
    bridge.call('gpu.state', { account, machine }).then(keep)
  const loadFleet = async (account: AccountId): Promise<void> => {
    for (const view of await bridge.call('gpu.fleet', { account })) keep(view)
    loadedFleets.set(account, true)
  }
  const loadProgress = (account: AccountId) => bridge.call('gpu.account', { account }).then(keepProgress)
  const retryAll = (account: AccountId) => bridge.call('gpu.retryAll', { account }).then(keepProgress)
  const commands = () => bridge.call('gpu.commands', {})
  /** Reports whether the machine is in view; main reads it more often then. */
  const look = (account: AccountId, machine: string, looking: boolean) =>
    bridge.call('gpu.look', { account, machine, looking }).then(keep)
  const retry = (account: AccountId, machine: string) =>
    bridge.call('gpu.retry', { account, machine }).then(keep)
  const trust = (account: AccountId, machine: string, fingerprint: string) =>
    bridge.call('gpu.trustHostKey', { account, machine, fingerprint }).then(keep)
  const endProcess = (request: CallInput<'process.end'>) => bridge.call('process.end', request)
  const history = (account: AccountId, machine: string, seconds: number) =>
    bridge.call('gpu.history', { account, machine, seconds })

  return {
    healthOf,
    loadHealth,
    of,
    isRotated,
    load,
    loadFleet,
    loadedFleets,
    progress,
    loadProgress,
    retryAll,
    commands,
    look,
    retry,
    trust,
    endProcess,
    history,
  }
})
