import { z } from 'zod'
import { OneMachine } from './account'
import { call } from './define'

/** Defects of GPUs that need the user. */
export const gpuDefects = ['pending-remap', 'recovery-action', 'heat'] as const
export const GpuDefect = z.enum(gpuDefects)
export type GpuDefect = z.infer<typeof GpuDefect>

/**
 * Health of a machine at its last reading. Sizes are bytes, times epoch seconds. `fullIn`: seconds until the disk is full at
 * the rate of the last hours; null: it does not fill, or the rate is unknown. `load`: average of a minute, per core.
 */
export const HealthView = OneMachine.extend({
  at: z.number(),
  disk: z.object({ total: z.number(), used: z.number(), fullIn: z.number().nullable() }).nullable(),
  memory: z.object({ total: z.number(), used: z.number() }).nullable(),
  swap: z.object({ total: z.number(), used: z.number() }).nullable(),
  load: z.number().nullable(),
  defects: z.array(GpuDefect),
})
export type HealthView = z.infer<typeof HealthView>

export const healthCalls = {
  /** Null: not read yet. */
  'health.read': call(OneMachine, HealthView.nullable()),
} as const

export const healthEvents = { 'health.changed': HealthView } as const
