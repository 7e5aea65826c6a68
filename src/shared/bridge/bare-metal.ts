import { z } from 'zod'
import { OneAccount } from './account'
import { call } from './define'
import { MachineView } from './fleet'
import { listChange, listRevision, ListStatus } from './listing'

/** The service lists no instances: known ones were created here, added by id, or found in usage. */
export const BareMetalView = MachineView.extend({
  origin: z.enum(['created', 'added', 'found']),
  /** Epoch seconds. */
  knownSince: z.number(),
  /** `unread` before the first answer; `gone` after a 404. */
  presence: z.enum(['unread', 'there', 'gone']),
})
export type BareMetalView = z.infer<typeof BareMetalView>

export const BareMetalSnapshot = listRevision(ListStatus).extend({ instances: z.array(BareMetalView) })
export type BareMetalSnapshot = z.infer<typeof BareMetalSnapshot>

export const BareMetalChange = listChange(BareMetalView, ListStatus)
export type BareMetalChange = z.infer<typeof BareMetalChange>

export const BareMetalId = z.string().trim().min(1).max(200)
const OneInstance = OneAccount.extend({ instance: BareMetalId })

export const bareMetalCalls = {
  'bareMetal.snapshot': call(OneAccount, BareMetalSnapshot),
  'bareMetal.refresh': call(OneAccount, z.void()),
  /** Remembers an instance after the service has confirmed its id. Fails as the client does. */
  'bareMetal.add': call(OneInstance, BareMetalView),
  'bareMetal.forget': call(OneInstance, z.void()),
} as const

export const bareMetalEvents = {
  'bareMetal.changed': BareMetalChange,
} as const
