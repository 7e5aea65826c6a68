import { z } from 'zod'
import { AccountId, OneAccount, OneMachine } from './account'
import { loginOutput, NotBegun, SlowLogin } from './command'
import { call, variant } from './define'
import { SshLink } from './ssh-link'

/**
 * Why a value is missing: the driver reports none (`[N/A]`), does not support it (`[Not Supported]`), failed to read
 * it (`[Unknown Error]`, `[GPU is lost]`) or denies it. Or the value has a decimal comma, which could separate
 * thousands; has an unknown format; or the driver has no such field.
 */
export const absences = [
  'not-available',
  'not-supported',
  'error',
  'no-permission',
  'decimal-comma',
  'not-understood',
  'unknown-to-driver',
] as const

/** A value in the unit that its field names, or why it is missing. */
export const Measured = z.union([z.number(), z.enum(absences)])
export type Measured = z.infer<typeof Measured>

/** Reasons for reduced clocks; `other`: an undocumented bit. */
const throttleReasons = [
  'idle',
  'application-clocks',
  'power-cap',
  'hardware-slowdown',
  'sync-boost',
  'software-thermal',
  'hardware-thermal',
  'power-brake',
  'display-clocks',
  'other',
] as const
export const ThrottleReason = z.enum(throttleReasons)
export type ThrottleReason = z.infer<typeof ThrottleReason>

/**
 * Share of a GPU's parts in use over a second, in percent. `measured`: the GPU has counters (`nvidia-smi dmon --gpm-metrics`).
 * `memory`: bandwidth. `encoder`, `decoder`: video engines. `estimated`: additional power of work as a share of the limit.
 */
export const GpuActivity = z.discriminatedUnion('kind', [
  variant('measured', {
    sm: Measured,
    tensor: Measured,
    memory: Measured,
    encoder: Measured,
    decoder: Measured,
  }),
  variant('estimated', { share: z.number() }),
])
export type GpuActivity = z.infer<typeof GpuActivity>

/**
 * Utilization in percent that the driver sampled over the last `seconds`. `video`: highest utilization of the encoder and the
 * decoder; null if unknown.
 */
export const UtilizationSamples = z.object({
  seconds: z.number(),
  max: z.number(),
  average: z.number(),
  video: z.number().nullable(),
})
export type UtilizationSamples = z.infer<typeof UtilizationSamples>

/** Part of a split GPU (MIG). `profile` such as `3g.71gb`. Memory in MiB. How much of it works is not read. */
export const GpuInstance = z.object({ profile: z.string(), memoryUsed: Measured, memoryTotal: Measured })
export type GpuInstance = z.infer<typeof GpuInstance>

/** One GPU at one moment. Memory in MiB, power in watts, clocks in MHz, temperature in °C, utilization in percent. */
export const GpuReading = z.object({
  /** UUID of the GPU, or its index if the driver reports none. */
  id: z.string(),
  index: z.number().int(),
  name: z.string(),
  utilization: Measured,
  /** Null if the driver has no samples. */
  samples: UtilizationSamples.nullable(),
  /** Null if it was not read: it is read while the user looks, and every 10 minutes. */
  activity: GpuActivity.nullable(),
  memoryUsed: Measured,
  memoryTotal: Measured,
  temperature: Measured,
  power: Measured,
  powerLimit: Measured,
  /** Lowest power at which it was seen without work, in watts. Known only while it holds memory without work. */
  idlePower: z.number().optional(),
  clock: Measured,
  clockMax: Measured,
  memoryClock: Measured,
  throttle: z.union([z.array(ThrottleReason), z.enum(absences)]),
  /** Errors since the driver was loaded. */
  eccCorrected: Measured,
  eccUncorrected: Measured,
  /** Split into instances (MIG), so the whole GPU reports no utilization. */
  mig: z.boolean(),
  /** Instances of a split GPU; empty if unread. */
  instances: z.array(GpuInstance),
})
export type GpuReading = z.infer<typeof GpuReading>

/**
 * A program that computes on a GPU. `memory` in MiB. `share`: percent of the GPU's work. `command` is the whole command line
 * with secrets masked. `seconds`: running time. `start`: in clock ticks since the machine booted. Null: unknown.
 */
export const GpuProcess = z.object({
  gpu: z.string(),
  pid: z.number().int(),
  name: z.string(),
  memory: Measured,
  share: z.number().nullable(),
  user: z.string().nullable(),
  command: z.string().nullable(),
  seconds: z.number().nullable(),
  start: z.string().nullable(),
})
export type GpuProcess = z.infer<typeof GpuProcess>

export const GpuReport = z.discriminatedUnion('kind', [
  variant('gpus', {
    tool: z.enum(['nvidia-smi', 'amd-smi', 'rocm-smi']),
    driver: z.string().nullable(),
    gpus: z.array(GpuReading),
    /** Null if they were not read, or are not reported. */
    processes: z.array(GpuProcess).nullable(),
    /** Whether activity and processes were read. */
    isDetailed: z.boolean(),
    /** Further output of the tool, such as about one lost GPU; null without output. */
    said: z.string().nullable(),
  }),
  /** None of nvidia-smi, amd-smi and rocm-smi is in a folder of `path`. */
  variant('no-tool', { path: z.string().optional() }),
  /** The tool finds no driver. */
  variant('no-driver', { said: z.string() }),
  /** Driver and library differ in version, as after an update without a reboot. */
  variant('driver-mismatch', { said: z.string() }),
  variant('no-gpus', {}),
  variant('gpu-lost', { said: z.string() }),
  variant('no-permission', { said: z.string() }),
  /** The tool did not end within `seconds`, as with a driver that hangs. */
  variant('no-answer', { seconds: z.number() }),
  SlowLogin,
  NotBegun.extend({ kind: z.literal('not-begun') }),
  variant('not-understood', { said: z.string(), loginOutput }),
])
export type GpuReport = z.infer<typeof GpuReport>

export const GpuView = z.object({
  account: AccountId,
  machine: z.string(),
  consent: z.boolean(),
  link: SshLink,
  report: GpuReport.nullable(),
  at: z.number().nullable(),
})
export type GpuView = z.infer<typeof GpuView>

const NamedMachine = z.object({ id: z.string(), name: z.string() })

export const GpuAccountView = z.object({
  account: AccountId,
  /** Whether every machine is read, including later ones; otherwise only machines with their own consent. */
  all: z.boolean(),
  /** Number of listed machines to read, and how many of them were read. */
  total: z.number().int(),
  read: z.number().int(),
  pending: z.number().int(),
  /** Causes why machines are not read, the most frequent first: state of the first machine, and the first few names. */
  unread: z.array(
    z.object({
      link: SshLink,
      report: GpuReport.nullable(),
      count: z.number().int(),
      machines: z.array(NamedMachine),
    }),
  ),
  excepted: z.array(NamedMachine),
})
export type GpuAccountView = z.infer<typeof GpuAccountView>

/** One GPU over time, oldest first; NaN for unknown values. Epoch seconds, percent, percent, °C, watts. */
export const GpuSeries = z.object({
  gpu: z.string(),
  index: z.number().int(),
  time: z.instanceof(Float64Array),
  utilization: z.instanceof(Float64Array),
  memory: z.instanceof(Float64Array),
  temperature: z.instanceof(Float64Array),
  power: z.instanceof(Float64Array),
})
export type GpuSeries = z.infer<typeof GpuSeries>

export const gpuSpans = [3_600, 86_400, 604_800, 7_776_000] as const

/** Defects of GPUs that need the user. */
const gpuDefects = ['pending-remap', 'recovery-action', 'heat', 'xid'] as const
export const GpuDefect = z.enum(gpuDefects)
export type GpuDefect = z.infer<typeof GpuDefect>

/**
 * Why the last reading of the health failed. `no-answer`: the commands or the driver hang; `slow-login`: the login shell did
 * not start them in time; `not-begun`: it runs no commands; `no-output`: they printed nothing.
 */
const healthProblems = ['no-answer', 'slow-login', 'not-begun', 'no-output'] as const
export const HealthProblem = z.enum(healthProblems)
export type HealthProblem = z.infer<typeof HealthProblem>

/**
 * Health of a machine at its last reading that succeeded; `at` null: none did. Sizes are bytes, times epoch seconds. `disk`: the local disk that
 * needs the user first, without the space reserved for root. `fullIn`: seconds until it is full at
 * the rate of the last hours; null: it does not fill, or the rate is unknown. `load`: average of a minute, per core. `xids`:
 * lines of the kernel about failed GPU work in the last 24 hours; null: this user may not read its log.
 */
export const HealthView = OneMachine.extend({
  at: z.number().nullable(),
  /** Null: the last reading succeeded. */
  problem: HealthProblem.nullable(),
  disk: z
    .object({ mount: z.string(), total: z.number(), used: z.number(), fullIn: z.number().nullable() })
    .nullable(),
  memory: z.object({ total: z.number(), used: z.number() }).nullable(),
  swap: z.object({ total: z.number(), used: z.number() }).nullable(),
  load: z.number().nullable(),
  xids: z.array(z.string()).nullable(),
  defects: z.array(GpuDefect),
})
export type HealthView = z.infer<typeof HealthView>

export const gpuCalls = {
  'gpu.state': call(OneMachine, GpuView),
  /** The last reading of every listed machine, which `gpu.changed` follows. */
  'gpu.fleet': call(OneAccount, z.array(GpuView)),
  /** Returns the progress, which `gpu.accountChanged` follows from then on. */
  'gpu.account': call(OneAccount, GpuAccountView),
  /** Retries all unreachable machines of the account, except those whose host key has changed. */
  'gpu.retryAll': call(OneAccount, GpuAccountView),
  /** Commands that run on machines: for NVIDIA, for processes and activity, for machines without NVIDIA, and for the health. */
  'gpu.commands': call(
    z.object({}),
    z.object({
      nvidia: z.array(z.string()),
      details: z.array(z.string()),
      amd: z.array(z.string()),
      health: z.array(z.string()),
    }),
  ),
  /** Reads this machine's GPUs every few seconds while `looking`. */
  'gpu.look': call(OneMachine.extend({ looking: z.boolean() }), GpuView),
  'gpu.retry': call(OneMachine, GpuView),
  /** Records the host key and connects. Fails with invalid-input if the machine offers another key. */
  'gpu.trustHostKey': call(OneMachine.extend({ fingerprint: z.string() }), GpuView),
  'gpu.history': call(
    OneMachine.extend({ seconds: z.number().int().positive().max(gpuSpans[3]) }),
    z.object({
      period: z.number(),
      /** Whether samples outlive the application, which requires the encrypted store. */
      kept: z.boolean(),
      gpus: z.array(GpuSeries),
    }),
  ),
} as const

export const gpuEvents = {
  'gpu.changed': GpuView,
  'gpu.accountChanged': GpuAccountView,
} as const

export const healthCalls = {
  /** Null: not read yet. */
  'gpu.health': call(OneMachine, HealthView.nullable()),
} as const

export const healthEvents = { 'gpu.healthChanged': HealthView } as const
