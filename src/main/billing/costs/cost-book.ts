import type { CostResource } from '#shared/bridge/cost'
import type { FeePerMinute } from '#shared/money/fee'
import { gpuName } from '#shared/service/flavor'
import type { EntryCurrency } from '../currency'
import type { SeenResource } from '../resource-history'
import { type Charges, covers } from './charges'
import { isRunning, lifetimeOf, type UsageRecord } from './usage-record'

/** A stretch of time that no statement covers yet. Indices are those of the book. */
interface Tail {
  readonly resource: number
  readonly currency: number
  readonly from: number
  readonly until: number
  readonly fee: FeePerMinute
}

/**
 * Something that is charged for now. `from`: when what it costs is no longer covered; `until`: when it is known to end;
 * `undated`: it began at an unknown time and no statement covers it, so that its cost up to now is unknown.
 */
export interface Running {
  readonly resource: number
  readonly currency: number
  readonly from: number
  readonly until: number | null
  readonly fee: FeePerMinute | null
  readonly undated: boolean
}

/** What usage says that one entry has cost up to a moment, in millionths. `final`: in its whole life, which is over. */
interface Life {
  readonly resource: number
  readonly currency: number
  readonly millionths: number
  readonly fee: FeePerMinute | null
  readonly upTo: number
  readonly final: boolean
}

/** Everything that the costs of one account follow from, at one moment. Pure data: the questions are asked of it elsewhere. */
export interface CostBook {
  readonly now: number
  readonly resources: readonly CostResource[]
  readonly currencies: readonly EntryCurrency[]
  readonly charges: Charges
  /** End of the last statement of each of `charges.resources`, whatever its amount. */
  readonly lastEnd: Float64Array
  /** The index of each of `charges.resources`. */
  readonly resourceOfCharge: Int32Array
  /** The currency of a charge: by its resource's index in `charges` times the number of its currencies, plus its `currency`. */
  readonly currencyOfCharge: Int32Array
  readonly tails: readonly Tail[]
  readonly running: readonly Running[]
  readonly lives: readonly Life[]
}

export interface CostSources {
  readonly charges: Charges
  readonly usage: readonly UsageRecord[]
  seen(resource: string): SeenResource | undefined
  currencyOf(resource: string, reported: string | null): EntryCurrency
  readonly now: number
  /** Until when what is active may be taken to run on: `now`, or earlier where the account is signed out. */
  readonly runsUntil: number
}

const minute = 60

function describe(
  id: string,
  type: string | null,
  entries: readonly UsageRecord[],
  seen: SeenResource | undefined,
  now: number,
): CostResource {
  const lives = entries.map(lifetimeOf)
  const newest = entries.at(-1)
  const kind = newest?.type ?? type
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

/** Ends of the last statements, by resource of `charges`: of those that pay for time, and of all. */
interface Ends {
  readonly covered: Float64Array
  readonly last: Float64Array
}

const endsOfCharges = new WeakMap<Charges, Ends>()

/** Returns the ends of the last statements. The result is cached as long as `charges` exist. */
function endsOf(charges: Charges): Ends {
  const known = endsOfCharges.get(charges)
  if (known) return known
  const covered = new Float64Array(charges.resources.length).fill(-Infinity)
  const last = new Float64Array(charges.resources.length).fill(-Infinity)
  for (let index = 0; index < charges.count; index += 1) {
    const resource = charges.resource[index] ?? 0
    const until = charges.until[index] ?? 0
    last[resource] = Math.max(last[resource] ?? 0, until)
    if (covers(charges.millionths[index] ?? 0)) covered[resource] = Math.max(covered[resource] ?? 0, until)
  }
  const ends = { covered, last }
  endsOfCharges.set(charges, ends)
  return ends
}

/** The moment that a reported fee covers: `created` plus the reported minutes; where these make no sense, the time of the report. A whole second. */
function reportedUpTo({ created, minutes, reportedAt }: UsageRecord): number {
  const counted = created !== null && minutes !== null ? created + minutes * minute : reportedAt
  return Math.floor(Math.abs(counted - reportedAt) <= 10 * minute ? counted : reportedAt)
}

/** Puts together what is known at `now`. */
export function costBook({ charges, usage, seen, currencyOf, now, runsUntil }: CostSources): CostBook {
  const byResource = new Map<string, UsageRecord[]>()
  for (const record of [...usage].sort((left, right) => (left.created ?? 0) - (right.created ?? 0))) {
    const entries = byResource.get(record.resource)
    if (entries) entries.push(record)
    else byResource.set(record.resource, [record])
  }

  const types = new Map<string, string | null>(charges.resources.map(({ id, type }) => [id, type]))
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
  const { covered, last: lastEnd } = endsOf(charges)
  const coveredUntil = new Map(charges.coveredUntil)
  for (const [index, { id }] of charges.resources.entries())
    coveredUntil.set(id, Math.max(coveredUntil.get(id) ?? -Infinity, covered[index] ?? -Infinity))
  for (const [id, entries] of byResource) {
    const resource = indexOf.get(id) ?? 0
    for (const record of entries) {
      const currency = currencyIndex(id, record.currency)
      const life = lifetimeOf(record)
      const from = Math.max(coveredUntil.get(id) ?? -Infinity, life.from ?? -Infinity)
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

  return {
    now,
    resources,
    charges,
    lastEnd,
    resourceOfCharge: Int32Array.from(charges.resources, ({ id }) => indexOf.get(id) ?? 0),
    currencyOfCharge: Int32Array.from(
      charges.resources.flatMap(({ id }) =>
        charges.currencies.map((reported) => currencyIndex(id, reported)),
      ),
    ),
    currencies,
    tails,
    running,
    lives,
  }
}
