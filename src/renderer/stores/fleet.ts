import { defineStore } from 'pinia'
import { computed, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { FleetStatus, LastList, MachineView } from '#shared/bridge/fleet'
import { bridge } from '../platform/bridge'
import { useAccounts } from './accounts'
import { useListMirror } from './list-mirror'
import { followAccounts, useAccountMap } from './per-account'

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

  /**
   * The list as the last run saw it, of each account whose list was not read yet in this one. It is shown as a list and
   * used for nothing else: what runs, what it costs and what can be done is a matter of this run's reading. Null: the last
   * run left none.
   */
  const lastLists = useAccountMap<LastList | null>()
  const isRead = (account: AccountId): boolean => (mirror.lists.get(account)?.status.asOf ?? null) !== null
  const last = computed(() => (accounts.selected ? (lastLists.get(accounts.selected.id) ?? null) : null))
  /** A signed-out account shows nothing; a failed sign-in leaves what was there. */
  const isLeft = (account: AccountId): boolean => {
    const view = accounts.byId(account)
    return view?.state === 'signed-out' && view.failure === null && !view.staysSignedIn
  }
  /** Whether everything is here that can be shown before the service answers. */
  const knowsLast = computed(() => {
    const id = accounts.selected?.id
    return id === undefined || isRead(id) || isLeft(id) || lastLists.has(id)
  })
  /** This run's machines, and those of the last run that it has not read so far. */
  const shown = computed(() =>
    last.value === null
      ? list.value
      : [...list.value, ...last.value.machines.filter(({ id }) => !machines.value.has(id))],
  )

  async function loadLast(account: AccountId): Promise<void> {
    if (isRead(account)) return
    const found = await bridge.call('fleet.lastList', { account }).catch(() => null)
    if (!isRead(account)) lastLists.set(account, found)
  }

  let isStarted = false
  /** Listens first, then reads. A start that was tried before has done both. */
  function start(): void {
    if (isStarted) return
    isStarted = true
    bridge.on('fleet.changed', mirror.receive)
    mirror.follow()
    followAccounts(lastLists, loadLast)
    watch(
      () => [...lastLists.keys()].filter((account) => isRead(account) || isLeft(account)),
      (over) => over.forEach((account) => lastLists.delete(account)),
    )
  }

  async function refresh(): Promise<void> {
    const account = accounts.selected
    if (!account) return
    if (!mirror.lists.has(account.id)) await mirror.load(account.id)
    await bridge.call('fleet.refresh', { account: account.id })
  }

  return {
    fleets: mirror.lists,
    current,
    machines,
    list,
    last,
    knowsLast,
    shown,
    status,
    failure,
    start,
    refresh,
  }
})
