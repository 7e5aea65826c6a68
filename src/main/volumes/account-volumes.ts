import { isDeepStrictEqual } from 'node:util'
import type { AccountId } from '#shared/bridge/account'
import type { RegionRef } from '#shared/bridge/catalog'
import type { VolumesChange, VolumesSnapshot, VolumesStatus, VolumeView } from '#shared/bridge/volume'
import { type Failure, isAbsent } from '#shared/failure'
import type { Page, PageQuery } from '#shared/service/page'
import { isOver } from '#shared/service/billing'
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

export interface VolumeSource {
  /** Whether the service may have a list of volumes: false once it is known to have none. */
  mayList(): boolean
  /** Fails with not-offered-by-service if the service has no list. */
  list(page: PageQuery): Promise<Page<Volume>>
  /** Reads the usage. `expected`: whether some usage should exist. */
  usage(expected: () => boolean): Promise<UsageReading>
  /** Returns the regions, to resolve the names in the list. */
  regions(): Promise<readonly RegionRef[]>
  /** Whether a volume that was requested recently without an answer may still turn up. */
  expected(): boolean
  /** Whether the service confirmed that it deleted the volume. */
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

type VolumeList = ReturnType<typeof listRevisions<VolumeView, VolumesStatus>>
type Start = Omit<Moment, 'isGone'> & { readonly monotonic: number }
type FromService = United & Pick<Reading<unknown>, 'total' | 'unreadable' | 'complete'>

const viewsById = (list: VolumeList): ReadonlyMap<string, VolumeView> =>
  new Map(list.views().map((view) => [view.id, view]))

/** Reads the volumes of one account from the service's list, or from usage and memory if there is no list. */
function createVolumeReader(
  source: VolumeSource,
  { now, monotonic }: Pick<MonotonicClock, 'now' | 'monotonic'>,
  list: VolumeList,
) {
  const absences = createAbsences()
  const elapsedSince = createElapsed({ now, monotonic })
  /** Start of the last complete list in seconds of both clocks; null if the last list was incomplete. */
  let lastListed: { readonly now: number; readonly monotonic: number } | null = null
  let regions: readonly RegionRef[] = []
  /** Ids that are gone according to the usage with this revision. */
  let goneByUsage: { readonly revision: number; readonly ids: ReadonlySet<string> } = {
    revision: -1,
    ids: new Set(),
  }

  function startNow(): Start {
    const start = monotonic()
    return {
      monotonic: start,
      started: now(),
      // Needs both clocks: `now` may be set back, `monotonic` stops while the computer sleeps.
      sinceListed:
        lastListed === null ? Infinity : Math.max(now() - lastListed.now, start - lastListed.monotonic),
      secondsBefore: (id, what, at) =>
        elapsedSince.of(`${id}/${what}/${String(at)}`, at) - (monotonic() - start),
      attachmentBefore: (id) => list.view(id)?.attachment,
    }
  }

  const regionOf = (region: string): RegionRef =>
    regions.find(({ id, name }) => id === region || name === region) ?? { id: null, name: region }

  async function readRegions(volumes: readonly Volume[]): Promise<void> {
    const isKnown = ({ region }: Volume) => !region || regionOf(region).id !== null
    if (!volumes.every(isKnown)) regions = await source.regions()
  }

  /** Returns the known volumes that are gone: missing in two complete lists in a row, or deleted here. */
  function goneAfter(
    { complete, unreadable }: Pick<Reading<unknown>, 'complete' | 'unreadable'>,
    isNamed: (id: string) => boolean,
  ): ReadonlySet<string> {
    const known = new Set([...viewsById(list).keys(), ...Object.keys(source.remembered())])
    const missing = [...known].filter((id) => !isNamed(id))
    // Volumes have no detail call that could confirm the absence, so lists with a wrong total prove nothing.
    const gone = absences.take(missing, { complete, unreadable })
    return new Set(missing.filter((id) => gone.has(id) || source.wasDeleted?.(id)))
  }

  /** Adds the shown volumes that were not read this time and are not gone. `keep` converts them. */
  const withMissing = (
    { views, remembered }: United,
    isGone: (id: string) => boolean,
    keep = (view: VolumeView): VolumeView => view,
  ): United => {
    const missing = list.views().filter(({ id }) => !views.has(id) && !isGone(id))
    return {
      views: new Map([...missing.map((view) => [view.id, keep(view)] as const), ...views]),
      remembered,
    }
  }

  async function readList(start: Start, isCurrent: () => boolean): Promise<FromService | null> {
    if (!source.mayList()) return null
    try {
      const reading = await readAll(source.list, pageSizes.resources, (soFar) => {
        if (list.status().asOf !== null || !isCurrent()) return
        const partial = { ...start, isGone: () => false }
        const { views } = uniteListed(soFar.items, source.remembered(), regionOf, partial)
        list.replace(views, { ...list.status(), total: soFar.total })
      })
      const { items, unreadable, total, complete } = reading
      await readRegions(items)
      const named = new Set([...items, ...unreadable].map(({ id }) => id))
      const gone = goneAfter(reading, (id) => named.has(id))
      const isGone = (id: string): boolean => gone.has(id)
      const united = uniteListed(items, source.remembered(), regionOf, { ...start, isGone })
      if (isCurrent()) lastListed = complete ? { now: start.started, monotonic: start.monotonic } : null
      return { ...withMissing(united, isGone), total, unreadable, complete }
    } catch (error) {
      if (isAbsent(failureOf(error, 'volumes.read'))) return null
      throw error
    }
  }

  async function readUsage(start: Start): Promise<FromService> {
    const reading = await source.usage(() => Object.values(source.remembered()).some(({ billed }) => billed))
    const { items, unreadable } = reading
    const named = new Set(items.map(({ resource }) => resource.id))
    const active = new Set(
      items.filter((entry) => !isOver(entry, start.started)).map(({ resource }) => resource.id),
    )
    // An unreadable record may be about any resource.
    const complete = reading.complete && unreadable.length === 0
    // Modules share usage readings: each counts once.
    if (goneByUsage.revision !== reading.revision) {
      const ids = goneAfter({ complete, unreadable }, (id) => active.has(id))
      goneByUsage = { revision: reading.revision, ids }
    }
    const { ids: gone } = goneByUsage
    const isGone = (id: string): boolean => gone.has(id) || (named.has(id) && !active.has(id))
    const united = unitePieces(items, source.remembered(), { ...start, isGone })
    return { ...withMissing(united, isGone, unobserved), total: null, unreadable, complete }
  }

  return {
    async read(isCurrent: () => boolean): Promise<FromService & { readonly isListed: boolean }> {
      const start = startNow()
      const listed = await readList(start, isCurrent)
      return listed ? { ...listed, isListed: true } : { ...(await readUsage(start)), isListed: false }
    },
    /** Ends the period in which volumes were observed without a gap. */
    interrupt(): void {
      lastListed = null
    },
  }
}

export function accountVolumes(
  account: AccountId,
  source: VolumeSource,
  clock: Pick<MonotonicClock, 'now' | 'monotonic'>,
  publish: (change: VolumesChange) => void,
) {
  const list = listRevisions<VolumeView, VolumesStatus>(account, nothingRead, publish)
  const reader = createVolumeReader(source, clock, list)
  /** Ids in the last reading whose records were unreadable. */
  let unreadableIds: readonly string[] = []
  /** Whether the last reading named every volume. */
  let isWhole = false

  async function read(isCurrent: () => boolean): Promise<void> {
    if (list.status().asOf === null) list.replace(viewsById(list), { ...list.status(), reading: true })
    try {
      const { views, remembered, total, unreadable, complete, isListed } = await reader.read(isCurrent)
      if (!isCurrent()) return
      unreadableIds = unreadable.flatMap(({ id }) => id ?? [])
      isWhole = complete && unreadable.every(({ id }) => id !== null)
      const unreadableSummary = unreadableView(unreadable)
      list.replace(views, {
        asOf: clock.now(),
        reading: false,
        failure: null,
        total,
        ...(unreadableSummary && { unreadable: unreadableSummary }),
        listed: isListed,
      })
      if (!isDeepStrictEqual(remembered, source.remembered())) source.remember(remembered)
    } catch (error) {
      if (!isCurrent()) return
      isWhole = false
      reader.interrupt()
      const failure = failureOf(error, 'volumes.read')
      list.replace(viewsById(list), { ...list.status(), reading: false, failure })
    }
  }
  // A reading that began before a change here may miss it, so another one follows.
  let isChanged = false
  const { refresh, end } = sessionReadings(async (isCurrent) => {
    do {
      isChanged = false
      await read(isCurrent)
    } while (isChanged && isCurrent())
  })

  return {
    account,
    snapshot: (): VolumesSnapshot => ({ ...list.revision(), volumes: list.views() }),
    /** Reads the service; callers share a running reading. Never fails: see `status`. */
    refresh,
    failure: (): Failure | null => list.status().failure,
    /** Whether the service's list may change soon, so it is read more often. */
    moving: (): boolean => source.expected() || list.views().some(({ settling }) => settling),
    views: list.views,
    /** Returns the ids of all volumes as last read, and whether a successful reading names all of them. */
    baseline: (): Baseline => ({ ids: [...list.views().map(({ id }) => id), ...unreadableIds], isWhole }),
    view: list.view,
    /** Shows volumes as an answer reported them, before the next reading confirms that. */
    show(reported: readonly VolumeView[]): void {
      isChanged = true
      list.replace(
        new Map([...viewsById(list), ...reported.map((view) => [view.id, view] as const)]),
        list.status(),
      )
    },
    showNames: (volumes: readonly VolumeView[]): void =>
      list.replace(new Map(volumes.map((view) => [view.id, view])), list.status()),
    clear(): void {
      end()
      isWhole = false
      reader.interrupt()
      list.replace(new Map(), nothingRead)
    },
  }
}
export type AccountVolumes = ReturnType<typeof accountVolumes>
