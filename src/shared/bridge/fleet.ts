import { z } from 'zod'
import { AccountId, OneAccount } from './account'
import { call } from './define'
import { listChange, listRevision, ListStatus } from './listing'

/** An undescribed field. `value` is text or JSON; null if it may be secret, for secret.reveal. */
export const ExtraField = z.object({ path: z.string(), value: z.string().nullable() })
export type ExtraField = z.infer<typeof ExtraField>

/** A virtual machine without secrets. `ram` and `disk` are GB, `startedAt` epoch seconds. */
export const MachineView = z.object({
  id: z.string(),
  name: z.string(),
  /** Verbatim from the service. */
  status: z.string().nullable(),
  address: z.string().nullable(),
  username: z.string().nullable(),
  hasPassword: z.boolean(),
  keyName: z.string().nullable(),
  startedAt: z.number().nullable(),
  flavor: z.object({
    name: z.string().nullable(),
    cpu: z.number().nullable(),
    ram: z.number().nullable(),
    disk: z.number().nullable(),
    gpu: z.string().nullable(),
    gpuCount: z.number().nullable(),
  }),
  image: z.string().nullable(),
  region: z.string().nullable(),
  more: z.array(ExtraField),
})
export type MachineView = z.infer<typeof MachineView>

export const FleetStatus = ListStatus.extend({
  /** Epoch seconds from which the next answer is overdue: two poll intervals after it was due. Absent: none is expected. */
  overdueAt: z.number().optional(),
})
export type FleetStatus = z.infer<typeof FleetStatus>

export const FleetSnapshot = listRevision(FleetStatus).extend({ machines: z.array(MachineView) })
export type FleetSnapshot = z.infer<typeof FleetSnapshot>

export const FleetChange = listChange(MachineView, FleetStatus)
export type FleetChange = z.infer<typeof FleetChange>

/** Machines of an account as the last run saw them; `asOf` in epoch seconds. */
export const LastList = z.object({ asOf: z.number(), machines: z.array(MachineView) })
export type LastList = z.infer<typeof LastList>

export const fleetCalls = {
  'fleet.snapshot': call(OneAccount, FleetSnapshot),
  /**
   * Returns the machines of the last run, for display until the service answers; null if none were stored. Resolves
   * once the encrypted store is open or is known not to open.
   */
  'fleet.lastList': call(OneAccount, LastList.nullable()),
  'fleet.refresh': call(OneAccount, z.void()),
  /** Machines whose name contains `text`, by the service's `filters`. */
  'machines.find': call(z.object({ account: AccountId, text: z.string().min(1) }), z.array(MachineView)),
} as const

export const fleetEvents = {
  'fleet.changed': FleetChange,
} as const
