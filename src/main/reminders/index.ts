import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { HandlersOf } from '#shared/bridge/index'
import { farthestReminder, Reminder, type reminderCalls } from '#shared/bridge/reminder'
import { FailureError } from '#shared/failure'
import type { SettingsStore } from '../store/settings'

export interface RemindersDeps {
  readonly settings: Pick<SettingsStore, 'section'>
  /** Epoch seconds. */
  now(): number
  /** Runs `task` after so many seconds; the answer calls it off. */
  after(seconds: number, task: () => void): () => void
  /** What the machine is called; undefined where it is not known. */
  nameOf(account: AccountId, machine: string): string | undefined
  /** Its time has come. */
  tell(reminder: Reminder): void
  /** Something that the person did not wait for failed. */
  report(action: string, error: unknown): void
}

const Kept = z.object({ reminders: z.array(Reminder).default([]) })

/** Seconds between two looks at the clock: timers stand still while the computer sleeps, the clock does not. */
const lookEvery = 30

/** Reminders of all accounts. They survive a restart; one whose time came meanwhile is told at the start. */
export function createReminders({ settings, now, after, nameOf, tell, report }: RemindersDeps) {
  const section = settings.section('reminders', Kept)
  const listeners = new Set<(account: AccountId, reminders: Reminder[]) => void>()
  let cancel = (): void => undefined

  const all = (): readonly Reminder[] => section.read().reminders
  const list = (account: AccountId): Reminder[] =>
    all()
      .filter((one) => one.account === account)
      .sort((one, other) => one.at - other.at)

  async function change(update: (reminders: readonly Reminder[]) => readonly Reminder[]): Promise<void> {
    const before = all()
    const written = section.change(({ reminders }) => ({ reminders: [...update(reminders)] }))
    const touched = new Set([...before, ...all()].map(({ account }) => account))
    for (const account of touched) listeners.forEach((listener) => listener(account, list(account)))
    await written
  }

  /** Tells what is due, and waits for the next one. */
  function look(): void {
    cancel()
    const due = all().filter(({ at, told }) => !told && at <= now())
    if (due.length > 0) {
      const ids = new Set(due.map(({ id }) => id))
      change((reminders) => reminders.map((one) => (ids.has(one.id) ? { ...one, told: true } : one))).catch(
        (error: unknown) => report('reminders.keep', error),
      )
      due.forEach(tell)
    }
    const pending = all().filter(({ told }) => !told)
    if (pending.length === 0) return
    const next = Math.min(...pending.map(({ at }) => at)) - now()
    cancel = after(Math.min(Math.max(next, 0.1), lookEvery), look)
  }

  const handlers: HandlersOf<typeof reminderCalls> = {
    'reminders.list': ({ account }) => list(account),
    'reminders.add': async ({ account, machine, at }) => {
      const name = nameOf(account, machine)
      if (name === undefined)
        throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
      if (at <= now() || at > now() + farthestReminder)
        throw new FailureError({ kind: 'invalid-input', field: 'at', reason: 'out-of-range' })
      const reminder: Reminder = { id: randomUUID(), account, machine, name, at, told: false }
      const written = change((reminders) => [...reminders, reminder])
      look()
      await written
      return reminder
    },
    'reminders.cancel': ({ account, reminder }) =>
      change((reminders) => reminders.filter((one) => one.account !== account || one.id !== reminder)),
  }

  return {
    handlers,
    onChange(listener: (account: AccountId, reminders: Reminder[]) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Begins to watch the clock. */
    start: look,
    /** Machines that are gone need no reminding. Fails with local-fault. */
    async forget(account: AccountId, machines: readonly string[]): Promise<void> {
      const concerns = (one: Reminder) => one.account === account && machines.includes(one.machine)
      if (all().some(concerns)) await change((reminders) => reminders.filter((one) => !concerns(one)))
    },
    forgetAccount: (account: AccountId): Promise<void> =>
      change((reminders) => reminders.filter((one) => one.account !== account)),
    close: (): void => cancel(),
  }
}
