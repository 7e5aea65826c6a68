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
import { useListMirror } from './list-mirror'
import { usePerAccount, useSelected } from './per-account'
import { useSignIn } from './sign-in'

export const useVolumes = defineStore('volumes', () => {
  const signIn = useSignIn()
  const mirror = useListMirror<VolumeView, VolumesStatus>('volumes.snapshot', async (account) => {
    const { volumes, ...revision } = await bridge.call('volumes.snapshot', { account })
    return { ...revision, items: volumes }
  })
  const { lists, items: volumes, list, status, failure } = mirror

  const { values: pending, follow: followPending } = usePerAccount<readonly PendingVolume[]>(
    'volumes.pendingCreations',
    (account) => bridge.call('volumes.pendingCreations', { account }),
  )
  const selectedPending = useSelected(pending)
  const pendingCreations = computed(() => selectedPending.value ?? [])
  /** Volumes found last for creations that were not answered. */
  const found = shallowRef<Pick<EventPayload<'volumes.pendingCreationsChanged'>, 'account' | 'found'> | null>(
    null,
  )

  function start(): void {
    bridge.on('volumes.changed', mirror.receive)
    mirror.follow()
    bridge.on('volumes.pendingCreationsChanged', (change) => {
      pending.set(change.account, change.pending)
      if (change.found.length > 0) found.value = change
    })
    followPending()
  }
  /** Reads the pending creations, with names if they may be `name`. */
  const readPending = (account: AccountId, name: string): Promise<PendingVolume[]> =>
    bridge.call('volumes.pendingCreations', { account, names: [name] })
  const dismiss = ({ account, id }: PendingVolume): Promise<void> =>
    bridge.call('volumes.dismiss', { account, creation: id })

  const refresh = () => mirror.refresh((account) => bridge.call('volumes.refresh', { account }))

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
    lists,
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
