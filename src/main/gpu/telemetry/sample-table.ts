import type { AccountId } from '#shared/bridge/account'
import { resourceKey } from '#shared/resource-key'
import type { Database, SqlRow, SqlValue } from '../../store/sql'
import { heldMebibytes } from '#shared/gpu-load'
import { coarser, type GpuLoad, type GpuSample, hour, joined, minute } from './gpu-samples'

export const retentionSeconds = { [minute]: 7 * 86_400, [hour]: 90 * 86_400 } as const

/** Minutes that make an hour complete: with fewer, a quarter of an hour may have been missed. */
const minMinutesOfHour = 53
const quarterSeconds = [0, 900, 1_800, 2_700]

/** Upper bound on the rows of one thinning step, which blocks the main process. */
const maxRowsPerStep = 2_000

const columns =
  'gpu, gpu_index, time, samples, utilization, utilization_max, activity, activity_estimated, memory_used, memory_total, temperature_max, power'

const numberOr = (value: SqlValue | undefined): number | null => (typeof value === 'number' ? value : null)

/** Converts a row. In a stored hour, `samples` counts minutes. */
const sampleOf = (row: SqlRow, period: number): GpuSample => ({
  ...(period > minute && { minutes: numberOr(row['samples']) ?? 1 }),
  gpu: String(row['gpu']),
  index: numberOr(row['gpu_index']) ?? 0,
  time: numberOr(row['time']) ?? 0,
  samples: numberOr(row['samples']) ?? 1,
  utilization: numberOr(row['utilization']),
  utilizationMax: numberOr(row['utilization_max']),
  activity: numberOr(row['activity']),
  isEstimated: row['activity_estimated'] === 1,
  memoryUsed: numberOr(row['memory_used']),
  memoryTotal: numberOr(row['memory_total']),
  temperatureMax: numberOr(row['temperature_max']),
  power: numberOr(row['power']),
})

/**
 * Returns the load of a machine, or of one GPU, per minute by the rule of `loadOf`, oldest first. Older times come from the
 * stored hours, with one point per quarter of a complete hour.
 */
function loadsIn(
  database: Database,
  account: AccountId,
  machine: string,
  from: number,
  threshold: number,
  gpu: string | null,
): readonly GpuLoad[] {
  const read = (period: number) =>
    database
      .prepare(
        `SELECT time, MIN(samples),
               CASE WHEN COUNT(utilization_max) = COUNT(*) OR MAX(utilization_max) >= ? THEN MAX(utilization_max) END,
               CASE WHEN COUNT(utilization) = COUNT(*) THEN MAX(utilization) END,
               CASE WHEN COUNT(memory_used) = COUNT(*) THEN SUM(IIF(memory_used < ${heldMebibytes}, 0, memory_used)) END,
               CASE WHEN COUNT(activity) = COUNT(*) THEN MAX(activity) END,
               MAX(activity_estimated)
             FROM gpu_sample WHERE account = ? AND machine = ? AND period = ${period} AND time >= ? AND gpu = COALESCE(?, gpu) GROUP BY time ORDER BY time`,
      )
      .arrays(threshold, account, machine, from, gpu)
      .map(([time, minutes, busiest, average, held, activity, isEstimated]) => ({
        minutes: Number(minutes),
        load: {
          time: Number(time),
          busiest: numberOr(busiest),
          average: numberOr(average),
          held: numberOr(held),
          activity: numberOr(activity),
          isEstimated: isEstimated === 1,
        },
      }))
  const hours = read(hour).flatMap(({ minutes, load }) =>
    (minutes >= minMinutesOfHour ? quarterSeconds : [0]).map((quarter) => ({
      ...load,
      time: load.time + quarter,
    })),
  )
  return [...hours, ...read(minute).map(({ load }) => load)]
}

/** Returns the index of each GPU with samples since `from`, by its id. */
const gpusIn = (
  database: Database,
  account: AccountId,
  machine: string,
  from: number,
): ReadonlyMap<string, number> =>
  new Map(
    database
      .prepare(
        `SELECT gpu, MAX(gpu_index) FROM gpu_sample
         WHERE account = ? AND machine = ? AND period = ${minute} AND time >= ? GROUP BY gpu`,
      )
      .arrays(account, machine, from)
      .map(([gpu, index]) => [String(gpu), Number(index)]),
  )

/** Samples of a machine, by the minute. */
export interface MachineMinutes {
  readonly account: AccountId
  readonly machine: string
  readonly samples: Iterable<GpuSample>
}

/** Accesses the samples of all machines in the store. Every method fails with local-fault if the store refuses. */
export function sampleTable(database: Database) {
  const find = (account: AccountId, machine: string, period: number, sample: GpuSample) =>
    database
      .prepare(
        `SELECT ${columns} FROM gpu_sample WHERE account = ? AND machine = ? AND period = ? AND time = ? AND gpu = ?`,
      )
      .get(account, machine, period, sample.time, sample.gpu)

  /** Returns whether the sample was written: `IGNORE` leaves a stored sample of the same time. */
  function put(
    conflict: 'IGNORE' | 'REPLACE',
    account: AccountId,
    machine: string,
    period: number,
    sample: GpuSample,
  ): boolean {
    const changes = database
      .prepare(
        `INSERT OR ${conflict} INTO gpu_sample (account, machine, period, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
        sample.activity,
        Number(sample.isEstimated),
        sample.memoryUsed,
        sample.memoryTotal,
        sample.temperatureMax,
        sample.power,
      )
    return changes > 0
  }
  /** Adds a sample, or joins it with the stored sample of the same time, such as after a restart within a minute. */
  function add(account: AccountId, machine: string, period: number, sample: GpuSample): void {
    if (put('IGNORE', account, machine, period, sample)) return
    const stored = find(account, machine, period, sample)
    put('REPLACE', account, machine, period, stored ? joined(sampleOf(stored, period), sample) : sample)
  }

  /** Adds the minutes of several machines. */
  const addAll = (minutes: Iterable<MachineMinutes>): void =>
    database.transaction(() => {
      for (const { account, machine, samples } of minutes)
        for (const sample of samples) add(account, machine, minute, sample)
    })

  return {
    addAll,
    add: (account: AccountId, machine: string, samples: readonly GpuSample[]): void =>
      addAll([{ account, machine, samples }]),
    /** Returns the samples since `from` (epoch seconds), oldest first. */
    read: (account: AccountId, machine: string, period: number, from: number): readonly GpuSample[] =>
      database
        .prepare(
          `SELECT ${columns} FROM gpu_sample WHERE account = ? AND machine = ? AND period = ? AND time >= ? ORDER BY time, gpu_index`,
        )
        .all(account, machine, period, from)
        .map((row) => sampleOf(row, period)),
    loads: (
      account: AccountId,
      machine: string,
      from: number,
      threshold: number,
      gpu: string | null = null,
    ) => loadsIn(database, account, machine, from, threshold, gpu),
    gpus: (account: AccountId, machine: string, from: number) => gpusIn(database, account, machine, from),
    /** Returns the lowest power of each GPU, by its id, in samples that are entirely without work. */
    idlePower: (account: AccountId, machine: string): ReadonlyMap<string, number> =>
      new Map(
        database
          .prepare(
            `SELECT gpu, MIN(power) FROM gpu_sample
             WHERE account = ? AND machine = ? AND utilization_max = 0 AND power IS NOT NULL GROUP BY gpu`,
          )
          .arrays(account, machine)
          .map(([gpu, power]) => [String(gpu), Number(power)]),
      ),
    /** Turns old minutes into hours and deletes old hours, a limited number at a time. Returns whether more are left. */
    thin: (now: number): boolean =>
      database.transaction(() => {
        const before = Math.floor((now - retentionSeconds[minute]) / hour) * hour
        const old = database
          .prepare(
            `SELECT account, machine, ${columns} FROM gpu_sample WHERE period = ${minute} AND time < ? ORDER BY time LIMIT ${maxRowsPerStep}`,
          )
          .all(before)
        const machines = new Map<string, { account: string; machine: string; samples: GpuSample[] }>()
        for (const row of old) {
          const [account, machine] = [String(row['account']), String(row['machine'])]
          const key = resourceKey(account, machine)
          const group = machines.get(key) ?? { account, machine, samples: [] }
          group.samples.push(sampleOf(row, minute))
          machines.set(key, group)
        }
        for (const { account, machine, samples } of machines.values()) {
          for (const sample of coarser(samples, hour)) add(account, machine, hour, sample)
          const remove = database.prepare(
            `DELETE FROM gpu_sample WHERE account = ? AND machine = ? AND period = ${minute} AND time = ? AND gpu = ?`,
          )
          for (const { time, gpu } of samples) remove.run(account, machine, time, gpu)
        }
        database
          .prepare(`DELETE FROM gpu_sample WHERE period = ${hour} AND time < ?`)
          .run(now - retentionSeconds[hour])
        return old.length === maxRowsPerStep
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
