import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { Destination, NotificationKind } from '#shared/bridge/app'
import type { EventPayload } from '#shared/bridge/index'
import { maxNotifications, NotificationEntry } from '#shared/bridge/notification'
import { createEmitter } from '#shared/emitter'
import type { Clock } from '../core/clock'
import type { NotificationRequest } from '../core/notification'
import type { ReportError } from '../core/report-error'
import type { Sections } from '../store/settings'
import { boundedWords } from './message'

/** Skips entries in an unknown format. Newest first. */
const History = z.object({
  entries: z
    .array(NotificationEntry.nullable().catch(null))
    .transform((all) => all.filter((entry) => entry !== null))
    .default([]),
})

/** Kinds of alerts. The bell lists an alert itself, so its notification is never new. */
const alertKinds: ReadonlySet<NotificationKind> = new Set([
  'budget',
  'spending',
  'balance',
  'running',
  'idle',
  'health',
])

const accountOf = (destination: Destination): AccountId | null =>
  'account' in destination ? destination.account : null

export interface HistoryDeps {
  readonly documents: Sections
  readonly clock: Pick<Clock, 'now'>
  readonly report: ReportError
}

/** Records the latest notifications in a private document. */
export function createHistory({ documents, clock, report }: HistoryDeps) {
  const section = documents.section('notificationHistory', History)
  const changes = createEmitter<EventPayload<'notifications.changed'>>()
  const emit = (): void => changes.emit({ entries: section.read().entries })
  section.onLoad(emit)
  /** Entries that were cleared last; only in memory. */
  let cleared: readonly NotificationEntry[] = []

  async function change(
    update: (entries: readonly NotificationEntry[]) => NotificationEntry[],
  ): Promise<void> {
    const writing = section.change(({ entries }) => ({ entries: update(entries) }))
    emit()
    await writing
  }

  return {
    onChange: changes.on,
    add(kind: NotificationKind, { words, destination }: NotificationRequest): void {
      const { title, body } = boundedWords(words)
      const entry: NotificationEntry = {
        id: randomUUID(),
        at: clock.now(),
        kind,
        title,
        body,
        account: accountOf(destination),
        destination,
        isNew: !alertKinds.has(kind),
      }
      change((entries) => [entry, ...entries].slice(0, maxNotifications)).catch((error: unknown) =>
        report('notifications.keep', error),
      )
    },
    /** Before the store is open, the notifications of this run; `onChange` follows with all. */
    list: (): NotificationEntry[] => section.read().entries,
    async markSeen(): Promise<void> {
      if (section.read().entries.some(({ isNew }) => isNew))
        await change((entries) => entries.map((entry) => ({ ...entry, isNew: false })))
    },
    async clear(): Promise<void> {
      const { entries } = section.read()
      await change(() => [])
      cleared = entries
    },
    /** Brings back the entries that were cleared last. */
    async restore(): Promise<void> {
      const restored = cleared
      cleared = []
      await change((all) => [...all, ...restored].slice(0, maxNotifications))
    },
    forgetAccount(account: AccountId): Promise<void> {
      cleared = cleared.filter((entry) => entry.account !== account)
      return change((entries) => entries.filter((entry) => entry.account !== account))
    },
  }
}
