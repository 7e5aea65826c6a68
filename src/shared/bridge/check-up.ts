import { z } from 'zod'
import { OneAccount, OneMachine } from './account'
import { JobId } from './billing'
import { CommandState } from './command'
import { call, variant } from './define'

/** Checks in the order of the report. */
export const checkNames = [
  'gpu-count',
  'gpu-model',
  'gpu-memory',
  'driver',
  'pcie',
  'ecc',
  'remapped-rows',
  'recovery',
  'throttling',
  'nvlink',
  'persistence',
  'kernel-log',
  'cores',
  'ram',
  'disk-space',
  'disk-speed',
  'network',
  'clock',
] as const
export const CheckName = z.enum(checkNames)
export type CheckName = z.infer<typeof CheckName>

/** Explanations that belong to a result. */
const checkNotes = [
  'fewer-than-flavor',
  'other-model',
  'model-unknown',
  'uneven-memory',
  'no-driver',
  'no-amd-smi',
  'not-nvidia',
  'pcie-idle',
  'pcie-slow',
  'ecc-now',
  'ecc-before',
  'remap-pending',
  'remap-failed',
  'remapped',
  'recovery-needed',
  'hot-now',
  'hot-before',
  'links-inactive',
  'one-gpu',
  'no-links',
  'persistence-off',
  'needs-root',
  'xid',
  'smaller-than-flavor',
  'nearly-full',
  'too-full-to-test',
  'too-slow-to-test',
  'slower-than-others',
  'clock-off',
  'not-reported',
] as const
export const CheckNote = z.enum(checkNotes)
export type CheckNote = z.infer<typeof CheckNote>

/** One result. `found` and `expected` are values with units, such as "8 × H100"; null: not measured, no promise. */
export const CheckResult = z.object({
  check: CheckName,
  verdict: z.enum(['good', 'warning', 'bad', 'unknown']),
  found: z.string().nullable(),
  expected: z.string().nullable(),
  note: CheckNote.nullable(),
})
export type CheckResult = z.infer<typeof CheckResult>

/** A check-up. `at` is epoch seconds; speeds are MB per second, null if not measured. */
export const CheckUpReport = z.object({
  machine: z.string(),
  name: z.string(),
  flavor: z.string().nullable(),
  region: z.string().nullable(),
  at: z.number(),
  seconds: z.number(),
  diskSpeed: z.number().nullable(),
  networkSpeed: z.number().nullable(),
  results: z.array(CheckResult),
})
export type CheckUpReport = z.infer<typeof CheckUpReport>

const checkUpSteps = ['connecting', 'reading', 'disk', 'network', 'comparing'] as const
export const CheckUpStep = z.enum(checkUpSteps)
export type CheckUpStep = z.infer<typeof CheckUpStep>

/** `running`: the current step; null if none runs. `reports`: newest first. `scripts`: sent to the machine, in order. */
export const CheckUpView = OneMachine.extend({
  running: CheckUpStep.nullable(),
  reports: z.array(CheckUpReport),
  scripts: z.array(z.string()),
})
export type CheckUpView = z.infer<typeof CheckUpView>

export const CheckUpOutcome = z.discriminatedUnion('kind', [
  variant('done', { report: CheckUpReport }),
  /** The machine could not be reached, or the connection was lost. */
  variant('stopped', { state: CommandState }),
])
export type CheckUpOutcome = z.infer<typeof CheckUpOutcome>

export const checkUpCalls = {
  'checkUp.read': call(OneMachine, CheckUpView),
  /** Takes about a minute. Fails with invalid-input (machine) if one runs already, and with local-fault. */
  'checkUp.start': call(OneMachine, CheckUpOutcome),
  'checkUp.cancel': call(OneMachine, z.void()),
  /** Opens a save dialog. Fails with cancelled, disk-full, local-fault and invalid-input (report). */
  'checkUp.save': call(
    OneMachine.extend({ at: z.number(), format: z.enum(['pdf', 'txt']), job: JobId }),
    z.object({ file: z.string() }),
  ),
  'checkUp.show': call(OneAccount.extend({ job: JobId }), z.void()),
} as const

export const checkUpEvents = { 'checkUp.changed': CheckUpView } as const
