import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AccountId, AccountView } from '#shared/bridge/account'
import {
  Activity,
  type activityCalls,
  type ActivityEvent,
  type activityEvents,
  maxActivities,
} from '#shared/bridge/activity'
import type { MachineView } from '#shared/bridge/fleet'
import type { HandlersOf } from '#shared/bridge/index'
import type { VolumeView } from '#shared/bridge/volume'
import type { Accounts } from '../accounts/index'
import type { Clock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { Fleet } from '../fleet/index'
import type { Volumes } from '../volumes/index'
import type { Sections } from '../store/settings'
import { type Known, lostSignIn, machineEvents, volumeEvents } from './events'

export interface ActivityDeps {
  readonly accounts: Pick<Accounts, 'view' | 'onChange'>
  readonly fleet: Pick<Fleet, 'onChange'>
  readonly volumes: Pick<Volumes, 'onChange'>
  readonly documents: Sections
  readonly clock: Clock
  readonly report: ReportError
}

/** Activities by account, newest first. Skips activities in an unknown format. */
const Lists = z.record(
  z.string(),
  z.array(Activity.nullable().catch(null)).transform((all) => all.filter((activity) => activity !== null)),
)

/** Records the latest events of each account in a private document. */
export function createActivity({ accounts, fleet, volumes, documents, clock, report }: ActivityDeps) {
  const additions = createEmitter<Activity>()
  const section = documents.section('activity', Lists)
  const machines = new Map<AccountId, Known<MachineView>>()
  const disks = new Map<AccountId, Known<VolumeView>>()
  let views: readonly AccountView[] = accounts.view().accounts

  function add(account: AccountId, event: ActivityEvent): void {
    const activity: Activity = { id: randomUUID(), account, at: clock.now(), event }
    section
      .change((all) => ({ ...all, [account]: [activity, ...(all[account] ?? [])].slice(0, maxActivities) }))
      .catch((error: unknown) => report('activity.keep', error))
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
      const previous = new Map(views.map((account) => [account.id, account]))
      views = view.accounts
      for (const account of views)
        if (lostSignIn(previous.get(account.id), account)) add(account.id, { kind: 'sign-in-lost' })
      const present = new Set(views.map(({ id }) => id))
      for (const lists of [machines, disks])
        for (const id of lists.keys()) if (!present.has(id)) lists.delete(id)
    }),
  ]

  const handlers: HandlersOf<typeof activityCalls> = {
    'activity.list': async ({ account }) => {
      await section.ready()
      return section.read()[account] ?? []
    },
  }

  const events: EventsOf<typeof activityEvents> = { 'activity.added': additions.on }

  return defineModule({
    handlers,
    events,
    add,
    async forgetAccount(account: AccountId): Promise<void> {
      await section.change((all) => Object.fromEntries(Object.entries(all).filter(([id]) => id !== account)))
    },
    close: (): void => unsubscribe.forEach((stop) => stop()),
  })
}
