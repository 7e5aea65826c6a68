import { spreadLimits } from '../../store/schema'

/**
 * Part of a statement that costs need. Times are epoch seconds; `currency` is the reported one. Refunds and credits are
 * below zero and reduce sums. `millionths` is 0 if the statement took no money.
 */
export interface Charge {
  readonly resource: string
  readonly type: string | null
  readonly from: number
  readonly until: number
  readonly millionths: number
  readonly currency: string | null
}

/** Charges of one resource in one reported currency are counted under one line. */
interface ChargeLine {
  readonly line: number
  readonly resource: string
  /** Type that the latest statement of the resource reports. */
  readonly type: string | null
  readonly currency: string | null
  /** Epoch seconds: no charge of the line ends later. */
  readonly lastEnd: number
}

/** Charge that is read by itself. */
export type LineCharge = Pick<Charge, 'from' | 'until' | 'millionths'> & { readonly line: number }

/** Sums of the charges of one local day: `millionths[i]` belongs to `lines[i]`. Lines with a sum of 0 are left out. */
export interface ChargedDay {
  /** First second of the day. */
  readonly day: number
  readonly lines: Int32Array
  readonly millionths: Float64Array
}

/** Charges of one account in the store. All times are epoch seconds. Methods fail with local-fault. */
export interface StoredCharges {
  readonly lines: readonly ChargeLine[]
  /** Returns the days that begin in [`start`, `end`), in order. */
  days(start: number, end: number): readonly ChargedDay[]
  /** Charges that no day contains: see `isSpread`. */
  readonly unspread: readonly LineCharge[]
  /** Returns the charges of a resource that days contain and that end, or start, after `time`. */
  endingAfter(resource: string, time: number): readonly LineCharge[]
  /** End of the last period that a charge above zero pays for, by resource. */
  readonly coveredUntil: ReadonlyMap<string, number>
  /** Returns the seconds of [`start`, `end`) that charges above zero pay for, by resource. Counts each second once. */
  coveredSeconds(start: number, end: number): ReadonlyMap<string, number>
}

export const noCharges: StoredCharges = {
  lines: [],
  days: () => [],
  unspread: [],
  endingAfter: () => [],
  coveredUntil: new Map(),
  coveredSeconds: () => new Map(),
}

/** Whether a charge pays for the time of its statement. */
export const covers = ({ millionths, from, until }: Pick<Charge, 'millionths' | 'from' | 'until'>): boolean =>
  millionths > 0 && until > from

/** Whether a charge is spread over days. */
export const isSpread = ({ from, until }: Pick<Charge, 'from' | 'until'>): boolean =>
  until - from <= spreadLimits.seconds && from >= spreadLimits.from && from < spreadLimits.until
