import { defineStore } from 'pinia'
import type { AccountId } from '#shared/bridge/account'
import type { GpuAccountView, GpuView } from '#shared/bridge/gpu'
import type { CallOutput } from '#shared/bridge/index'
import { resourceKey } from '#shared/resource-key'
import { bridge } from '../platform/bridge'
import { useAccountMap, useResourceMap } from './per-account'

export const useGpus = defineStore('gpus', () => {
  const views = useResourceMap<GpuView>()
  const keep = (view: GpuView): void => void views.set(resourceKey(view.account, view.machine), view)
  const of = (account: AccountId, machine: string): GpuView | null =>
    views.get(resourceKey(account, machine)) ?? null

  /** Reading progress of the accounts that the window loaded. */
  const progress = useAccountMap<GpuAccountView>()
  const keepProgress = (view: GpuAccountView): void => void progress.set(view.account, view)

  bridge.on('gpu.changed', keep)
  bridge.on('gpu.accountChanged', keepProgress)

  async function load(account: AccountId, machine: string): Promise<void> {
    keep(await bridge.call('gpu.state', { account, machine }))
  }
  async function loadProgress(account: AccountId): Promise<void> {
    keepProgress(await bridge.call('gpu.account', { account }))
  }
  async function retryAll(account: AccountId): Promise<void> {
    keepProgress(await bridge.call('gpu.retryAll', { account }))
  }
  const commands = (): Promise<CallOutput<'gpu.commands'>> => bridge.call('gpu.commands', {})

  /** Reports whether the machine is in view; main reads it more often then. */
  async function look(account: AccountId, machine: string, looking: boolean): Promise<void> {
    keep(await bridge.call('gpu.look', { account, machine, looking }))
  }
  async function retry(account: AccountId, machine: string): Promise<void> {
    keep(await bridge.call('gpu.retry', { account, machine }))
  }
  async function trust(account: AccountId, machine: string, fingerprint: string): Promise<void> {
    keep(await bridge.call('gpu.trustHostKey', { account, machine, fingerprint }))
  }
  const history = (
    account: AccountId,
    machine: string,
    seconds: number,
  ): Promise<CallOutput<'gpu.history'>> => bridge.call('gpu.history', { account, machine, seconds })

  return { of, load, progress, loadProgress, retryAll, commands, look, retry, trust, history }
})
