import type { MachineView } from '#shared/bridge/fleet'
import type { SshLink } from '#shared/bridge/ssh-link'
import { machineState } from '#shared/service/machine-state'
import type { SshConnection } from './client/transport'
import { type MachineLink, machineLink, type MachineLinkDeps } from './machine-link'

export interface WantedLinkDeps extends Omit<MachineLinkDeps, 'trustsFirstKey'> {
  /** Always where absent: asking for the connection is consent to connect, as with a terminal. */
  trustsFirstKey?(): boolean
  machine(): MachineView | undefined
  /** Something needs the connection now. */
  isWanted(): boolean
  /** The computer is awake. */
  isAwake(): boolean
}

/** Seconds that a connection lasts before the next pause is a short one again. */
const settledAfter = 10

/** A machine of unknown state is tried: the service need not report one. */
function mayRun(machine: MachineView | undefined): boolean {
  const state = machineState(machine?.status ?? null)
  return machine !== undefined && machine.address !== null && (state === 'running' || state === 'other')
}

/** A connection to one machine that is open only while something needs it, made anew where its address changes. */
export function wantedLink(deps: WantedLinkDeps) {
  let link: MachineLink | undefined
  /** Address and user that the link was made for; with others it is made anew. */
  let place = ''
  let cancelSettling = (): void => undefined

  const newLink = (): MachineLink =>
    machineLink({
      trustsFirstKey: () => true,
      ...deps,
      begin(connection) {
        cancelSettling = deps.clock.after(settledAfter, () => link?.answered())
        deps.begin(connection)
      },
      end() {
        cancelSettling()
        deps.end()
      },
    })

  function settle(): void {
    const machine = deps.machine()
    const stays = deps.isWanted() && deps.isAwake() && mayRun(machine)
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
    deps.changed()
  }

  return {
    view(): SshLink {
      if (link) return link.link()
      return { kind: 'off', why: mayRun(deps.machine()) ? 'paused' : 'not-running' }
    },
    connection: (): SshConnection | undefined => link?.connection(),
    settle,
    /** Tries again now, whatever stopped it. */
    retry: (): void => link?.connect(),
    close(): void {
      link?.close()
      link = undefined
    },
  }
}
