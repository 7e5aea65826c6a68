import { defineStore } from 'pinia'
import type { AccountId } from '#shared/bridge/account'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { ListStatus } from '#shared/bridge/listing'
import { bridge } from '../platform/bridge'
import { useListMirror } from './list-mirror'
import { useSignIn } from './sign-in'

/** Mirror of every account's bare metal instances that are known on this computer. */
export const useBareMetal = defineStore('bare-metal', () => {
  const signIn = useSignIn()
  const mirror = useListMirror<BareMetalView, ListStatus>('bareMetal.snapshot', async (account) => {
    const { instances, ...revision } = await bridge.call('bareMetal.snapshot', { account })
    return { ...revision, items: instances }
  })
  const { lists, current, items: instances, list, status } = mirror
  const find = (account: AccountId, id: string): BareMetalView | undefined =>
    lists.get(account)?.items.get(id)

  function start(): void {
    bridge.on('bareMetal.changed', mirror.receive)
    mirror.follow()
  }
  const refresh = () => mirror.refresh((account) => bridge.call('bareMetal.refresh', { account }))
  const add = (account: AccountId, instance: string): Promise<BareMetalView> =>
    signIn.withReauthentication(account, () => bridge.call('bareMetal.add', { account, instance }))
  const forget = (account: AccountId, instance: string): Promise<void> =>
    bridge.call('bareMetal.forget', { account, instance })

  return { lists, current, instances, list, status, find, start, refresh, add, forget }
})
