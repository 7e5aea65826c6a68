import { randomUUID } from 'node:crypto'
import type { AccountId, AccountView } from '#shared/bridge/account'
import {
  type Activity,
  type activityCalls,
  type ActivityEvent,
  type activityEvents,
  activityKept,
} from '#shared/bridge/activity'
import type { MachineView } from '#shared/bridge/fleet'
import type { HandlersOf } from '#shared/bridge/index'
import type { VolumeView } from '#shared/bridge/volume'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '../core/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { Fleet } from '../fleet/index'
import type { Volumes } from '../volumes/index'
import { type Known, lostSignIn, machineEvents, volumeEvents } from './events'

export interface ActivityDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange'>
  readonly fleet: Pick<Fleet, 'onChange'>
  readonly volumes: Pick<Volumes, 'onChange'>
  readonly clock: Clock
}

/** What happened to each account since the application started, as far as it was seen: in memory, the last of it. */
export function createActivity({ accounts, fleet, volumes, clock }: ActivityDeps) {
  const additions = createEmitter<Activity>()
  const lists = new Map<AccountId, readonly Activity[]>()
  const machines = new Map<AccountId, Known<MachineView>>()
  const disks = new Map<AccountId, Known<VolumeView>>()
  let views: readonly AccountView[] = accounts.view().accounts

  function add(account: AccountId, event: ActivityEvent): void {
    const activity: Activity = { id: randomUUID(), account, at: clock.now(), event }
    lists.set(account, [activity, ...(lists.get(account) ?? [])].slice(0, activityKept))
    additions.emit(activity)
  }

  const unsubscribe = [
    fleet.onChange((change) => {
      const { known, events } = machineEvents(machines.get(change.account), change)
      machines.set(change.account, known)
      events.forEach((event) => add(change.account, event))
    }),
    volumes.onChange((change) => {
      const { known, events } = volumeEvents(disks.get(change.account), change)
      disks.set(change.account, known)
      events.forEach((event) => add(change.account, event))
    }),
    accounts.onChange((view) => {
      const before = new Map(views.map((account) => [account.id, account]))
      views = view.accounts
      for (const account of views)
        if (lostSignIn(before.get(account.id), account)) add(account.id, { kind: 'sign-in-lost' })
      const known = new Set(views.map(({ id }) => id))
      for (const kept of [lists, machines, disks])
        for (const id of [...kept.keys()]) if (!known.has(id)) kept.delete(id)
    }),
  ]

  const handlers: HandlersOf<typeof activityCalls> = {
    'activity.list': ({ account }) => [...(lists.get(account) ?? [])],
  }

  const events: EventsOf<typeof activityEvents> = { 'activity.added': additions.on }

  return defineModule({
    handlers,
    events,
    add,
    forgetAccount: 'follows-accounts',
    close: (): void => unsubscribe.forEach((stop) => stop()),
  })
}
