import { defineStore } from 'pinia'
import { computed, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { FleetStatus, LastList, MachineView } from '#shared/bridge/fleet'
import { bridge } from '../platform/bridge'
import { firstAnswers } from '../platform/first-answers'
import { useAccounts } from './accounts'
import { useListMirror } from './list-mirror'
import { followAccounts, useAccountMap, useSelected } from './per-account'

export const useFleet = defineStore('fleet', () => {
  const accounts = useAccounts()
  const mirror = useListMirror<MachineView, FleetStatus>('fleet.snapshot', async (account) => {
    const { machines, ...revision } = await bridge.call('fleet.snapshot', { account })
    return { ...revision, items: machines }
  })
  const { lists, items: machines, list, status, failure } = mirror

  /** The previous run's list, for display only, of accounts that this run has not read; null if there is none. */
  const lastLists = useAccountMap<LastList | null>()
  const isRead = (account: AccountId): boolean => (lists.get(account)?.status.asOf ?? null) !== null
  const last = useSelected(lastLists)
  /** Returns whether the user signed out. After a failed sign-in the list stays. */
  const isSignedOut = (account: AccountId): boolean => {
    const view = accounts.byId(account)
    return view?.state === 'signed-out' && view.failure === null && !view.staysSignedIn
  }
  /** Whether everything is loaded that can be shown before the service answers. */
  const knowsLast = computed(() => {
    const id = accounts.selected?.id
    return id === undefined || isRead(id) || isSignedOut(id) || lastLists.has(id)
  })
  /** This run's machines, and the previous run's machines that this run has not read yet. */
  const shown = computed(() =>
    last.value === null
      ? list.value
      : [...list.value, ...last.value.machines.filter(({ id }) => !machines.value.has(id))],
  )

  async function loadLast(account: AccountId): Promise<void> {
    if (isRead(account)) return
    const lastList = await bridge.call('fleet.lastList', { account }).catch(() => null)
    if (!isRead(account)) lastLists.set(account, lastList)
  }

  let isStarted = false
  /** Runs once, although App.vue repeats a failed start. */
  function start(): void {
    if (isStarted) return
    isStarted = true
    const { lastView } = firstAnswers()
    if (lastView && accounts.selected) lastLists.set(accounts.selected.id, lastView.lastList)
    bridge.on('fleet.changed', mirror.receive)
    mirror.follow()
    followAccounts(lastLists, loadLast)
    watch(
      () => [...lastLists.keys()].filter((account) => isRead(account) || isSignedOut(account)),
      (outdated) => outdated.forEach((account) => lastLists.delete(account)),
    )
  }

  const refresh = () => mirror.refresh((account) => bridge.call('fleet.refresh', { account }))

  return { fleets: lists, machines, list, last, knowsLast, shown, status, failure, start, refresh }
})
