import type { AccountId } from '#shared/bridge/account'
import type { Clock } from '../../core/clock'
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
/** Whether the machine may wait for its turn if too many others are connected. */
export const mayWait = (entry: MachineEntry): boolean =>
  isBackground(entry) && ![...entry.leases].some((use) => use.isUrgent() || use.isNeeded?.() === true)
export const trusts = ({ leases }: MachineEntry): boolean => [...leases].some((use) => use.trustsFirstKey())

/** Notifies all leases that the link has changed. */
export const notify = ({ leases }: MachineEntry): void => [...leases].forEach((use) => use.changed())

/** Whether only background readings use the machine, so that it may wait for its turn. */
const isOnlyRead = (entry: MachineEntry): boolean =>
  mayWait(entry) && [...entry.leases].every(({ purpose }) => purpose === 'gpu')

/** Time in seconds in which every machine gets a turn: below the longest gap that a verdict bridges (idle-chain.ts). */
const cycleSeconds = 600
/** Shortest turn in seconds. Each costs a sign-in. */
const minTurnSeconds = 60

/**
 * Bounds the number of connections without a user who waits. A user who waits is never refused. If more machines are
 * read in the background, they take turns. `pause` disconnects a machine whose turn is over.
 */
export function connectionRoom(
  limit: number,
  { now, after }: Pick<Clock, 'now' | 'after'>,
  pause: (entry: MachineEntry) => void,
) {
  /** Epoch seconds since which each entry occupies its place, or is connected. The longest first. */
  const occupied = new Map<MachineEntry, number>()
  /** Next entry first. */
  const waiting = new Set<MachineEntry>()
  let isClosed = false
  let cancelTurn: (() => void) | undefined

  function connectWaiting(): void {
    if (isClosed) return
    for (const next of [...waiting].slice(0, Math.max(0, limit - occupied.size))) next.link?.connect()
  }
  function vacate(entry: MachineEntry): void {
    if (occupied.delete(entry)) connectWaiting()
  }
  /** Frees the places of entries whose turn is over, the longest first. */
  function endTurns(): void {
    cancelTurn = undefined
    const seconds = Math.max(minTurnSeconds, (cycleSeconds * limit) / (occupied.size + waiting.size))
    const over = [...occupied].filter(([entry, since]) => isOnlyRead(entry) && now() - since >= seconds)
    for (const [entry] of over.slice(0, Math.max(waiting.size, occupied.size - limit))) {
      // Last in the queue, and not its own successor.
      waiting.add(entry)
      occupied.delete(entry)
      pause(entry)
    }
    connectWaiting()
    planTurns()
  }
  function planTurns(): void {
    if (!isClosed && (waiting.size > 0 || occupied.size > limit))
      cancelTurn ??= after(minTurnSeconds / 4, endTurns)
  }
  return {
    /** Occupies room; returns false if there is none. */
    occupy(entry: MachineEntry): boolean {
      if (mayWait(entry) && !occupied.has(entry) && occupied.size >= limit) {
        waiting.add(entry)
        planTurns()
        return false
      }
      waiting.delete(entry)
      if (!occupied.has(entry)) occupied.set(entry, now())
      planTurns()
      return true
    },
    /** Starts the turn of an entry over: sign-ins may wait for others. */
    opened(entry: MachineEntry): void {
      if (occupied.delete(entry)) occupied.set(entry, now())
    },
    /** Frees the room of an entry for waiting entries. */
    vacate,
    isWaiting: (entry: MachineEntry): boolean => waiting.has(entry),
    /** Removes an entry that no longer needs room. */
    leave: (entry: MachineEntry): void => void waiting.delete(entry),
    /** Stops connecting waiting entries. */
    close(): void {
      isClosed = true
      cancelTurn?.()
    },
  }
}
