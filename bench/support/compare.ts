import { median } from './median'

/** What each side measured, round by round. */
export interface Rounds<Measured> {
  readonly ours: readonly Measured[]
  readonly yardstick: readonly Measured[]
}

/**
 * Measures ours and the yardstick alternately, in one run: whatever else the computer does meets both. Who goes first
 * changes with every round. The first `warmUp` rounds are not counted.
 */
export async function alternate<Measured>({
  rounds,
  warmUp = 1,
  ours,
  yardstick,
}: {
  readonly rounds: number
  readonly warmUp?: number
  ours(): Measured | Promise<Measured>
  yardstick(): Measured | Promise<Measured>
}): Promise<Rounds<Measured>> {
  const measured = { ours: new Array<Measured>(), yardstick: new Array<Measured>() }
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const sides = [
      async () => measured.ours.push(await ours()),
      async () => measured.yardstick.push(await yardstick()),
    ]
    if (round % 2 === 1) sides.reverse()
    for (const side of sides) await side()
  }
  return { ours: measured.ours.slice(warmUp), yardstick: measured.yardstick.slice(warmUp) }
}

/** One number of each round. */
export const pick = <Measured>(
  { ours, yardstick }: Rounds<Measured>,
  value: (measured: Measured) => number,
): Rounds<number> => ({ ours: ours.map(value), yardstick: yardstick.map(value) })

/** Milliseconds that the work took. */
export async function elapsed(work: () => unknown): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const digits = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
const spread = (values: readonly number[]): string =>
  `${digits(median(values))} (${digits(Math.min(...values))} to ${digits(Math.max(...values))})`

/** Prints the medians of both sides with their spread, and answers the ratio of the medians. */
export function compare(
  what: string,
  unit: string,
  { ours, yardstick }: Rounds<number>,
  goal?: number,
): number {
  const ratio = Number((median(ours) / median(yardstick)).toFixed(3))
  const sides = `ours ${spread(ours)} ${unit}, yardstick ${spread(yardstick)} ${unit}`
  const aim = goal === undefined ? '' : `, goal ≤ ${goal.toFixed(2)}`
  console.log(`${what}: ${sides}, ratio ${ratio.toFixed(2)}${aim}`)
  return ratio
}

/** What every benchmark ends with, on one line. */
export interface Result {
  readonly bench: string
  /** Ours over the yardstick's; null where there is none. */
  readonly ratio: number | null
  readonly unit: string
  readonly runs: number
  readonly goal?: number
  readonly [detail: string]: unknown
}
export const finish = (result: Result): void => console.log(JSON.stringify(result))
