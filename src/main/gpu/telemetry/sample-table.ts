import type { AccountId } from '#shared/bridge/account'
import { resourceKey } from '#shared/resource-key'
import type { Database, SqlRow, SqlValue } from '../../store/sql'
import { coarser, type GpuSample, hour, joined, minute } from './gpu-samples'

/** Seconds that minutes and hours are kept. */
export const kept = { [minute]: 7 * 86_400, [hour]: 90 * 86_400 } as const

/** Minutes with which an hour was seen whole: with fewer, two of them may leave a quarter of an hour unseen. */
const wholeHour = 53
const quarters = [0, 900, 1_800, 2_700]

/** Rows that one step of thinning takes: the main process waits for it. */
const stepRows = 2_000

const columns =
  'gpu, gpu_index, time, samples, utilization, utilization_max, memory_used, memory_total, temperature_max, power'

const numberOr = (value: SqlValue | undefined): number | null => (typeof value === 'number' ? value : null)

/** A row of minutes, or of hours: these count the minutes that they were made of. */
const sampleOf = (row: SqlRow, period: number): GpuSample => ({
  ...(period > minute && { minutes: numberOr(row['samples']) ?? 1 }),
  gpu: String(row['gpu']),
  index: numberOr(row['gpu_index']) ?? 0,
  time: numberOr(row['time']) ?? 0,
  samples: numberOr(row['samples']) ?? 1,
  utilization: numberOr(row['utilization']),
  utilizationMax: numberOr(row['utilization_max']),
  memoryUsed: numberOr(row['memory_used']),
  memoryTotal: numberOr(row['memory_total']),
  temperatureMax: numberOr(row['temperature_max']),
  power: numberOr(row['power']),
})

/** The samples of all machines in the store. Every method fails with local-fault where the store refuses. */
export function sampleTable(database: Database) {
  const find = (account: AccountId, machine: string, period: number, sample: GpuSample) =>
    database
      .prepare(
        `SELECT ${columns} FROM gpu_sample WHERE account = ? AND machine = ? AND period = ? AND time = ? AND gpu = ?`,
      )
      .get(account, machine, period, sample.time, sample.gpu)

  function put(account: AccountId, machine: string, period: number, sample: GpuSample): void {
    database
      .prepare(
        `INSERT OR REPLACE INTO gpu_sample (account, machine, period, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        account,
        machine,
        period,
        sample.gpu,
        sample.index,
        sample.time,
        sample.minutes ?? sample.samples,
        sample.utilization,
        sample.utilizationMax,
        sample.memoryUsed,
        sample.memoryTotal,
        sample.temperatureMax,
        sample.power,
      )
  }
  /** Where there is one of the same time, as after a restart within a minute, both become one. */
  function add(account: AccountId, machine: string, period: number, sample: GpuSample): void {
    const there = find(account, machine, period, sample)
    put(account, machine, period, there ? joined(sampleOf(there, period), sample) : sample)
  }

  return {
    add: (account: AccountId, machine: string, samples: readonly GpuSample[]): void =>
      database.transaction(() => {
        for (const sample of samples) add(account, machine, minute, sample)
      }),
    /** Oldest first, from `from` (epoch seconds) on. */
    read: (account: AccountId, machine: string, period: number, from: number): readonly GpuSample[] =>
      database
        .prepare(
          `SELECT ${columns} FROM gpu_sample WHERE account = ? AND machine = ? AND period = ? AND time >= ? ORDER BY time, gpu_index`,
        )
        .all(account, machine, period, from)
        .map((row) => sampleOf(row, period)),
    /**
     * The highest utilization of any GPU per minute, oldest first; null where one of them had none. What is older
     * than the minutes comes from the hours, a point for each quarter of one that was seen whole.
     */
    busiest: (
      account: AccountId,
      machine: string,
      from: number,
    ): readonly (readonly [number, number | null])[] => {
      const highest = (period: number) =>
        database
          .prepare(
            `SELECT time, CASE WHEN COUNT(utilization_max) = COUNT(*) THEN MAX(utilization_max) END AS busiest, MIN(samples)
             FROM gpu_sample WHERE account = ? AND machine = ? AND period = ${period} AND time >= ? GROUP BY time ORDER BY time`,
          )
          .arrays(account, machine, from)
      const hours = highest(hour).flatMap(([time, busiest, minutes]) =>
        (Number(minutes) >= wholeHour ? quarters : [0]).map(
          (quarter) => [Number(time) + quarter, numberOr(busiest)] as const,
        ),
      )
      return [
        ...hours,
        ...highest(minute).map(([time, busiest]) => [Number(time), numberOr(busiest)] as const),
      ]
    },
    /** Turns old minutes into hours and deletes old hours, a bounded piece at a time; true while more is left to do. */
    thin: (now: number): boolean =>
      database.transaction(() => {
        const before = Math.floor((now - kept[minute]) / hour) * hour
        const old = database
          .prepare(
            `SELECT account, machine, ${columns} FROM gpu_sample WHERE period = ${minute} AND time < ? ORDER BY time LIMIT ${stepRows}`,
          )
          .all(before)
        const machines = new Map<string, { account: string; machine: string; samples: GpuSample[] }>()
        for (const row of old) {
          const [account, machine] = [String(row['account']), String(row['machine'])]
          const key = resourceKey(account, machine)
          const one = machines.get(key) ?? { account, machine, samples: [] }
          one.samples.push(sampleOf(row, minute))
          machines.set(key, one)
        }
        for (const { account, machine, samples } of machines.values()) {
          for (const sample of coarser(samples, hour)) add(account, machine, hour, sample)
          const remove = database.prepare(
            `DELETE FROM gpu_sample WHERE account = ? AND machine = ? AND period = ${minute} AND time = ? AND gpu = ?`,
          )
          for (const { time, gpu } of samples) remove.run(account, machine, time, gpu)
        }
        database.prepare(`DELETE FROM gpu_sample WHERE period = ${hour} AND time < ?`).run(now - kept[hour])
        return old.length === stepRows
      }),
    forget: (account: AccountId, machines: readonly string[]): void =>
      database.transaction(() => {
        const remove = database.prepare('DELETE FROM gpu_sample WHERE account = ? AND machine = ?')
        for (const machine of machines) remove.run(account, machine)
      }),
    forgetAccount: (account: AccountId): void => {
      database.prepare('DELETE FROM gpu_sample WHERE account = ?').run(account)
    },
  }
}
