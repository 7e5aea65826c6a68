import { z } from 'zod'
import { AccountId, OneAccount } from './account'
import { call } from './define'

const capabilityNames = [
  'regions',
  'volume-types',
  'volume-list',
  'power',
  'delete-machine',
  'delete-volume',
  'balance',
  'create-token',
  'delete-token',
] as const
export const CapabilityName = z.enum(capabilityNames)
export type CapabilityName = z.infer<typeof CapabilityName>

/** `unknown`: not tried recently. `forbidden`: refused to this account since the application started. */
export const CapabilityState = z.enum(['yes', 'no', 'forbidden', 'unknown'])
export type CapabilityState = z.infer<typeof CapabilityState>

export const Capabilities = z.record(CapabilityName, CapabilityState)
export type Capabilities = z.infer<typeof Capabilities>

export const capabilityCalls = {
  'capabilities.read': call(OneAccount, Capabilities),
} as const

export const capabilityEvents = {
  'capabilities.changed': z.object({ account: AccountId, capabilities: Capabilities }),
} as const
