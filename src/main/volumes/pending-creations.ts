import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import type { EventPayload } from '#shared/bridge/index'
import { PendingVolume, type VolumeView } from '#shared/bridge/volume'
import { translate } from '#shared/messages/index'
import type { MonotonicClock } from '../core/clock'
import { createElapsed } from '../core/elapsed'
import { createEmitter } from '#shared/emitter'
import { findCreated } from '../creation/outcome'
import { withKnownName, withNameHash } from '../store/name-hash'
import type { Sections } from '../store/settings'

/** A creation with the ids that were there before it was sent, or that are another's. */
const Entry = PendingVolume.extend({
  before: z.array(z.string()),
  /** Whether `before` names everything that was there. */
  isBaselineWhole: z.boolean().default(true),
  /** Private, as the cause is: see name-hash.ts. */
  name: z.string().default(''),
  nameHash: z.string().optional(),
  cause: PendingVolume.shape.cause.default(null),
})
type Entry = z.infer<typeof Entry>

const Entries = z.object({ entries: z.array(Entry.transform(withNameHash)).default([]) })

type FoundVolume = EventPayload<'volumes.pendingCreationsChanged'>['found'][number]

/** The volumes that are there before one is created. `isWhole`: `ids` names all of them. */
export interface Baseline {
  readonly ids: readonly string[]
  readonly isWhole: boolean
}

/** Seconds during which a volume that turns up late is waited for. */
const waitedFor = 120

const view = ({ before: _, isBaselineWhole: __, nameHash: ___, ...pending }: Entry): PendingVolume => ({
  ...pending,
  name: pending.name || translate('creation.nameUnknown'),
})

/**
 * The creations of volumes whose outcome is open, on disk before they are sent: a crash does not make one forgotten.
 * Every change fails with local-fault where it does not get to the disk.
 */
export function openPendingCreations(documents: Sections, clock: Pick<MonotonicClock, 'now' | 'monotonic'>) {
  /** Since it was sent, by the id of the creation. */
  const elapsedSince = createElapsed(clock)
  const section = documents.section('volume-creations', Entries, ['name', 'cause'])
  const changes = createEmitter<EventPayload<'volumes.pendingCreationsChanged'>>()
  /** Admitted, and waiting for those before it or for the list of what is there: nothing of it was sent yet. */
  const queued = new Map<string, PendingVolume>()
  const of = (account: AccountId): readonly Entry[] =>
    section.read().entries.filter((entry) => entry.account === account)
  /** Those whose name is one of these, with it. */
  const named = (account: AccountId, names: readonly string[]): readonly Entry[] =>
    of(account).map((entry) => withKnownName(entry, names))
  /** `names`: what a creation whose name is not known may be called. */
  const list = (account: AccountId, names: readonly string[] = []): PendingVolume[] => [
    ...named(account, names).map(view),
    ...[...queued.values()].filter((one) => one.account === account),
  ]

  async function write(
    account: AccountId,
    change: (entries: readonly Entry[]) => readonly Entry[],
    found: FoundVolume[] = [],
  ): Promise<void> {
    const written = section.change(({ entries }) => ({ entries: [...change(entries)] }))
    changes.emit({ account, pending: list(account), found })
    await written
  }
  const without =
    (ids: readonly string[], volumes: readonly string[], account: AccountId) =>
    (entries: readonly Entry[]): readonly Entry[] =>
      entries
        .filter(({ id }) => !ids.includes(id))
        // A volume is one creation's: none of the others may take it for its own.
        .map((entry) =>
          entry.account === account && volumes.length > 0
            ? { ...entry, before: [...entry.before, ...volumes] }
            : entry,
        )

  const interrupted = section
    .read()
    .entries.filter(({ state }) => state === 'sending')
    .map(({ id }) => id)
  section.onLoad(() => {
    for (const account of new Set(section.read().entries.map((entry) => entry.account)))
      changes.emit({ account, pending: list(account), found: [] })
  })
  /** The volumes that were recognised, by creation. */
  const recognised = new Map<string, string>()

  return {
    list,
    queue: (creation: Omit<PendingVolume, 'state' | 'cause'>): void => {
      queued.set(creation.id, { ...creation, state: 'sending', cause: null })
      changes.emit({ account: creation.account, pending: list(creation.account), found: [] })
    },
    unqueue: (account: AccountId, id: string): void => {
      if (queued.delete(id)) changes.emit({ account, pending: list(account), found: [] })
    },
    onChange: changes.on,
    /** What was being sent when the application ended has an open outcome. */
    async resume(): Promise<void> {
      for (const entry of section.read().entries.filter(({ id }) => interrupted.includes(id)))
        await write(entry.account, (entries) =>
          entries.map((one) => (one.id === entry.id ? { ...one, state: 'unknown' as const } : one)),
        )
    },
    /** Adds a creation before it is sent. `baseline`: the volumes that are there by then. */
    add: (creation: Omit<PendingVolume, 'state' | 'cause'>, baseline: Baseline): Promise<void> => {
      queued.delete(creation.id)
      elapsedSince.begin(creation.id)
      return write(creation.account, (entries) => [
        ...entries,
        withNameHash({
          ...creation,
          state: 'sending' as const,
          cause: null,
          before: [...baseline.ids],
          isBaselineWhole: baseline.isWhole,
        }),
      ])
    },
    /** No answer came. */
    unanswered: (account: AccountId, id: string, cause: PendingVolume['cause']): Promise<void> =>
      write(account, (entries) =>
        entries.map((entry) => (entry.id === id ? { ...entry, state: 'unknown' as const, cause } : entry)),
      ),
    /** It is settled: with this volume, or with none. */
    settle: (account: AccountId, id: string, volume: string | null): Promise<void> =>
      write(account, without([id], volume === null ? [] : [volume], account)),
    /** Takes volumes that are there now for what was created, where nothing else can be meant. */
    async compare(account: AccountId, volumes: readonly VolumeView[]): Promise<void> {
      const candidates = volumes.map(({ id, displayName, createdAt }) => ({
        id,
        name: displayName ?? '',
        started_time: createdAt,
      }))
      const found: (FoundVolume & { readonly creation: string })[] = []
      const names = candidates.map(({ name }) => name)
      for (const { id, state, name, request, sentAt, before, isBaselineWhole } of named(account, names)) {
        if (state !== 'unknown') continue
        const known = new Set([...before, ...found.map((one) => one.id)])
        const finding = findCreated({ name, sentAt, before: known, isBaselineWhole }, candidates)
        if (finding.kind === 'created') found.push({ id: finding.machine, name, request, creation: id })
      }
      if (found.length === 0) return
      found.forEach(({ creation, id }) => recognised.set(creation, id))
      const change = without(
        found.map(({ creation }) => creation),
        found.map(({ id }) => id),
        account,
      )
      await write(
        account,
        change,
        found.map(({ id, name, request }) => ({ id, name, request })),
      )
    },
    /** The volume that a creation without an answer turned out to be. */
    recognised: (creation: string): string | undefined => recognised.get(creation),
    /** One that was sent a moment ago may still turn up. */
    expected: (account: AccountId): boolean =>
      of(account).some(({ id, sentAt }) => elapsedSince.of(id, sentAt) < waitedFor),
    forgetAccount: (account: AccountId): Promise<void> =>
      write(account, (entries) => entries.filter((entry) => entry.account !== account)),
  }
}
export type PendingCreations = ReturnType<typeof openPendingCreations>
