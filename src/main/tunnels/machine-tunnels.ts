import type { GpuLink } from '#shared/bridge/gpu'
import type { ServicesReport } from '#shared/bridge/tunnel'
import type { MachineView } from '#shared/bridge/fleet'
import { machineState } from '#shared/service/machine-state'
import { connectionLimits } from '../ssh/client/connection'
import type { SshConnection } from '../ssh/client/transport'
import { type MachineLink, machineLink, type MachineLinkDeps } from '../ssh/machine-link'
import { readServices } from './listeners'

export interface MachineTunnelsDeps extends Pick<
  MachineLinkDeps,
  'reach' | 'open' | 'record' | 'clock' | 'random' | 'report'
> {
  machine(): MachineView | undefined
  /** A forward leads to it. */
  isForwarded(): boolean
  /** Local ports of all forwards. */
  ownPorts(): readonly number[]
  /** The computer is awake. */
  isAwake(): boolean
  changed(): void
  /** A connection is open. */
  connected(): void
}

/** Seconds between two readings of the services. */
const readEvery = 5
/** Seconds that a connection lasts before the next pause is a short one again. */
const settledAfter = 10
const sshPort = 22

/** A machine of unknown state is tried: the service need not report one. */
function mayRun(machine: MachineView | undefined): boolean {
  const state = machineState(machine?.status ?? null)
  return machine !== undefined && machine.address !== null && (state === 'running' || state === 'other')
}

/** The connection to one machine: open while a forward leads to it, or somebody looks at its services. */
export function machineTunnels(deps: MachineTunnelsDeps) {
  const { clock, changed } = deps
  let link: MachineLink | undefined
  /** Address and user that the link was made for; with others it is made anew. */
  let place = ''
  let target: { readonly host: string; readonly port: number } | undefined
  let isAllowed = false
  let isLooking = false
  let report: ServicesReport | null = null
  /** Counts readings: one that was begun for an earlier connection, or look, is dropped. */
  let generation = 0
  let cancelReading = (): void => undefined
  let cancelSettling = (): void => undefined

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
    // A lost connection: the link goes on from there.
    if (mine !== generation || next === null) return
    report = next
    cancelReading = clock.after(readEvery, () => void read(connection))
    changed()
  }

  const newLink = (): MachineLink =>
    machineLink({
      ...deps,
      reach: async () => {
        const reach = await deps.reach()
        target = reach.kind === 'reachable' ? reach.target : undefined
        return reach
      },
      // Whoever asks for a forward connects, as with a terminal.
      trustsFirstKey: () => true,
      action: 'tunnel.connect',
      begin(connection) {
        cancelSettling = clock.after(settledAfter, () => link?.answered())
        if (isWatched()) void read(connection)
        deps.connected()
      },
      end() {
        cancelSettling()
        endReading()
      },
    })

  function settle(): void {
    const machine = deps.machine()
    const isWanted = deps.isForwarded() || isWatched()
    const stays = isWanted && deps.isAwake() && mayRun(machine)
    const next = JSON.stringify([machine?.address, machine?.username])
    if (link && (!stays || place !== next)) {
      link.close()
      link = undefined
    }
    if (stays && !link) {
      place = next
      link = newLink()
      link.connect()
    }
    changed()
  }

  return {
    link(): GpuLink {
      if (link) return link.link()
      return { kind: 'off', why: mayRun(deps.machine()) ? 'paused' : 'not-running' }
    },
    connection: () => link?.connection(),
    isAllowed: () => isAllowed,
    report: () => report,
    settle,
    look(looking: boolean, allow: boolean): void {
      const wasWatched = isWatched()
      isAllowed ||= allow
      isLooking = looking
      const connection = link?.connection()
      if (!looking) {
        endReading()
        report = null
      } else if (isWatched() && !wasWatched && connection) void read(connection)
      settle()
    },
    retry(): void {
      link?.connect()
    },
    close(): void {
      link?.close()
      link = undefined
    },
  }
}
export type MachineTunnels = ReturnType<typeof machineTunnels>
