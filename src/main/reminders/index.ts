import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { EventPayload, HandlersOf } from '#shared/bridge/index'
import {
  maxReminderSeconds,
  Reminder,
  type reminderCalls,
  type reminderEvents,
} from '#shared/bridge/reminder'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { Clock } from '../core/clock'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import type { ShowNotification } from '../core/notification'
import type { ReportError } from '../core/report-error'
import { forgetGone } from '../fleet/forget-gone'
import type { Fleet } from '../fleet/index'
import type { Sections } from '../store/settings'
import { reminderText } from './notice'

export interface RemindersDeps {
  readonly documents: Sections
  readonly clock: Clock
  readonly fleet: Pick<Fleet, 'view' | 'onGone' | 'onChange'>
  /** Reads the details of a machine. Fails as the client does. */
  machine(account: AccountId, id: string): Promise<unknown>
  readonly showNotification: ShowNotification
  readonly report: ReportError
}

// The name is private and empty while the store is closed.
const StoredReminder = Reminder.extend({ name: Reminder.shape.name.default('') })
const ReminderDocument = z.object({ reminders: z.array(StoredReminder).default([]) })

/** Longest wait before the clock is checked: timers stop while the computer sleeps, the clock does not. */
const maxWaitSeconds = 30

/** Manages the reminders of all accounts. They survive a restart; an overdue reminder is shown at the start. */
export function createReminders(deps: RemindersDeps) {
  const { documents, clock, fleet, showNotification, report } = deps
  const { now, after } = clock
  const section = documents.section('reminders', ReminderDocument, ['name'])
  const changes = createEmitter<EventPayload<'reminders.changed'>>()
  const reached = createEmitter<Reminder>()
  let cancel = (): void => undefined

  const all = (): readonly Reminder[] => section.read().reminders
  const named = (reminder: Reminder): Reminder =>
    reminder.name === ''
      ? { ...reminder, name: fleet.view(reminder.account, reminder.machine)?.name ?? reminder.machine }
      : reminder
  const list = (account: AccountId): Reminder[] =>
    all()
      .filter((reminder) => reminder.account === account)
      .map(named)
      .sort((a, b) => a.at - b.at)

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
    showNotification('reminder', reminderText(reminder, translate), { page: 'machines', account, machine })
  }

  let isClosed = false
  const checkWhenReady = (): void =>
    void section.ready().then(() => {
      if (!isClosed) check()
    })
  section.onLoad(() => {
    for (const account of new Set(all().map((reminder) => reminder.account)))
      changes.emit({ account, reminders: list(account) })
  })

  /** Shows due reminders and waits for the next one. */
  function check(): void {
    cancel()
    const due = all().filter(({ at, notified }) => !notified && at <= now())
    if (due.some(({ name }) => name === '') && !section.isReady()) return checkWhenReady()
    if (due.length > 0) {
      const ids = new Set(due.map(({ id }) => id))
      change((reminders) =>
        reminders.map((reminder) => (ids.has(reminder.id) ? { ...reminder, notified: true } : reminder)),
      ).catch((error: unknown) => report('reminders.keep', error))
      due.map(named).forEach(show)
    }
    const pending = all().filter(({ notified }) => !notified)
    if (pending.length === 0) return
    const next = Math.min(...pending.map(({ at }) => at)) - now()
    cancel = after(Math.min(Math.max(next, 0.1), maxWaitSeconds), check)
  }

  const handlers: HandlersOf<typeof reminderCalls> = {
    'reminders.list': ({ account }) => list(account),
    'reminders.add': async ({ account, machine, at }) => {
      const name = fleet.view(account, machine)?.name
      if (name === undefined)
        throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
      if (at <= now() || at > now() + maxReminderSeconds)
        throw new FailureError({ kind: 'invalid-input', field: 'at', reason: 'out-of-range' })
      const reminder: Reminder = { id: randomUUID(), account, machine, name, at, notified: false }
      const written = change((reminders) => [...reminders, reminder])
      check()
      await written
      return reminder
    },
    'reminders.cancel': ({ account, reminder }) =>
      change((reminders) =>
        reminders.filter((existing) => existing.account !== account || existing.id !== reminder),
      ),
  }

  const events: EventsOf<typeof reminderEvents> = {
    'reminders.changed': changes.on,
    'reminders.due': reached.on,
  }

  /** Fails with local-fault. */
  async function forget(account: AccountId, ids: readonly string[]): Promise<void> {
    const isAffected = (reminder: Reminder) => reminder.account === account && ids.includes(reminder.machine)
    if (all().some(isAffected))
      await change((reminders) => reminders.filter((reminder) => !isAffected(reminder)))
  }
  const unsubscribe = forgetGone({
    fleet,
    onGone: fleet.onGone,
    remembered: (account) => list(account).map(({ machine }) => machine),
    isListed: (account, id) => fleet.view(account, id) !== undefined,
    details: [deps.machine],
    forget,
    report: (error) => report('reminders.forget', error),
  })

  return defineModule({
    handlers,
    events,
    start: check,
    hasPending: (): boolean => all().some(({ notified }) => !notified),
    forgetAccount: (account: AccountId): Promise<void> =>
      change((reminders) => reminders.filter((reminder) => reminder.account !== account)),
    close(): void {
      isClosed = true
      unsubscribe()
      cancel()
    },
  })
}
