import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import { farthestReminder, Reminder, type reminderCalls, type reminderEvents } from '#shared/bridge/reminder'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { ShowNotification } from '../core/notification'
import type { ReportError } from '../core/report-error'
import { forgetGoneWhileClosed } from '../fleet/gone-while-closed'
import type { Fleet } from '../fleet/index'
import type { Sections } from '../store/settings'
import { reminderText } from './notice'

export interface RemindersDeps {
  readonly documents: Sections
  readonly clock: Clock
  readonly fleet: Pick<Fleet, 'view' | 'onGone' | 'onChange'>
  /** The details of a machine. Fails as the client does. */
  machine(account: AccountId, id: string): Promise<unknown>
  readonly showNotification: ShowNotification
  readonly report: ReportError
}

// The name is private: empty while the store cannot be opened.
const KeptReminder = Reminder.extend({ name: Reminder.shape.name.default('') })
const Kept = z.object({ reminders: z.array(KeptReminder).default([]) })

/** Seconds between two looks at the clock: timers stand still while the computer sleeps, the clock does not. */
const lookEvery = 30

/** Reminders of all accounts. They survive a restart; one that fell due before it is shown at the start. */
export function createReminders(deps: RemindersDeps) {
  const { documents, clock, fleet, showNotification, report } = deps
  const { now, after } = clock
  const section = documents.section('reminders', Kept, ['name'])
  const changes = createEmitter<EventPayload<'reminders.changed'>>()
  const reached = createEmitter<Reminder>()
  let cancel = (): void => undefined

  const all = (): readonly Reminder[] => section.read().reminders
  const named = (one: Reminder): Reminder =>
    one.name === '' ? { ...one, name: fleet.view(one.account, one.machine)?.name ?? one.machine } : one
  const list = (account: AccountId): Reminder[] =>
    all()
      .filter((one) => one.account === account)
      .map(named)
      .sort((one, other) => one.at - other.at)

  async function change(update: (reminders: readonly Reminder[]) => readonly Reminder[]): Promise<void> {
    const before = all()
    const written = section.change(({ reminders }) => ({ reminders: [...update(reminders)] }))
    const touched = new Set([...before, ...all()].map(({ account }) => account))
    for (const account of touched) changes.emit({ account, reminders: list(account) })
    await written
  }

  function show(reminder: Reminder): void {
    reached.emit(reminder)
    const { account, machine } = reminder
    showNotification(reminderText(reminder, translate), { page: 'machines', account, machine })
  }

  let isClosed = false
  const lookWhenReady = (): void =>
    void section.ready().then(() => {
      if (!isClosed) look()
    })
  section.onLoad(() => {
    for (const account of new Set(all().map((one) => one.account)))
      changes.emit({ account, reminders: list(account) })
  })

  /** Shows what is due, and waits for the next one. */
  function look(): void {
    cancel()
    const due = all().filter(({ at, notified }) => !notified && at <= now())
    if (due.some(({ name }) => name === '') && !section.isReady()) return lookWhenReady()
    if (due.length > 0) {
      const ids = new Set(due.map(({ id }) => id))
      change((reminders) =>
        reminders.map((one) => (ids.has(one.id) ? { ...one, notified: true } : one)),
      ).catch((error: unknown) => report('reminders.keep', error))
      due.map(named).forEach(show)
    }
    const pending = all().filter(({ notified }) => !notified)
    if (pending.length === 0) return
    const next = Math.min(...pending.map(({ at }) => at)) - now()
    cancel = after(Math.min(Math.max(next, 0.1), lookEvery), look)
  }

  const handlers: HandlersOf<typeof reminderCalls> = {
    'reminders.list': ({ account }) => list(account),
    'reminders.add': async ({ account, machine, at }) => {
      const name = fleet.view(account, machine)?.name
      if (name === undefined)
        throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
      if (at <= now() || at > now() + farthestReminder)
        throw new FailureError({ kind: 'invalid-input', field: 'at', reason: 'out-of-range' })
      const reminder: Reminder = { id: randomUUID(), account, machine, name, at, notified: false }
      const written = change((reminders) => [...reminders, reminder])
      look()
      await written
      return reminder
    },
    'reminders.cancel': ({ account, reminder }) =>
      change((reminders) => reminders.filter((one) => one.account !== account || one.id !== reminder)),
  }

  const events: EventsOf<typeof reminderEvents> = {
    'reminders.changed': changes.on,
    'reminders.due': reached.on,
  }

  /** Fails with local-fault. */
  async function forget(account: AccountId, ids: readonly string[]): Promise<void> {
    const concerns = (one: Reminder) => one.account === account && ids.includes(one.machine)
    if (all().some(concerns)) await change((reminders) => reminders.filter((one) => !concerns(one)))
  }
  const reportForget = (error: unknown): void => report('reminders.forget', error)
  const unsubscribe = [
    fleet.onGone(({ account, machines }) => {
      const ids = machines.map(({ id }) => id)
      forget(account, ids).catch(reportForget)
    }),
    forgetGoneWhileClosed({
      fleet,
      remembered: (account) => list(account).map(({ machine }) => machine),
      isListed: (account, id) => fleet.view(account, id) !== undefined,
      details: [deps.machine],
      forget,
      report: reportForget,
    }),
  ]

  return defineModule({
    handlers,
    events,
    /** Begins to watch the clock. */
    start: look,
    hasPending: (): boolean => all().some(({ notified }) => !notified),
    forgetAccount: (account: AccountId): Promise<void> =>
      change((reminders) => reminders.filter((one) => one.account !== account)),
    close(): void {
      isClosed = true
      unsubscribe.forEach((end) => end())
      cancel()
    },
  })
}
