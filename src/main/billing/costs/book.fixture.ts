import type { SeenResource } from '../resource-history'
import { type Charge, type Charges, chargesOf } from './charges'
import { type CostBook, costBook } from './cost-book'
import { usageRecordOf, type UsageRecord } from './usage-record'

/** Epoch seconds of a moment as people write it down. */
export const time = (text: string): number => Date.parse(text) / 1000

export const dollars = (amount: number): number => Math.round(amount * 1_000_000)

/** A statement of the machine `m`, in an amount of dollars. */
export const charge = (from: string, until: string, amount: number, more: Partial<Charge> = {}): Charge => ({
  resource: 'm',
  type: 'vm',
  from: time(from),
  until: time(until),
  millionths: dollars(amount),
  currency: 'USD',
  ...more,
})

/** Usage of the machine `m`, active at a cent a minute. */
export const usage = (
  more: Partial<Omit<UsageRecord, 'fee'>> & { readonly perMinute?: string | null } = {},
): UsageRecord =>
  usageRecordOf({
    id: `usage of ${more.resource ?? 'm'}`,
    resource: 'm',
    name: more.resource ?? 'm',
    type: 'vm',
    perMinute: '0.01',
    life: null,
    minutes: null,
    created: time('2026-01-01T00:00:00Z'),
    terminated: null,
    status: 'active',
    currency: 'USD',
    reportedAt: time('2026-01-01T00:00:00Z'),
    ...more,
  })

export const seen = (id: string, more: Partial<SeenResource> = {}): SeenResource => ({
  id,
  kind: 'machine',
  name: id,
  flavor: 'h100-1x',
  gpu: 'H100',
  gpuCount: 1,
  region: 'Virginia',
  currency: null,
  firstSeen: 0,
  lastSeen: 0,
  ...more,
})

export interface BookDeps {
  readonly charges?: readonly Charge[] | Charges
  readonly usage?: readonly UsageRecord[]
  readonly seen?: readonly SeenResource[]
  readonly now: string
  readonly runsUntil?: string
}

/** The book of these, where only answers report a currency and dollars are assumed otherwise. */
export const bookOf = ({
  charges = [],
  usage: records = [],
  seen: known = [],
  now,
  runsUntil,
}: BookDeps): CostBook =>
  costBook({
    charges: 'count' in charges ? charges : chargesOf(charges),
    usage: records,
    seen: (resource) => known.find(({ id }) => id === resource),
    currencyOf: (_resource, reported) =>
      reported === null ? { currency: 'USD', assumed: true } : { currency: reported, assumed: false },
    now: time(now),
    runsUntil: time(runsUntil ?? now),
  })
