import type { AccountId } from '#shared/bridge/account'
import type { SshConnection } from '../client/transport'
import type { LeaseUse } from './lease'
import type { MachineLink } from './machine-link'

/** A machine with its leases and its link. */
export interface MachineEntry {
  readonly account: AccountId
  readonly machine: string
  readonly leases: Set<LeaseUse>
  /** Leases that wait for the user's consent. Nothing is done for them. */
  readonly refused: Set<LeaseUse>
  link: MachineLink | undefined
  /** Address and user for which the link was created. */
  place: string
  connection: SshConnection | undefined
  /** Abilities of the last attempt: ask the user, record a first key. */
  last: { readonly mayAsk: boolean; readonly trusts: boolean }
  /** When the machine was seen to start, in epoch seconds. */
  startedAt: number
  wasRunning: boolean
  cancelGrace: () => void
}

export const newEntry = (account: AccountId, machine: string): MachineEntry => ({
  account,
  machine,
  leases: new Set<LeaseUse>(),
  refused: new Set<LeaseUse>(),
  link: undefined,
  place: '',
  connection: undefined,
  last: { mayAsk: false, trusts: false },
  startedAt: 0,
  wasRunning: true,
  cancelGrace: () => undefined,
})

/** Whether no user waits for the machine. */
export const isBackground = ({ leases }: MachineEntry): boolean => ![...leases].some((use) => use.mayAsk())
export const isUrgent = ({ leases }: MachineEntry): boolean => [...leases].some((use) => use.isUrgent())
export const trusts = ({ leases }: MachineEntry): boolean => [...leases].some((use) => use.trustsFirstKey())

/** Notifies all leases that the link has changed. */
export const notify = ({ leases }: MachineEntry): void => [...leases].forEach((use) => use.changed())

/** Bounds the number of connections without a user who waits. A user who waits is never refused. */
export function connectionRoom(limit: number) {
  const occupied = new Set<MachineEntry>()
  const waiting = new Set<MachineEntry>()
  let isClosed = false
  return {
    limit,
    /** Occupies room; returns false if there is none. */
    occupy(entry: MachineEntry): boolean {
      if (isBackground(entry) && !occupied.has(entry) && occupied.size >= limit) {
        waiting.add(entry)
        return false
      }
      waiting.delete(entry)
      occupied.add(entry)
      return true
    },
    /** Frees the room of an entry for waiting entries. */
    vacate(entry: MachineEntry): void {
      if (!occupied.delete(entry) || isClosed) return
      for (const next of [...waiting].slice(0, limit - occupied.size)) next.link?.connect()
    },
    /** Removes an entry that no longer needs room. */
    leave: (entry: MachineEntry): void => void waiting.delete(entry),
    /** Stops connecting waiting entries. */
    close(): void {
      isClosed = true
    },
  }
}
