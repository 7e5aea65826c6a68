import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { FleetStatus, MachineView } from '#shared/bridge/fleet'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { useListMirror } from './list-mirror'

const none: ReadonlyMap<string, MachineView> = new Map()

/** A mirror of every account's machines, kept in step by revision. */
export const useFleet = defineStore('fleet', () => {
  const accounts = useAccounts()
  const mirror = useListMirror<MachineView, FleetStatus>('fleet.snapshot', async (account) => {
    const { machines, ...revision } = await bridge.call('fleet.snapshot', { account })
    return { ...revision, items: machines }
  })

  const current = computed(() => {
    const account = accounts.selected
    return account ? (mirror.lists.get(account.id) ?? null) : null
  })
  const machines = computed(() => current.value?.items ?? none)
  const list = computed(() => [...machines.value.values()])
  const status = computed(() => current.value?.status ?? null)
  /** Why the snapshot itself could not be had. */
  const failure = computed(() =>
    accounts.selected ? (mirror.unread.get(accounts.selected.id) ?? null) : null,
  )

  /** Listens first, then reads. */
  function start(): void {
    bridge.on('fleet.changed', mirror.receive)
    mirror.follow()
  }

  async function refresh(): Promise<void> {
    const account = accounts.selected
    if (!account) return
    if (!mirror.lists.has(account.id)) await mirror.load(account.id)
    await bridge.call('fleet.refresh', { account: account.id })
  }

  return { fleets: mirror.lists, current, machines, list, status, failure, start, refresh }
})
