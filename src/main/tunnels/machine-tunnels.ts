import type { AccountId } from '#shared/bridge/account'
import type { ServicesReport } from '#shared/bridge/tunnel'
import type { Clock } from '../core/clock'
import { connectionLimits } from '../ssh/client/target'
import type { SshConnection } from '../ssh/client/transport'
import { leaseWhile, type LeaseWhileDeps } from '../ssh/machines/lease-while'
import { readServices } from './listeners'

export interface MachineTunnelsDeps extends Pick<LeaseWhileDeps, 'machines' | 'view' | 'changed'> {
  readonly account: AccountId
  readonly machine: string
  /** Whether a forward needs the connection. */
  isForwarded(): boolean
  /** Local ports of all forwards. */
  ownPorts(): readonly number[]
  /** A connection is open. */
  connected(): void
  readonly clock: Clock
}

/** Seconds between two readings of the services. */
const readEverySeconds = 5
const sshPort = 22

/** A hold on the machine's connection while a forward uses it, or the user looks at its services. */
export function machineTunnels(deps: MachineTunnelsDeps) {
  const { clock, changed } = deps
  let isAllowed = false
  /** The user wants the connection: before, nothing asks the user. */
  let mayAsk = false
  let isLooking = false
  let report: ServicesReport | null = null
  /** Counts readings: one that was begun for an earlier connection, or look, is dropped. */
  let generation = 0
  let cancelReading = (): void => undefined

  const isWatched = (): boolean => isAllowed && isLooking

  function endReading(): void {
    generation += 1
    cancelReading()
    cancelReading = () => undefined
  }

  const link = leaseWhile({
    ...deps,
    isWanted: () => deps.isForwarded() || isWatched(),
    mayAsk: () => mayAsk,
    trustsFirstKey: () => mayAsk,
    isUrgent: deps.isForwarded,
    opened(connection) {
      if (isWatched()) void read(connection)
      deps.connected()
    },
    closed: endReading,
  })

  /** Ports of sshd and, where the machine is this computer, of the forwards. */
  function ownPorts(): ReadonlySet<number> {
    const target = link.target()
    const isHere = target !== undefined && /^(127\.|::1$|localhost$)/.test(target.host)
    return new Set([sshPort, ...(target ? [target.port] : []), ...(isHere ? deps.ownPorts() : [])])
  }

  async function read(connection: SshConnection): Promise<void> {
    endReading()
    const mine = generation
    const next = await readServices(connection.exec, ownPorts(), connectionLimits.command).catch(() => null)
    // A lost connection: the link handles it.
    if (mine !== generation || next === null) return
    report = next
    cancelReading = clock.after(readEverySeconds, () => void read(connection))
    changed()
  }

  /** The user wants the connection. */
  function ask(): void {
    if (mayAsk) return
    mayAsk = true
    link.settle()
  }

  return {
    link: link.view,
    isSilent: () => !mayAsk,
    ask,
    connection: link.connection,
    isAllowed: () => isAllowed,
    report: () => report,
    settle: link.settle,
    look(looking: boolean, allow: boolean): void {
      const wasWatched = isWatched()
      isAllowed ||= allow
      isLooking = looking
      if (isWatched()) ask()
      const connection = link.connection()
      if (!looking) {
        endReading()
        report = null
      } else if (isWatched() && !wasWatched && connection) void read(connection)
      link.settle()
    },
    /** Connects now, because the user wants it. */
    retry(): void {
      mayAsk = true
      link.retry()
    },
    close: link.close,
  }
}
export type MachineTunnels = ReturnType<typeof machineTunnels>
