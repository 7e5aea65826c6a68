import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Factors of each subject's smallest size. */
const factors = [1, 10, 100] as const
/** Runs in a batch at each factor: every batch does the same total work, and causes the same garbage. */
const runs = [100, 10, 1] as const
const batches = 3

/** Work whose cost grows with its size. */
export interface Subject {
  readonly name: string
  /** The smallest size. */
  readonly first: number
  /** The input of one run at a size; creating it is not measured. The run's result is its memory. */
  prepare(size: number): () => unknown
}

export interface Growth {
  readonly name: string
  readonly sizes: readonly number[]
  /** Milliseconds, and bytes that stay in use. */
  readonly times: readonly number[]
  readonly bytes: readonly number[]
  readonly time: number
  readonly memory: number
}

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')
function usedBytes(): number {
  if (typeof collect === 'function')
    for (let time = 0; time < 2; time += 1) Reflect.apply(collect, undefined, [])
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Returns the slope of the line through the logarithms, by least squares: 1 is linear, 2 quadratic. Pure. */
function exponentOf(sizes: readonly number[], values: readonly number[]): number {
  const points = sizes.map((size, at) => [Math.log(size), Math.log(Math.max(1e-9, values[at] ?? 0))] as const)
  const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [middle, height] = [mean(0), mean(1)]
  const rise = points.reduce((sum, [x, y]) => sum + (x - middle) * (y - height), 0)
  const run = points.reduce((sum, [x]) => sum + (x - middle) ** 2, 0)
  return Number((rise / run).toFixed(3))
}

/** Returns the milliseconds of processor time: other programs do not count. */
async function worked(work: () => unknown): Promise<number> {
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}

/** Returns the bytes in use by the results of several runs. */
async function keptBytes(run: () => unknown, count: number): Promise<number> {
  const kept = Array.from<unknown>({ length: count })
  const before = usedBytes()
  for (let time = 0; time < count; time += 1) kept[time] = await run()
  const bytes = usedBytes() - before
  // Referenced until measured.
  if (kept.includes(run)) throw new Error('a run answers itself')
  return bytes / count
}

/**
 * Runs a subject at each size in batches, and returns the fastest batch. The fastest of many small runs would leave
 * its garbage to other runs, which large runs cannot.
 */
export async function growthOf({ name, first, prepare }: Subject): Promise<Growth> {
  const sizes = factors.map((factor) => first * factor)
  const times: number[] = []
  const bytes: number[] = []
  for (const [at, size] of sizes.entries()) {
    const run = prepare(size)
    const count = runs[at] ?? 1
    const batch = async (): Promise<void> => {
      for (let time = 0; time < count; time += 1) await run()
    }
    const spent: number[] = []
    for (let time = 0; time < batches; time += 1) spent.push(await worked(batch))
    times.push(Math.min(...spent) / count)
    bytes.push(await keptBytes(run, count))
  }
  return { name, sizes, times, bytes, time: exponentOf(sizes, times), memory: exponentOf(sizes, bytes) }
}
