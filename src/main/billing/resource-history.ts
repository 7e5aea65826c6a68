import { isDeepStrictEqual } from 'node:util'
import type { AccountId } from '#shared/bridge/account'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { MachineView } from '#shared/bridge/fleet'
import type { VolumeView } from '#shared/bridge/volume'
import type { Clock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import { createEmitter } from '#shared/emitter'
import type { Database, SqlRow, SqlValue } from '../store/database'

export type SeenKind = 'machine' | 'bare-metal' | 'volume'

/**
 * Observed properties of a resource; null: never reported; `gpu` is '' for a resource without one. Times are epoch
 * seconds.
 */
export interface SeenResource {
  readonly id: string
  readonly kind: SeenKind
  readonly name: string | null
  readonly flavor: string | null
  readonly gpu: string | null
  readonly gpuCount: number | null
  readonly region: string | null
  /** Currency that was sent when the resource was created here, or that the resource reported. */
  readonly currency: string | null
  readonly firstSeen: number
  readonly lastSeen: number
}

type Sighting = Omit<SeenResource, 'firstSeen' | 'lastSeen'>

type Machine = Pick<MachineView, 'id' | 'name' | 'flavor' | 'region'>

export const ofMachine = ({ id, name, flavor, region }: Machine, kind: SeenKind = 'machine'): Sighting => ({
  id,
  kind,
  name,
  flavor: flavor.name,
  // A flavor with cores and without a reported GPU has none.
  gpu: flavor.gpuCount === 0 ? '' : (flavor.gpu ?? (flavor.cpu === null ? null : '')),
  gpuCount: flavor.gpuCount,
  region,
  currency: null,
})

/** Returns null for an instance that was not read yet, or is gone. */
export const ofBareMetal = (view: Machine & Pick<BareMetalView, 'presence'>): Sighting | null =>
  view.presence === 'there' ? ofMachine(view, 'bare-metal') : null

export const ofVolume = ({
  id,
  displayName,
  name,
  region,
  currency,
}: Pick<VolumeView, 'id' | 'displayName' | 'name' | 'region' | 'currency'>): Sighting => ({
  id,
  kind: 'volume',
  name: displayName ?? name,
  flavor: null,
  gpu: '',
  gpuCount: 0,
  region: region.name ?? region.id,
  currency,
})

/** Merges a sighting into earlier ones: earlier values fill unreported properties. */
const merged = (before: SeenResource | undefined, seen: Sighting, now: number): SeenResource => ({
  id: seen.id,
  kind: seen.kind,
  name: seen.name ?? before?.name ?? null,
  flavor: seen.flavor ?? before?.flavor ?? null,
  gpu: seen.gpu || (before?.gpu ?? seen.gpu),
  gpuCount: seen.gpuCount ?? before?.gpuCount ?? null,
  region: seen.region ?? before?.region ?? null,
  currency: seen.currency ?? before?.currency ?? null,
  firstSeen: before?.firstSeen ?? now,
  lastSeen: now,
})

/** Age in seconds of `lastSeen` that is not worth a write. */
const lastSeenPrecision = 900

const isNews = (before: SeenResource | undefined, after: SeenResource): boolean =>
  before === undefined ||
  after.lastSeen - before.lastSeen >= lastSeenPrecision ||
  !isDeepStrictEqual({ ...before, lastSeen: 0 }, { ...after, lastSeen: 0 })

const textOf = (value: SqlValue | undefined): string | null => (typeof value === 'string' ? value : null)
const numberOf = (value: SqlValue | undefined): number | null => (typeof value === 'number' ? value : null)
const kindOf = (value: SqlValue | undefined): SeenKind =>
  value === 'volume' || value === 'bare-metal' ? value : 'machine'

const fromRow = (row: SqlRow): SeenResource => ({
  id: textOf(row.id) ?? '',
  kind: kindOf(row.kind),
  name: textOf(row.name),
  flavor: textOf(row.flavor),
  gpu: textOf(row.gpu),
  gpuCount: numberOf(row.gpu_count),
  region: textOf(row.region),
  currency: textOf(row.currency),
  firstSeen: numberOf(row.first_seen) ?? 0,
  lastSeen: numberOf(row.last_seen) ?? 0,
})

export interface ResourceHistoryDeps {
  database(): Database | undefined
  readonly now: Clock['now']
  readonly report: ReportError
}

/**
 * Observed properties of the resources of all accounts: neither statements nor usage report a GPU or a region. Stored
 * if the store is open, else in memory; memory is written when the store opens.
 */
export function createResourceHistory({ database, now, report }: ResourceHistoryDeps) {
  const known = new Map<AccountId, Map<string, SeenResource>>()
  /** Database that each account's resources were read from. */
  const read = new Map<AccountId, Database>()
  const unwritten = new Map<AccountId, Set<string>>()
  const revisions = new Map<AccountId, number>()
  const changes = createEmitter<AccountId>()
  const countChange = (account: AccountId): void =>
    void revisions.set(account, (revisions.get(account) ?? 0) + 1)

  function load(account: AccountId): Map<string, SeenResource> {
    const seen = known.get(account) ?? new Map<string, SeenResource>()
    known.set(account, seen)
    const store = database()
    if (store && read.get(account) !== store) {
      const early = [...seen.keys()]
      try {
        for (const row of store.prepare('SELECT * FROM resource WHERE account = ?').all(account)) {
          const before = fromRow(row)
          const after = seen.get(before.id)
          seen.set(before.id, after ? merged(before, after, after.lastSeen) : before)
        }
        // Another database opened: known resources are written to it.
        if (early.length > 0) unwritten.set(account, new Set([...(unwritten.get(account) ?? []), ...early]))
        read.set(account, store)
        countChange(account)
      } catch (error) {
        report('billing.readResources', error)
      }
    }
    return seen
  }

  function write(account: AccountId): void {
    const store = database()
    const ids = unwritten.get(account)
    if (!store || !ids || ids.size === 0) return
    const seen = load(account)
    try {
      const insert = store.prepare('INSERT OR REPLACE INTO resource VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      store.transaction(() => {
        for (const id of ids) {
          const one = seen.get(id)
          if (!one) continue
          const { kind, name, flavor, gpu, gpuCount, region, currency, firstSeen, lastSeen } = one
          const times = [Math.floor(firstSeen), Math.floor(lastSeen)]
          insert.run(account, id, kind, name, flavor, gpu, gpuCount, region, currency, ...times)
        }
      })
      unwritten.delete(account)
    } catch (error) {
      report('billing.writeResources', error)
    }
  }

  return {
    of: (account: AccountId, id: string): SeenResource | undefined => load(account).get(id),
    all: (account: AccountId): readonly SeenResource[] => [...load(account).values()],
    currencyOf: (account: AccountId, id: string): string | null => load(account).get(id)?.currency ?? null,
    /** Records a snapshot or a change of the fleet, bare metal or volumes. */
    see(account: AccountId, sightings: readonly (Sighting | null)[]): void {
      const seen = load(account)
      const news: string[] = []
      for (const sighting of sightings) {
        if (sighting === null) continue
        const before = seen.get(sighting.id)
        const after = merged(before, sighting, now())
        if (!isNews(before, after)) continue
        seen.set(sighting.id, after)
        news.push(sighting.id)
      }
      if (news.length === 0) return
      const waiting = unwritten.get(account) ?? new Set()
      news.forEach((id) => waiting.add(id))
      unwritten.set(account, waiting)
      write(account)
      countChange(account)
      changes.emit(account)
    },
    /** Writes resources that were seen before the store opened. */
    storeChanged(): void {
      for (const account of Array.from(known.keys())) {
        load(account)
        write(account)
      }
    },
    onChange: changes.on,
    /** Returns a number that changes with the known properties of the account's resources. */
    revision(account: AccountId): number {
      load(account)
      return revisions.get(account) ?? 0
    },
    /** Fails with local-fault. */
    forgetAccount(account: AccountId): void {
      known.delete(account)
      read.delete(account)
      unwritten.delete(account)
      countChange(account)
      database()?.prepare('DELETE FROM resource WHERE account = ?').run(account)
    },
  }
}
export type ResourceHistory = ReturnType<typeof createResourceHistory>
