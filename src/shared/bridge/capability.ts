import { z } from 'zod'
import { AccountId } from './account'
import { call } from './define'

/** What goes beyond the specification, and may be absent on a given deployment (service-extensions.md). */
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

/**
 * `unknown`: never tried, or the answer is too old. `forbidden`: it is there, and this account may not use it,
 * as found out since the application started.
 */
export const CapabilityState = z.enum(['yes', 'no', 'forbidden', 'unknown'])
export type CapabilityState = z.infer<typeof CapabilityState>

export const Capabilities = z.record(CapabilityName, CapabilityState)
export type Capabilities = z.infer<typeof Capabilities>

export const capabilityCalls = {
  'capabilities.read': call(z.object({ account: AccountId }), Capabilities),
} as const

export const capabilityEvents = {
  'capabilities.changed': z.object({ account: AccountId, capabilities: Capabilities }),
} as const
