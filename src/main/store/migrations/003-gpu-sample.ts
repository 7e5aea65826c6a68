import type { Migration } from '../migrate'

/**
 * What GPUs were doing, per machine and GPU: a row stands for `period` seconds (60 or 3600) from `time` (epoch seconds)
 * on, and was made of `samples` readings (a minute) or minutes (an hour). Utilization in percent, memory in MiB, power in watts, temperature in °C;
 * null where the driver reported none. `utilization_max` and `temperature_max` are the highest seen, the others averages.
 * Minutes become hours after a week, hours are deleted after 90 days.
 */
export const gpuSample: Migration = {
  version: 3,
  name: 'gpu-sample',
  sql: `
    CREATE TABLE gpu_sample (
      account TEXT NOT NULL,
      machine TEXT NOT NULL,
      period INTEGER NOT NULL,
      time INTEGER NOT NULL,
      gpu TEXT NOT NULL,
      gpu_index INTEGER NOT NULL,
      samples INTEGER NOT NULL,
      utilization REAL,
      utilization_max REAL,
      memory_used REAL,
      memory_total REAL,
      temperature_max REAL,
      power REAL,
      PRIMARY KEY (account, machine, period, time, gpu)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX gpu_sample_age ON gpu_sample (period, time);
  `,
}
