import type { AccountId } from '#shared/bridge/account'
import type { SshLink } from '#shared/bridge/ssh-link'
import type { ServicesReport } from '#shared/bridge/tunnel'
import type { Clock } from '../core/clock'
import { connectionLimits } from '../ssh/client/target'
import type { SshConnection } from '../ssh/client/transport'
import { leaseWhile, type LeaseWhileDeps } from '../ssh/machines/lease-while'
import { readServices } from './listeners'

export interface MachineTunnelsDeps extends Pick<LeaseWhileDeps, 'machines' | 'view' | 'changed'> {
  readonly account: AccountId
  readonly machine: string
  isForwarded(): boolean
  ownPorts(): readonly number[]
  connected(): void
  readonly clock: Clock
}

const readIntervalSeconds = 5
const sshPort = 22

/** Holds the machine's connection while a forward uses it, and while the user looks at the machine's services. */
export function machineTunnels(deps: MachineTunnelsDeps) {
  const { clock, changed } = deps
  /** Whether the user wants the connection. Nothing asks the user before. */
  let mayAsk = false
  let isLooking = false
  let isClosed = false
  let report: ServicesReport | null = null
  /** Number of the latest reading. The results of earlier readings are dropped. */
  let generation = 0
  let cancelReading = (): void => undefined

  function endReading(): void {
    generation += 1
    cancelReading()
    cancelReading = () => undefined
  }

  const forwarding = leaseWhile({
    ...deps,
    purpose: 'action',
    isWanted: deps.isForwarded,
    mayAsk: () => mayAsk,
    trustsFirstKey: () => mayAsk,
    isUrgent: () => true,
    opened: deps.connected,
    closed: () => undefined,
  })
  const watching = leaseWhile({
    ...deps,
    purpose: 'services',
    isWanted: () => isLooking,
    mayAsk: () => true,
    trustsFirstKey: () => true,
    isUrgent: () => false,
    opened: (connection) => void read(connection),
    closed: endReading,
  })
  function settle(): void {
    forwarding.settle()
    watching.settle()
    if (!isClosed) changed()
  }

  function ownPorts(): ReadonlySet<number> {
    const target = watching.target()
    const isHere = target !== undefined && /^(127\.|::1$|localhost$)/.test(target.host)
    return new Set([sshPort, ...(target ? [target.port] : []), ...(isHere ? deps.ownPorts() : [])])
  }

  async function read(connection: SshConnection): Promise<void> {
    endReading()
    const reading = generation
    const next = await readServices(connection.exec, ownPorts(), connectionLimits.command).catch(() => null)
    // The lease reports a lost connection. With tinysshd, a reading has its own connection, which can fail separately.
    if (reading !== generation) return
    cancelReading = clock.after(readIntervalSeconds, () => void read(connection))
    if (next === null) return
    report = next
    changed()
  }

  /** Allows questions to the user, who wants the connection. */
  function ask(): void {
    if (mayAsk) return
    mayAsk = true
    settle()
  }

  return {
    /** Returns the link of the services while the user looks at them, otherwise the link of the forwards. */
    link: (): SshLink => (isLooking ? watching : forwarding).view(),
    forwardLink: forwarding.view,
    isSilent: () => !mayAsk,
    ask,
    connection: forwarding.connection,
    report: () => report,
    settle,
    look(looking: boolean): void {
      isLooking = looking
      if (!looking) report = null
      settle()
      const link = watching.view()
      if (looking && !(link.kind === 'off' && link.why === 'no-consent')) ask()
    },
    retry(): void {
      mayAsk = true
      ;(isLooking ? watching : forwarding).retry()
    },
    close(): void {
      isClosed = true
      watching.close()
      forwarding.close()
    },
  }
}
export type MachineTunnels = ReturnType<typeof machineTunnels>
