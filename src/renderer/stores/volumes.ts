import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import type { CallInput, EventPayload } from '#shared/bridge/index'
import type {
  PendingVolume,
  VolumeCreation,
  VolumesStatus,
  VolumeTypes,
  VolumeView,
} from '#shared/bridge/volume'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { useListMirror } from './list-mirror'
import { usePerAccount } from './per-account'
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

  /** Creations whose outcome is open. */
  const { values: pending, follow: followPending } = usePerAccount<readonly PendingVolume[]>(
    'volumes.pendingCreations',
    (account) => bridge.call('volumes.pendingCreations', { account }),
  )
  const pendingCreations = computed(() =>
    accounts.selected ? (pending.get(accounts.selected.id) ?? []) : [],
  )
  /** What turned out last to be a volume that was created without an answer. */
  const found = shallowRef<Pick<EventPayload<'volumes.pendingCreationsChanged'>, 'account' | 'found'> | null>(
    null,
  )

  /** Subscribes first, then reads. */
  function start(): void {
    bridge.on('volumes.changed', mirror.receive)
    mirror.follow()
    bridge.on('volumes.pendingCreationsChanged', (change) => {
      pending.set(change.account, change.pending)
      if (change.found.length > 0) found.value = change
    })
    followPending()
  }
  /** With the name of each that may be called `name`. */
  const readPending = (account: AccountId, name: string): Promise<PendingVolume[]> =>
    bridge.call('volumes.pendingCreations', { account, names: [name] })
  const dismiss = ({ account, id }: PendingVolume): Promise<void> =>
    bridge.call('volumes.dismiss', { account, creation: id })

  async function refresh(): Promise<void> {
    const account = accounts.selected
    if (!account) return
    if (!mirror.lists.has(account.id)) await mirror.load(account.id)
    await bridge.call('volumes.refresh', { account: account.id })
  }

  const types = (account: AccountId, region: string): Promise<VolumeTypes> =>
    signIn.withReauthentication(account, () => bridge.call('volumes.types', { account, region }))
  const create = (input: CallInput<'volumes.create'>): Promise<VolumeCreation> =>
    signIn.withReauthentication(input.account, () => bridge.call('volumes.create', input))
  const attach = (input: CallInput<'volumes.attach'>): Promise<ActionOutcome> =>
    signIn.withReauthentication(input.account, () => bridge.call('volumes.attach', input))
  const lookUp = (input: CallInput<'volumes.lookUp'>): Promise<LookUp> =>
    signIn.withReauthentication(input.account, () => bridge.call('volumes.lookUp', input))
  const detach = (input: CallInput<'volumes.detach'>): Promise<ActionOutcome> =>
    signIn.withReauthentication(input.account, () => bridge.call('volumes.detach', input))
  const remove = (input: CallInput<'volumes.delete'>): Promise<ActionOutcome> =>
    signIn.withReauthentication(input.account, () => bridge.call('volumes.delete', input))

  return {
    lists: mirror.lists,
    current,
    volumes,
    list,
    status,
    failure,
    pendingCreations,
    found,
    readPending,
    start,
    refresh,
    types,
    create,
    dismiss,
    attach,
    detach,
    lookUp,
    remove,
  }
})
