import { machineState } from './machine-state'

export type SshDisabledReason = 'gone' | 'stopped' | 'moving' | 'no-address'

/** Returns why SSH is not possible, or null. Failed machines and unknown statuses may be reachable. */
export function sshDisabledReason(machine: {
  readonly status: string | null
  readonly address: string | null
  readonly presence?: 'unread' | 'there' | 'gone'
}): SshDisabledReason | null {
  if (machine.presence === 'gone') return 'gone'
  const state = machineState(machine.status)
  if (state === 'stopped' || state === 'moving') return state
  return machine.address === null ? 'no-address' : null
}
