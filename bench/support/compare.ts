import { median } from './median'

/** Measurements of each side, by round. */
export interface Rounds<Measured> {
  readonly ours: readonly Measured[]
  readonly yardstick: readonly Measured[]
}

/**
 * Measures ours and the yardstick alternately in one run, so that other load affects both. The order changes with
 * every round. The first `warmUp` rounds do not count.
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

/** Returns the milliseconds of the work. */
export async function elapsed(work: () => unknown): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

const digits = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
const spread = (values: readonly number[]): string =>
  `${digits(median(values))} (${digits(Math.min(...values))} to ${digits(Math.max(...values))})`

/** Prints the medians of both sides with their spread, and returns the ratio of the medians. */
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

/** The last line of every benchmark. */
export interface Result {
  readonly bench: string
  /** Ours divided by the yardstick's; null without a yardstick. */
  readonly ratio: number | null
  readonly unit: string
  readonly runs: number
  readonly goal?: number
  readonly [detail: string]: unknown
}
export const finish = (result: Result): void => console.log(JSON.stringify(result))
