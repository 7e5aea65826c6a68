import { defineStore } from 'pinia'
import { computed, shallowReactive, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { FleetChange, MachineView } from '#shared/bridge/fleet'
import { failureOf, type Failure } from '#shared/failure'
import { bridge } from '../app/bridge'
import { useAccounts } from './accounts'
import { applyChange, catchUp, type AccountFleet } from './fleet-state'

const none: ReadonlyMap<string, MachineView> = new Map()

/** A mirror of every account's machines, kept in step by revision. */
export const useFleet = defineStore('fleet', () => {
  const accounts = useAccounts()
  const fleets = shallowReactive(new Map<AccountId, AccountFleet>())
  const unread = shallowReactive(new Map<AccountId, Failure>())
  // Changes that arrive while a snapshot is on its way; a key here means that one is.
  const arrived = new Map<AccountId, FleetChange[]>()

  const current = computed(() => {
    const account = accounts.selected
    return account ? (fleets.get(account.id) ?? null) : null
  })
  const machines = computed(() => current.value?.machines ?? none)
  const list = computed(() => [...machines.value.values()])
  const status = computed(() => current.value?.status ?? null)
  /** Why the snapshot itself could not be had. */
  const failure = computed(() => (accounts.selected ? (unread.get(accounts.selected.id) ?? null) : null))

  async function load(account: AccountId): Promise<void> {
    if (arrived.has(account)) return
    const changes: FleetChange[] = []
    arrived.set(account, changes)
    try {
      for (;;) {
        const step = catchUp(await bridge.call('fleet.snapshot', { account }), changes)
        if (step.kind !== 'applied') continue
        if (accounts.byId(account)) fleets.set(account, step.fleet)
        unread.delete(account)
        return
      }
    } catch (error) {
      unread.set(account, failureOf(error, 'fleet.snapshot'))
    } finally {
      arrived.delete(account)
    }
  }

  function receive(change: FleetChange): void {
    const waiting = arrived.get(change.account)
    if (waiting) {
      waiting.push(change)
      return
    }
    const fleet = fleets.get(change.account)
    const step = fleet ? applyChange(fleet, change) : { kind: 'missed' as const }
    if (step.kind === 'applied') fleets.set(change.account, step.fleet)
    if (step.kind === 'missed') void load(change.account)
  }

  /** Listens first, then reads every account there is and will be. */
  function start(): void {
    bridge.on('fleet.changed', receive)
    watch(
      () => accounts.all.map(({ id }) => id),
      (ids) => {
        for (const id of fleets.keys()) if (!ids.includes(id)) fleets.delete(id)
        for (const id of ids) if (!fleets.has(id)) void load(id)
      },
      { immediate: true },
    )
  }

  async function refresh(): Promise<void> {
    const account = accounts.selected
    if (!account) return
    if (!fleets.has(account.id)) await load(account.id)
    await bridge.call('fleet.refresh', { account: account.id })
  }

  return { fleets, current, machines, list, status, failure, start, refresh }
})
