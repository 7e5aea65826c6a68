import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { ForwardView, ServicesView } from '#shared/bridge/tunnel'
import { resourceKey } from '#shared/resource-key'
import { bridge } from '../platform/bridge'
import { useResourceMap } from './per-account'

/** Services of the machines in view, and every forwarded port. */
export const useTunnels = defineStore('tunnels', () => {
  const forwards = shallowRef<readonly ForwardView[]>([])
  const views = useResourceMap<ServicesView>()
  const keep = (view: ServicesView): void => void views.set(resourceKey(view.account, view.machine), view)
  const replace = (next: readonly ForwardView[]): void => void (forwards.value = next)
  bridge.on('tunnel.services', keep)

  // If the call fails, the next change brings the list.
  function start(): void {
    bridge.on('tunnel.changed', replace)
    bridge.call('tunnel.forwards', {}).then(replace, () => undefined)
  }
  /** Returns the forwards of one machine. */
  const of = (account: AccountId, machine: string): readonly ForwardView[] =>
    forwards.value.filter((forward) => forward.account === account && forward.machine === machine)
  const services = (account: AccountId, machine: string): ServicesView | null =>
    views.get(resourceKey(account, machine)) ?? null
  const look = async (account: AccountId, machine: string, looking: boolean): Promise<void> =>
    keep(await bridge.call('tunnel.look', { account, machine, looking }))
  const retry = (account: AccountId, machine: string) => bridge.call('tunnel.retry', { account, machine })
  const open = (account: AccountId, machine: string, port: number, browse: boolean): Promise<ForwardView> =>
    bridge.call('tunnel.open', { account, machine, port, browse })
  const stop = async (forward: string): Promise<void> =>
    replace(await bridge.call('tunnel.stop', { forward }))
  const save = async (forward: string, saved: boolean): Promise<void> =>
    replace(await bridge.call('tunnel.save', { forward, saved }))

  return { forwards, of, start, services, look, retry, open, save, stop }
})
