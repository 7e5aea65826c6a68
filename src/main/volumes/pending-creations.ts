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

/** Open creation, with the ids of volumes that cannot be its result. */
const Entry = PendingVolume.extend({
  before: z.array(z.string()),
  /** Whether `before` names every volume that existed. */
  isBaselineWhole: z.boolean().default(true),
  /** Private, like the cause: see name-hash.ts. */
  name: z.string().default(''),
  nameHash: z.string().optional(),
  cause: PendingVolume.shape.cause.default(null),
})
type Entry = z.infer<typeof Entry>

const Entries = z.object({ entries: z.array(Entry.transform(withNameHash)).default([]) })

type FoundVolume = EventPayload<'volumes.pendingCreationsChanged'>['found'][number]

/** Volumes that exist before a creation. `isWhole`: whether `ids` names all of them. */
export interface Baseline {
  readonly ids: readonly string[]
  readonly isWhole: boolean
}

/** Time in which a created volume may still turn up. */
const lateSeconds = 120

const view = ({ before: _, isBaselineWhole: __, nameHash: ___, ...pending }: Entry): PendingVolume => ({
  ...pending,
  name: pending.name || translate('creation.nameUnknown'),
})

/**
 * Stores the creations whose outcome is open before they are sent, so that they survive a crash. Every change fails with
 * local-fault if the disk refuses.
 */
export function openPendingCreations(documents: Sections, clock: Pick<MonotonicClock, 'now' | 'monotonic'>) {
  const elapsedSince = createElapsed(clock)
  const section = documents.section('volume-creations', Entries, ['name', 'cause'])
  const changes = createEmitter<EventPayload<'volumes.pendingCreationsChanged'>>()
  /** Accepted creations that wait for earlier ones or for the list. Nothing was sent yet. */
  const queued = new Map<string, PendingVolume>()
  const of = (account: AccountId): readonly Entry[] =>
    section.read().entries.filter((entry) => entry.account === account)
  /** Returns the entries, and adds the name if it is among `names`. */
  const named = (account: AccountId, names: readonly string[]): readonly Entry[] =>
    of(account).map((entry) => withKnownName(entry, names))
  /** Lists open creations. `names`: candidates for names that are stored only as a hash. */
  const list = (account: AccountId, names: readonly string[] = []): PendingVolume[] => [
    ...named(account, names).map(view),
    ...[...queued.values()].filter((creation) => creation.account === account),
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
        // A volume belongs to one creation, so no other entry may match it.
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
    /** Marks creations that were being sent when the application ended as open. */
    async resume(): Promise<void> {
      for (const entry of section.read().entries.filter(({ id }) => interrupted.includes(id)))
        await write(entry.account, (entries) =>
          entries.map((other) => (other.id === entry.id ? { ...other, state: 'unknown' as const } : other)),
        )
    },
    /** Adds a creation before it is sent. `baseline`: volumes that exist now. */
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
    unanswered: (account: AccountId, id: string, cause: PendingVolume['cause']): Promise<void> =>
      write(account, (entries) =>
        entries.map((entry) => (entry.id === id ? { ...entry, state: 'unknown' as const, cause } : entry)),
      ),
    /** Removes a creation, whose result is this volume or none. */
    settle: (account: AccountId, id: string, volume: string | null): Promise<void> =>
      write(account, without([id], volume === null ? [] : [volume], account)),
    /** Matches open creations with current volumes if only one volume is possible. */
    async compare(account: AccountId, volumes: readonly VolumeView[]): Promise<void> {
      const candidates = volumes.map(({ id, displayName, createdAt }) => ({
        id,
        name: displayName ?? '',
        started_time: createdAt,
      }))
      const matches: (FoundVolume & { readonly creation: string })[] = []
      const names = candidates.map(({ name }) => name)
      for (const { id, state, name, request, sentAt, before, isBaselineWhole } of named(account, names)) {
        if (state !== 'unknown') continue
        const known = new Set([...before, ...matches.map((match) => match.id)])
        const finding = findCreated({ name, sentAt, before: known, isBaselineWhole }, candidates)
        if (finding.kind === 'created') matches.push({ id: finding.machine, name, request, creation: id })
      }
      if (matches.length === 0) return
      matches.forEach(({ creation, id }) => recognised.set(creation, id))
      const change = without(
        matches.map(({ creation }) => creation),
        matches.map(({ id }) => id),
        account,
      )
      await write(
        account,
        change,
        matches.map(({ id, name, request }) => ({ id, name, request })),
      )
    },
    recognised: (creation: string): string | undefined => recognised.get(creation),
    /** Whether a volume that was requested recently may still turn up. */
    expected: (account: AccountId): boolean =>
      of(account).some(({ id, sentAt }) => elapsedSince.of(id, sentAt) < lateSeconds),
    forgetAccount: (account: AccountId): Promise<void> =>
      write(account, (entries) => entries.filter((entry) => entry.account !== account)),
  }
}
export type PendingCreations = ReturnType<typeof openPendingCreations>
