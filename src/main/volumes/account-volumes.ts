import { isDeepStrictEqual } from 'node:util'
import type { AccountId } from '#shared/bridge/account'
import type { RegionRef } from '#shared/bridge/catalog'
import type { VolumesChange, VolumesSnapshot, VolumesStatus, VolumeView } from '#shared/bridge/volume'
import { type Failure, isAbsent } from '#shared/failure'
import type { Page, PageQuery } from '#shared/service/page'
import { isOver, type Usage } from '#shared/service/billing'
import type { Volume } from '#shared/service/volume'
import { pageSizes } from '#shared/page-sizes'
import { failureOf } from '../core/failure-of'
import type { MonotonicClock } from '../core/clock'
import { createElapsed } from '../core/elapsed'
import { listRevisions } from '../core/list-revisions'
import { sessionReadings } from '../core/single-flight'
import { createAbsences } from '../core/absences'
import { readAll, type Reading } from '../core/read-all-pages'
import { unreadableView } from '../core/unreadable'
import type { UsageReading } from '../usage/index'
import type { Remembered } from './remembered-volumes'
import type { Baseline } from './pending-creations'
import { unobserved } from './views'
import { type Moment, unitePieces, uniteListed, type United } from './merge-volumes'

/** What reports the volumes of an account. */
export interface VolumeSource {
  /** Whether the service may list its volumes: false while it is known not to. */
  mayList(): boolean
  /** Fails with not-offered-by-service where it does not list them. */
  list(page: PageQuery): Promise<Page<Volume>>
  /** What is charged for; `expected`: whether some of it is thought to be. */
  usage(expected: () => boolean): Promise<UsageReading>
  /** A region by what the list calls it. */
  regions(): Promise<readonly RegionRef[]>
  /** A volume that was sent a moment ago, and whose answer did not come, may turn up. */
  expected(): boolean
  /** The service has answered that it deleted the volume. */
  wasDeleted?(id: string): boolean
  remembered(): Remembered
  remember(remembered: Remembered): void
}

const nothingRead: VolumesStatus = {
  asOf: null,
  reading: false,
  total: null,
  failure: null,
  listed: null,
}

/** The volumes of one account as last read and as last changed here. */
export function accountVolumes(
  account: AccountId,
  source: VolumeSource,
  clock: Pick<MonotonicClock, 'now' | 'monotonic'>,
  publish: (change: VolumesChange) => void,
) {
  const list = listRevisions<VolumeView, VolumesStatus>(account, nothingRead, publish)
  const views = (): ReadonlyMap<string, VolumeView> => new Map(list.views().map((view) => [view.id, view]))
  const absences = createAbsences()
  const { now, monotonic } = clock
  /** Since what was done here, by volume, what it was and when. */
  const elapsedSince = createElapsed(clock)
  /** When the last complete list was requested, in seconds of both clocks; null: the last one was not complete. */
  let lastListed: { readonly now: number; readonly monotonic: number } | null = null
  type Start = Omit<Moment, 'isGone'> & { readonly began: number }
  /** The moment at which a reading begins. */
  function startNow(): Start {
    const began = monotonic()
    return {
      began,
      started: now(),
      // Each clock alone may miss time: one that is set back, and one that stops while the computer sleeps.
      sinceListed:
        lastListed === null ? Infinity : Math.max(now() - lastListed.now, began - lastListed.monotonic),
      secondsBefore: (id, what, at) =>
        elapsedSince.of(`${id}/${what}/${String(at)}`, at) - (monotonic() - began),
    }
  }
  let regions: readonly RegionRef[] = []
  /** Ids that the last reading could not read more of. */
  let unreadableIds: readonly string[] = []
  /** Whether the last reading named every volume. */
  let isWhole = false
  /** What is gone by the reading of usage with this revision. */
  let goneFrom: { readonly revision: number; readonly ids: ReadonlySet<string> } = {
    revision: -1,
    ids: new Set(),
  }

  const regionOf = (region: string): RegionRef =>
    regions.find(({ id, name }) => id === region || name === region) ?? { id: null, name: region }

  /** Asks for the regions only where a volume names one that is not known. */
  async function learnRegions(volumes: readonly Volume[]): Promise<void> {
    const isKnown = ({ region }: Volume) => !region || regionOf(region).id !== null
    if (!volumes.every(isKnown)) regions = await source.regions()
  }

  /** What is known and gone: two complete lists in a row do not name it, or it was deleted here. */
  function goneAfter(
    { complete, unreadable }: Pick<Reading<unknown>, 'complete' | 'unreadable'>,
    isNamed: (id: string) => boolean,
  ): ReadonlySet<string> {
    const known = new Set([...views().keys(), ...Object.keys(source.remembered())])
    const missing = [...known].filter((id) => !isNamed(id))
    // No detail confirms what a list with a wrong total lacks: nothing is learned from it.
    const gone = absences.take(missing, { complete, unreadable })
    return new Set(missing.filter((id) => gone.has(id) || source.wasDeleted?.(id)))
  }

  /** What is not gone stays, also where only lists have shown it. `keep` returns a volume that was not found this time. */
  const withKept = (
    { views: found, remembered }: United,
    isGone: (id: string) => boolean,
    keep = (view: VolumeView): VolumeView => view,
  ): United => {
    const kept = list.views().filter(({ id }) => !found.has(id) && !isGone(id))
    return { views: new Map([...kept.map((view) => [view.id, keep(view)] as const), ...found]), remembered }
  }

  type FromService = United & Pick<Reading<unknown>, 'total' | 'unreadable' | 'complete'>

  /** Null where the service does not list its volumes. */
  async function listed(start: Start, isCurrent: () => boolean): Promise<FromService | null> {
    if (!source.mayList()) return null
    try {
      const reading = await readAll(source.list, pageSizes.resources, (soFar) => {
        if (list.status().asOf !== null || !isCurrent()) return
        const { views: known } = uniteListed(soFar.items, source.remembered(), regionOf, {
          ...start,
          isGone: () => false,
        })
        list.replace(known, { ...list.status(), total: soFar.total })
      })
      const { items, unreadable, total, complete } = reading
      await learnRegions(items)
      const named = new Set([...items, ...unreadable].map(({ id }) => id))
      const gone = goneAfter(reading, (id) => named.has(id))
      const isGone = (id: string): boolean => gone.has(id)
      const united = uniteListed(items, source.remembered(), regionOf, { ...start, isGone })
      if (isCurrent()) lastListed = complete ? { now: start.started, monotonic: start.began } : null
      return { ...withKept(united, isGone), total, unreadable, complete }
    } catch (error) {
      if (isAbsent(failureOf(error, 'volumes.read'))) return null
      throw error
    }
  }

  async function inPieces(start: Start): Promise<FromService> {
    const reading = await source.usage(() => Object.values(source.remembered()).some(({ billed }) => billed))
    const { items, unreadable } = reading
    const isOverNow = (entry: Usage): boolean => isOver(entry, start.started)
    const named = new Set(items.map(({ resource }) => resource.id))
    const active = new Set(items.flatMap((entry) => (isOverNow(entry) ? [] : [entry.resource.id])))
    // Which resource an unreadable record is about is unknown.
    const complete = reading.complete && unreadable.length === 0
    // A reading that came through somebody else already counts once.
    if (goneFrom.revision !== reading.revision) {
      const ids = goneAfter({ complete, unreadable }, (id) => active.has(id))
      goneFrom = { revision: reading.revision, ids }
    }
    const gone = goneFrom.ids
    const isGone = (id: string): boolean => gone.has(id) || (named.has(id) && !active.has(id))
    const united = unitePieces(items, source.remembered(), { ...start, isGone })
    return { ...withKept(united, isGone, unobserved), total: null, unreadable, complete }
  }

  async function read(isCurrent: () => boolean): Promise<void> {
    const start = startNow()
    if (list.status().asOf === null) list.replace(views(), { ...list.status(), reading: true })
    try {
      const fromList = await listed(start, isCurrent)
      const found = fromList ?? (await inPieces(start))
      if (!isCurrent()) return
      unreadableIds = found.unreadable.flatMap(({ id }) => id ?? [])
      isWhole = found.complete && found.unreadable.every(({ id }) => id !== null)
      const unreadable = unreadableView(found.unreadable)
      const status = {
        asOf: now(),
        reading: false,
        failure: null,
        total: found.total,
        ...(unreadable && { unreadable }),
      }
      list.replace(found.views, { ...status, listed: fromList !== null })
      if (!isDeepStrictEqual(found.remembered, source.remembered())) source.remember(found.remembered)
    } catch (error) {
      if (!isCurrent()) return
      isWhole = false
      lastListed = null
      const failure = failureOf(error, 'volumes.read')
      list.replace(views(), { ...list.status(), reading: false, failure })
    }
  }
  // A reading that began before something was changed here may not know of it: it is followed by another.
  let changed = false
  const { refresh, end } = sessionReadings(async (isCurrent) => {
    do {
      changed = false
      await read(isCurrent)
    } while (changed && isCurrent())
  })

  return {
    account,
    snapshot: (): VolumesSnapshot => ({ ...list.revision(), volumes: list.views() }),
    /** Reads the service; callers share a reading in flight. Never fails: see `status`. */
    refresh,
    failure: (): Failure | null => list.status().failure,
    /** Where the service lists its volumes, their states are followed; elsewhere there is nothing to follow. */
    moving: (): boolean => source.expected() || list.views().some(({ settling }) => settling),
    views: list.views,
    /** Returns the ids of all volumes as last read, and whether a reading that succeeded names all of them. */
    baseline: (): Baseline => ({ ids: [...list.views().map(({ id }) => id), ...unreadableIds], isWhole }),
    view: list.view,
    /** Shows what an answer reported before the next reading confirms it. */
    show(reported: readonly VolumeView[]): void {
      changed = true
      list.replace(new Map([...views(), ...reported.map((view) => [view.id, view] as const)]), list.status())
    },
    /** Shows the same volumes with names that came in from the store. */
    showNames: (volumes: readonly VolumeView[]): void =>
      list.replace(new Map(volumes.map((view) => [view.id, view])), list.status()),
    clear(): void {
      end()
      isWhole = false
      lastListed = null
      list.replace(new Map(), nothingRead)
    },
  }
}
export type AccountVolumes = ReturnType<typeof accountVolumes>
