import { machineState } from './machine-state'

/** Why a machine cannot be reached by SSH now. */
export type SshDisabledReason = 'gone' | 'stopped' | 'moving' | 'no-address'

/**
 * What keeps SSH from working; null where it may be tried: failed machines and states never seen before may be reachable.
 * Every place that offers SSH asks here.
 */
export function sshDisabledReason(machine: {
  readonly status: string | null
  readonly address: string | null
  /** Of bare metal only. */
  readonly presence?: 'unread' | 'there' | 'gone'
}): SshDisabledReason | null {
  if (machine.presence === 'gone') return 'gone'
  const state = machineState(machine.status)
  if (state === 'stopped' || state === 'moving') return state
  return machine.address === null ? 'no-address' : null
}
