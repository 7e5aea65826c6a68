import { z } from 'zod'
import { AccountId } from './account'
import { call } from './define'
import { listChange, listRevision, ListStatus } from './listing'

/**
 * A field that the specification does not describe, shown under "More". `value` is text (JSON for objects) and
 * null where the name says that it is a secret: then it is read with secret.reveal.
 */
export const ExtraField = z.object({ path: z.string(), value: z.string().nullable() })
export type ExtraField = z.infer<typeof ExtraField>

/** A virtual machine as the window and the tray see it: nothing secret. `ram` and `disk` are GB, `startedAt` epoch seconds. */
export const MachineView = z.object({
  id: z.string(),
  name: z.string(),
  /** As the service says it; values never seen before are shown as they are. */
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

export const FleetStatus = ListStatus
export type FleetStatus = ListStatus

export const FleetSnapshot = listRevision(FleetStatus).extend({ machines: z.array(MachineView) })
export type FleetSnapshot = z.infer<typeof FleetSnapshot>

export const FleetChange = listChange(MachineView, FleetStatus)
export type FleetChange = z.infer<typeof FleetChange>

/** The machines of an account as the last run saw them; `asOf` in epoch seconds. */
export const LastList = z.object({ asOf: z.number(), machines: z.array(MachineView) })
export type LastList = z.infer<typeof LastList>

const OneAccount = z.object({ account: AccountId })

export const fleetCalls = {
  'fleet.snapshot': call(OneAccount, FleetSnapshot),
  /**
   * What the last run saw, to be shown until the service has answered in this one; null where nothing was kept. Answers
   * once the encrypted store was opened, or is known not to open.
   */
  'fleet.lastList': call(OneAccount, LastList.nullable()),
  /** Reads the service now instead of at the next poll. */
  'fleet.refresh': call(OneAccount, z.void()),
  /** Machines whose name contains `text`, asked with the service's own `filters`. */
  'machines.find': call(z.object({ account: AccountId, text: z.string().min(1) }), z.array(MachineView)),
} as const

export const fleetEvents = {
  'fleet.changed': FleetChange,
} as const
