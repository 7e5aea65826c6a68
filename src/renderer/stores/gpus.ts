import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { GpuView } from '#shared/bridge/gpu'
import type { CallOutput } from '#shared/bridge/index'
import { resourceKey } from '#shared/resource-key'
import { bridge } from '../platform/bridge'

/** The GPUs of machines, as far as they are read. */
export const useGpus = defineStore('gpus', () => {
  const views = shallowReactive(new Map<string, GpuView>())
  const keep = (view: GpuView): void => {
    views.set(resourceKey(view.account, view.machine), view)
  }
  const of = (account: AccountId, machine: string): GpuView | null =>
    views.get(resourceKey(account, machine)) ?? null

  bridge.on('gpu.changed', keep)

  async function consent(account: AccountId, machine: string, yes: boolean): Promise<void> {
    keep(await bridge.call('gpu.consent', { account, machine, consent: yes }))
  }
  /** Says that the person looks, or looks away; the machine is then read more often, or less. */
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

  return { of, consent, look, retry, trust, history }
})
