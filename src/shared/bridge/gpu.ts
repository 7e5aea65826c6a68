import { z } from 'zod'
import { AccountId } from './account'
import { loginOutput, NotBegun, SlowLogin } from './command'
import { call } from './define'
import { SshLink } from './ssh-link'

/**
 * Why a value is not there: the driver says that it has none (`[N/A]`), that the GPU does not support it
 * (`[Not Supported]`), that reading it failed (`[Unknown Error]`, `[GPU is lost]`) or is not allowed; it is written
 * with a decimal comma, which could as well separate thousands; it is written in no way that we know; this driver
 * has no such field.
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

/** A value in the unit that its field names, or why there is none. */
export const Measured = z.union([z.number(), z.enum(absences)])
export type Measured = z.infer<typeof Measured>

/** What holds the clocks down; `other`: an undocumented bit. */
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

/** One GPU at one moment. Memory in MiB, power in watts, clocks in MHz, temperature in °C, utilization in percent. */
export const GpuReading = z.object({
  /** Names the GPU on its machine; its index where the driver reports no UUID. */
  id: z.string(),
  index: z.number().int(),
  name: z.string(),
  utilization: Measured,
  memoryUsed: Measured,
  memoryTotal: Measured,
  temperature: Measured,
  power: Measured,
  powerLimit: Measured,
  clock: Measured,
  clockMax: Measured,
  memoryClock: Measured,
  throttle: z.union([z.array(ThrottleReason), z.enum(absences)]),
  /** Errors since the driver was loaded. */
  eccCorrected: Measured,
  eccUncorrected: Measured,
  /** Split into instances (MIG): the GPU as a whole then reports no utilization. */
  mig: z.boolean(),
})
export type GpuReading = z.infer<typeof GpuReading>

/** A program that computes on a GPU. `memory` in MiB. */
export const GpuProcess = z.object({
  gpu: z.string(),
  pid: z.number().int(),
  name: z.string(),
  memory: Measured,
})
export type GpuProcess = z.infer<typeof GpuProcess>

/** What a machine answered when it was asked for its GPUs. */
export const GpuReport = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('gpus'),
    tool: z.enum(['nvidia-smi', 'rocm-smi']),
    driver: z.string().nullable(),
    gpus: z.array(GpuReading),
    /** Null where it was not asked for them, or could not say. */
    processes: z.array(GpuProcess).nullable(),
    /** What the tool complained about beside them, such as one GPU that is lost; null where it did not. */
    said: z.string().nullable(),
  }),
  /** Neither nvidia-smi nor rocm-smi is in a folder of `path`. */
  z.object({ kind: z.literal('no-tool'), path: z.string().optional() }),
  /** The tool is there, and finds no driver. `said`: its own words. */
  z.object({ kind: z.literal('no-driver'), said: z.string() }),
  /** Driver and library are of different versions, as after an update without a reboot. */
  z.object({ kind: z.literal('driver-mismatch'), said: z.string() }),
  z.object({ kind: z.literal('no-gpus') }),
  /** A GPU has fallen off the bus. */
  z.object({ kind: z.literal('gpu-lost'), said: z.string() }),
  z.object({ kind: z.literal('no-permission'), said: z.string() }),
  /** The tool began and did not end within so many seconds, as with a driver that hangs. */
  z.object({ kind: z.literal('no-answer'), seconds: z.number() }),
  SlowLogin,
  NotBegun.extend({ kind: z.literal('not-begun') }),
  z.object({ kind: z.literal('not-understood'), said: z.string(), loginOutput }),
])
export type GpuReport = z.infer<typeof GpuReport>

/** What is known of one machine's GPUs. */
export const GpuView = z.object({
  account: AccountId,
  machine: z.string(),
  consent: z.boolean(),
  link: SshLink,
  report: GpuReport.nullable(),
  /** Epoch seconds of the report. */
  at: z.number().nullable(),
})
export type GpuView = z.infer<typeof GpuView>

const NamedMachine = z.object({ id: z.string(), name: z.string() })

/** How far reading the GPUs of an account's machines has come. */
export const GpuAccountView = z.object({
  account: AccountId,
  /** Every machine is read, also those that come later; else those that were agreed to one by one. */
  all: z.boolean(),
  /** Listed machines that are to be read, and those of them of which a reading of GPUs is there. */
  total: z.number().int(),
  read: z.number().int(),
  /** Machines that are being connected to, or read for the first time. */
  pending: z.number().int(),
  /** Why others are not read, the most frequent first: how the first of them stands, and the first few by name. */
  unread: z.array(
    z.object({
      link: SshLink,
      report: GpuReport.nullable(),
      count: z.number().int(),
      machines: z.array(NamedMachine),
    }),
  ),
  /** Listed machines that the person excepted from reading all. */
  excepted: z.array(NamedMachine),
})
export type GpuAccountView = z.infer<typeof GpuAccountView>

/** One GPU over time, oldest first; NaN where a value was not known. Epoch seconds, percent, percent, °C, watts. */
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

const OneAccount = z.object({ account: AccountId })
const OneMachine = z.object({ account: AccountId, machine: z.string().min(1) })

/** Spans of history that the window asks for, in seconds. */
export const gpuSpans = [3_600, 86_400, 604_800, 7_776_000] as const

export const gpuCalls = {
  'gpu.state': call(OneMachine, GpuView),
  /** How reading stands in the account; from then on `gpu.accountChanged` follows it. */
  'gpu.account': call(OneAccount, GpuAccountView),
  /** Tries again now what the account's machines were not reached for, but for those whose host key has changed. */
  'gpu.retryAll': call(OneAccount, GpuAccountView),
  /** The very commands that are run on machines: those of NVIDIA, then those tried where it is not installed. */
  'gpu.commands': call(z.object({}), z.object({ nvidia: z.array(z.string()), amd: z.array(z.string()) })),
  /** The person looks at this machine's GPUs: they are read every few seconds, until `looking` is false. */
  'gpu.look': call(OneMachine.extend({ looking: z.boolean() }), GpuView),
  /** Tries again now, whatever stopped it. */
  'gpu.retry': call(OneMachine, GpuView),
  /** Records the host key of this fingerprint as the machine's, and connects. Fails with invalid-input where another is offered. */
  'gpu.trustHostKey': call(OneMachine.extend({ fingerprint: z.string() }), GpuView),
  'gpu.history': call(
    OneMachine.extend({ seconds: z.number().int().positive().max(gpuSpans[3]) }),
    z.object({
      /** Seconds that one point stands for. */
      period: z.number(),
      /** Whether samples outlive the application; without the encrypted store they do not. */
      kept: z.boolean(),
      gpus: z.array(GpuSeries),
    }),
  ),
} as const

export const gpuEvents = {
  'gpu.changed': GpuView,
  'gpu.accountChanged': GpuAccountView,
} as const
