import type { ServicesReport } from '#shared/bridge/tunnel'
import { connectionLimits } from '../ssh/client/target'
import type { SshConnection } from '../ssh/client/transport'
import { wantedLink, type WantedLinkDeps } from '../ssh/wanted-link'
import { readServices } from './listeners'

export interface MachineTunnelsDeps extends Pick<
  WantedLinkDeps,
  'machine' | 'isAwake' | 'open' | 'record' | 'changed' | 'clock' | 'network' | 'random' | 'report'
> {
  /** `isSilent`: the person is asked nothing. */
  reach(isSilent: boolean): ReturnType<WantedLinkDeps['reach']>
  /** A forward leads to it. */
  isForwarded(): boolean
  /** Local ports of all forwards. */
  ownPorts(): readonly number[]
  /** A connection is open. */
  connected(): void
}

/** Seconds between two readings of the services. */
const readEvery = 5
const sshPort = 22

/** The connection to one machine: open while a forward leads to it, or somebody looks at its services. */
export function machineTunnels(deps: MachineTunnelsDeps) {
  const { clock, changed } = deps
  let target: { readonly host: string; readonly port: number } | undefined
  let isAllowed = false
  /** The person has asked for the connection: until then, nothing asks them. */
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

  /** Ports of sshd and, where the machine is this computer, of the forwards. */
  const ownPorts = (): ReadonlySet<number> =>
    new Set([
      sshPort,
      ...(target ? [target.port] : []),
      ...(target && /^(127\.|::1$|localhost$)/.test(target.host) ? deps.ownPorts() : []),
    ])

  async function read(connection: SshConnection): Promise<void> {
    endReading()
    const mine = generation
    const next = await readServices(connection.exec, ownPorts(), connectionLimits.command).catch(() => null)
    // A lost connection: the link handles it.
    if (mine !== generation || next === null) return
    report = next
    cancelReading = clock.after(readEvery, () => void read(connection))
    changed()
  }

  const link = wantedLink({
    ...deps,
    isWanted: () => deps.isForwarded() || isWatched(),
    reach: async () => {
      const reach = await deps.reach(!mayAsk)
      target = reach.kind === 'reachable' ? reach.target : undefined
      return reach
    },
    trustsFirstKey: () => mayAsk,
    action: 'tunnel.connect',
    begin(connection) {
      if (isWatched()) void read(connection)
      deps.connected()
    },
    end: endReading,
  })

  /** The person wants the connection. */
  function ask(): void {
    if (mayAsk) return
    mayAsk = true
    // Whatever came of an attempt that could not ask.
    if (!link.connection()) link.retry()
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
    /** The person tries again. */
    retry(): void {
      mayAsk = true
      link.retry()
    },
    reconnect: link.retry,
    close: link.close,
  }
}
export type MachineTunnels = ReturnType<typeof machineTunnels>
