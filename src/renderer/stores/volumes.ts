import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { CallInput } from '#shared/bridge/index'
import type { VolumeCreation, VolumesStatus, VolumeTypes, VolumeView } from '#shared/bridge/volume'
import { bridge } from '../app/bridge'
import { useAccounts } from './accounts'
import { useListMirror } from './list-mirror'
import { useSignIn } from './sign-in'

const none: ReadonlyMap<string, VolumeView> = new Map()

/** A mirror of every account's volumes, and what can be done with them. */
export const useVolumes = defineStore('volumes', () => {
  const accounts = useAccounts()
  const signIn = useSignIn()
  const mirror = useListMirror<VolumeView, VolumesStatus>('volumes.snapshot', async (account) => {
    const { volumes, ...revision } = await bridge.call('volumes.snapshot', { account })
    return { ...revision, items: volumes }
  })

  const current = computed(() => {
    const account = accounts.selected
    return account ? (mirror.lists.get(account.id) ?? null) : null
  })
  const volumes = computed(() => current.value?.items ?? none)
  const list = computed(() => [...volumes.value.values()])
  const status = computed(() => current.value?.status ?? null)
  /** Why the snapshot itself could not be had. */
  const failure = computed(() =>
    accounts.selected ? (mirror.unread.get(accounts.selected.id) ?? null) : null,
  )

  /** Listens first, then reads. */
  function start(): void {
    bridge.on('volumes.changed', mirror.receive)
    mirror.follow()
  }

  async function refresh(): Promise<void> {
    const account = accounts.selected
    if (!account) return
    if (!mirror.lists.has(account.id)) await mirror.load(account.id)
    await bridge.call('volumes.refresh', { account: account.id })
  }

  const types = (account: AccountId, region: string): Promise<VolumeTypes> =>
    signIn.attend(account, () => bridge.call('volumes.types', { account, region }))
  const create = (input: CallInput<'volumes.create'>): Promise<VolumeCreation> =>
    signIn.attend(input.account, () => bridge.call('volumes.create', input))
  const attach = (input: CallInput<'volumes.attach'>): Promise<void> =>
    signIn.attend(input.account, () => bridge.call('volumes.attach', input))
  const detach = (input: CallInput<'volumes.detach'>): Promise<void> =>
    signIn.attend(input.account, () => bridge.call('volumes.detach', input))
  const remove = (input: CallInput<'volumes.delete'>): Promise<void> =>
    signIn.attend(input.account, () => bridge.call('volumes.delete', input))

  return { current, volumes, list, status, failure, start, refresh, types, create, attach, detach, remove }
})
