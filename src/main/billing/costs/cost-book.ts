import type { CostResource } from '#shared/bridge/cost'
import type { FeePerMinute } from '#shared/money/fee'
import { billedType } from '#shared/service/billing'
import { gpuName } from '#shared/service/flavor'
import type { EntryCurrency } from '../currency'
import type { SeenResource } from '../resource-history'
import type { LineCharge, StoredCharges } from './charge'
import { isRunning, type Lifetime, lifetimeOf, type UsageRecord } from './usage-record'

/** Period of a resource that is estimated, because no statement covers it yet. Indices are those of the book. */
interface Tail {
  readonly resource: number
  readonly currency: number
  readonly from: number
  readonly until: number
  readonly fee: FeePerMinute
}

/**
 * Usage that is charged now. `from`: end of its covered time; `until`: known end; `undated`: it began at an unknown
 * time and no statement covers it, so its cost up to now is unknown.
 */
export interface Running {
  readonly resource: number
  readonly currency: number
  readonly from: number
  readonly until: number | null
  readonly fee: FeePerMinute | null
  readonly undated: boolean
}

/** Total fee of a usage entry up to a moment, in millionths. `final`: the entry ended, and the fee is complete. */
interface Life {
  readonly resource: number
  readonly currency: number
  readonly millionths: number
  readonly fee: FeePerMinute | null
  readonly upTo: number
  readonly final: boolean
}

/** Sources of all costs of one account at one moment. Indices refer to `resources` and `currencies`. */
export interface CostBook {
  /** Epoch seconds. */
  readonly now: number
  /** First second of the next local day after `now`. */
  readonly tomorrow: number
  readonly resources: readonly CostResource[]
  readonly currencies: readonly EntryCurrency[]
  readonly charges: StoredCharges
  /** By number of the line; `lastEnd` is an upper bound on the end of its charges. */
  readonly lines: readonly (
    | { readonly resource: number; readonly currency: number; readonly lastEnd: number }
    | undefined
  )[]
  /** Charges of `charges.days` that end, or start, after `now`. */
  readonly endingLater: readonly LineCharge[]
  readonly tails: readonly Tail[]
  readonly running: readonly Running[]
  readonly lives: readonly Life[]
}

export interface CostSources {
  readonly charges: StoredCharges
  readonly usage: readonly UsageRecord[]
  seen(resource: string): SeenResource | undefined
  currencyOf(resource: string, reported: string | null): EntryCurrency
  readonly now: number
  readonly tomorrow: number
  /** Epoch seconds until when active resources are assumed to run: `now`, or earlier if the user signed out. */
  readonly runsUntil: number
}

const minute = 60

interface UsageEntry {
  readonly record: UsageRecord
  readonly life: Lifetime
}

function describe(
  id: string,
  type: string | null,
  entries: readonly UsageEntry[],
  seen: SeenResource | undefined,
  now: number,
): CostResource {
  const lives = entries.map(({ life }) => life)
  const newest = entries.at(-1)?.record
  const kind = billedType(newest?.type ?? type, seen?.kind === 'bare-metal')
  const isVolume = (kind ?? seen?.kind) === 'volume'
  const active = lives.some((life) => isRunning(life, now))
  const starts = lives.flatMap(({ from }) => (from === null ? [] : [from]))
  return {
    id,
    type: kind,
    name: newest?.name ?? seen?.name ?? null,
    state: entries.length === 0 ? 'unknown' : active ? 'active' : 'terminated',
    flavor: seen?.flavor ?? null,
    gpu: isVolume || seen?.gpu === '' ? 'none' : gpuName(seen?.gpu),
    gpuCount: isVolume || seen?.gpu === '' ? 0 : (seen?.gpuCount ?? null),
    region: seen?.region ?? null,
    createdAt: starts.length === 0 ? null : Math.min(...starts),
    terminatedAt: active ? null : (lives.at(-1)?.until ?? null),
    firstSeen: seen?.firstSeen ?? null,
    lastSeen: seen?.lastSeen ?? null,
  }
}

/**
 * Returns the moment that a reported fee covers, in whole epoch seconds: `created` plus the reported minutes, or the
 * time of the report if these are implausible.
 */
function reportedUpTo({ created, minutes, reportedAt }: UsageRecord): number {
  const counted = created !== null && minutes !== null ? created + minutes * minute : reportedAt
  return Math.floor(Math.abs(counted - reportedAt) <= 10 * minute ? counted : reportedAt)
}

/** Returns the usage of each resource, the oldest entry first. */
function usageByResource(usage: readonly UsageRecord[]): ReadonlyMap<string, readonly UsageEntry[]> {
  const byResource = new Map<string, UsageEntry[]>()
  for (const record of [...usage].sort((left, right) => (left.created ?? 0) - (right.created ?? 0))) {
    const entries = byResource.get(record.resource)
    const entry = { record, life: lifetimeOf(record) }
    if (entries) entries.push(entry)
    else byResource.set(record.resource, [entry])
  }
  return byResource
}

/** Collects the sources of costs at `now`. */
export function costBook(sources: CostSources): CostBook {
  const { charges, usage, seen, currencyOf, now, tomorrow, runsUntil } = sources
  const byResource = usageByResource(usage)
  const types = new Map<string, string | null>(charges.lines.map(({ resource, type }) => [resource, type]))
  const ids = [...new Set([...types.keys(), ...byResource.keys()])]
  const indexOf = new Map(ids.map((id, index) => [id, index]))
  const resources = ids.map((id) =>
    describe(id, types.get(id) ?? null, byResource.get(id) ?? [], seen(id), runsUntil),
  )

  const currencies: EntryCurrency[] = []
  const currencyIndex = (resource: string, reported: string | null): number => {
    const { currency, assumed } = currencyOf(resource, reported)
    const known = currencies.findIndex((one) => one.currency === currency && one.assumed === assumed)
    return known >= 0 ? known : currencies.push({ currency, assumed }) - 1
  }

  const tails: Tail[] = []
  const running: Running[] = []
  const lives: Life[] = []
  for (const [id, entries] of byResource) {
    const resource = indexOf.get(id) ?? 0
    const coveredUntil = charges.coveredUntil.get(id) ?? -Infinity
    for (const { record, life } of entries) {
      const currency = currencyIndex(id, record.currency)
      const from = Math.max(coveredUntil, life.from ?? -Infinity)
      const end = life.over && life.until === null ? from : Math.min(runsUntil, life.until ?? runsUntil)
      const length = Math.floor((end - from) / minute) * minute
      const { fee } = record
      if (fee !== null && Number.isFinite(from) && length > 0)
        tails.push({ resource, currency, from, until: from + length, fee })
      if (isRunning(life, runsUntil) && runsUntil === now)
        running.push({
          resource,
          currency,
          from: Math.max(now, from),
          until: life.until,
          fee,
          undated: !Number.isFinite(from),
        })
      if (record.life !== null) {
        const final = life.over && !record.missed
        const upTo = final ? Infinity : reportedUpTo(record)
        lives.push({ resource, currency, millionths: record.life, fee, upTo, final })
      }
    }
  }

  const lines: CostBook['lines'][number][] = []
  for (const { line, resource, currency, lastEnd } of charges.lines)
    lines[line] = {
      resource: indexOf.get(resource) ?? 0,
      currency: currencyIndex(resource, currency),
      lastEnd,
    }
  const endingLater = new Set(
    charges.lines.filter(({ lastEnd }) => lastEnd >= now).map(({ resource }) => resource),
  )
  return {
    now,
    tomorrow,
    resources,
    currencies,
    charges,
    lines,
    endingLater: [...endingLater].flatMap((resource) => charges.endingAfter(resource, now)),
    tails,
    running,
    lives,
  }
}
