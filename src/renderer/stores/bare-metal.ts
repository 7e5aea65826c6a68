import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { ListStatus } from '#shared/bridge/listing'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { useListMirror } from './list-mirror'
import { useSignIn } from './sign-in'

const none: ReadonlyMap<string, BareMetalView> = new Map()

/** A mirror of the bare metal instances that are known here, of every account. */
export const useBareMetal = defineStore('bare-metal', () => {
  const accounts = useAccounts()
  const signIn = useSignIn()
  const mirror = useListMirror<BareMetalView, ListStatus>('bareMetal.snapshot', async (account) => {
    const { instances, ...revision } = await bridge.call('bareMetal.snapshot', { account })
    return { ...revision, items: instances }
  })

  const current = computed(() =>
    accounts.selected ? (mirror.lists.get(accounts.selected.id) ?? null) : null,
  )
  const instances = computed(() => current.value?.items ?? none)
  const list = computed(() => [...instances.value.values()])
  const status = computed(() => current.value?.status ?? null)
  const find = (account: AccountId, id: string): BareMetalView | undefined =>
    mirror.lists.get(account)?.items.get(id)

  /** Listens first, then reads. */
  function start(): void {
    bridge.on('bareMetal.changed', mirror.receive)
    mirror.follow()
  }
  async function refresh(): Promise<void> {
    if (accounts.selected) await bridge.call('bareMetal.refresh', { account: accounts.selected.id })
  }
  const add = (account: AccountId, instance: string): Promise<BareMetalView> =>
    signIn.withReauthentication(account, () => bridge.call('bareMetal.add', { account, instance }))
  const forget = (account: AccountId, instance: string): Promise<void> =>
    bridge.call('bareMetal.forget', { account, instance })

  return { lists: mirror.lists, current, instances, list, status, find, start, refresh, add, forget }
})
