import type { Server, Socket } from 'node:net'
import ssh2 from 'ssh2'
import type { Clock } from '../clock'
import { serveConnection, type SshConnection } from './connection'
import { createDisks } from './disk/disks'
import { defaultLimits, type Limits } from './limits'
import { closeListener, listen, ListenError, portOf } from './listener'
import type { SshMachine } from './machine'
import { createTmuxServers } from './shell/tmux-servers'

export type { SshMachine } from './machine'

export interface AddressToListenOn {
  readonly address: string
  /** Private host key, in OpenSSH's format. */
  readonly hostKey: string
}

export interface SshServerOptions {
  /** 0: any port that is free on every address. */
  readonly port: number
  /** The machine at an address, by user name where several share 127.0.0.1. */
  find(address: string, username: string): SshMachine | undefined
  /** Addresses to listen on; read again by refresh(). */
  addresses(): readonly AddressToListenOn[]
  readonly now: Clock['now']
  readonly limits?: Partial<Limits>
}

export interface RunningSshServer {
  /** The one port of all addresses. */
  readonly port: number
  /**
   * To be called when machines were added, removed, started or stopped: listens on their current addresses, closes
   * connections to removed or stopped machines, and discards the disks of removed ones. Rejects with ListenError.
   */
  refresh(): Promise<void>
  close(): Promise<void>
}

interface Listener {
  readonly server: Server
  readonly connections: Set<SshConnection>
  hostKey: string
}

/** ssh2 would report an invalid key only at the first connection. */
const checkHostKey = (hostKey: string): string => {
  const parsed: unknown = ssh2.utils.parseKey(hostKey)
  if (parsed instanceof Error)
    throw new Error('a host key is not in a format that ssh2 reads', { cause: parsed })
  return hostKey
}

const loopback = '127.0.0.1'
const portChoices = 20

/** The SSH side of the sandbox's machines. Rejects with ListenError where an address or the port cannot be had. */
export async function startSshServer(options: SshServerOptions): Promise<RunningSshServer> {
  const limits: Limits = { ...defaultLimits, ...options.limits }
  const disks = createDisks(limits, options.now)
  const listening = new Map<string, Listener>()
  const started = options.now()
  const startedAt = (machine: SshMachine): number => machine.startedAt ?? started
  const tmuxServers = createTmuxServers(startedAt, options.now)
  const tmuxMachines = new Map<string, SshMachine>()
  let open = 0
  let authenticating = 0

  const serve = (address: string, at: Listener, socket: Socket) => {
    if (open >= limits.connections || authenticating >= limits.unauthenticated) {
      socket.destroy()
      return
    }
    open += 1
    authenticating += 1
    let isAuthenticating = true
    const authenticated = () => {
      if (isAuthenticating) authenticating -= 1
      isAuthenticating = false
    }
    const connection = serveConnection(socket, {
      hostKey: at.hostKey,
      limits,
      find: (username) => options.find(address, username),
      disk: disks.of,
      tmux(machine, disk) {
        tmuxMachines.set(machine.id, machine)
        return tmuxServers.of(machine, disk)
      },
      startedAt,
      now: () => options.now(),
      onAuthenticated: authenticated,
    })
    at.connections.add(connection)
    socket.on('close', () => {
      authenticated()
      open -= 1
      at.connections.delete(connection)
    })
  }

  const openListener = async ({ address, hostKey }: AddressToListenOn, port: number): Promise<void> => {
    checkHostKey(hostKey)
    const server = await listen(address, port, (socket) => {
      const at = listening.get(address)
      if (at) serve(address, at, socket)
      else socket.destroy()
    })
    listening.set(address, { server, hostKey, connections: new Set() })
  }
  const closeAddress = async (address: string, { server, connections }: Listener): Promise<void> => {
    listening.delete(address)
    for (const connection of connections) connection.close()
    await closeListener(server)
  }
  const closeAll = async (): Promise<void> => {
    await Promise.all(Array.from(listening, ([address, at]) => closeAddress(address, at)))
  }

  const openAll = async (port: number): Promise<void> => {
    try {
      for (const place of options.addresses()) await openListener(place, port)
    } catch (error) {
      await closeAll()
      throw error
    }
  }
  const anyPort = async (): Promise<number> => {
    const probe = await listen(loopback, 0, (socket) => socket.destroy())
    const port = portOf(probe)
    await closeListener(probe)
    return port
  }
  const openOnFreePort = async (choices: number): Promise<number> => {
    const port = options.port === 0 ? await anyPort() : options.port
    try {
      await openAll(port)
      return port
    } catch (error) {
      // Free on 127.0.0.1 is not free everywhere.
      const another = error instanceof ListenError && error.code === 'EADDRINUSE' && options.port === 0
      if (!another || choices === 1) throw error
      return openOnFreePort(choices - 1)
    }
  }
  const port = await openOnFreePort(portChoices)

  const current = (machine: SshMachine): SshMachine | undefined => {
    const found = options.find(machine.address, machine.username)
    return found?.id === machine.id ? found : undefined
  }
  const refreshNow = async (): Promise<void> => {
    disks.keepOnly((machine) => current(machine) !== undefined)
    for (const [id, machine] of tmuxMachines) if (current(machine)?.running !== true) tmuxMachines.delete(id)
    tmuxServers.keepOnly((id) => tmuxMachines.has(id))
    const wanted = options.addresses()
    const addresses = new Set(wanted.map(({ address }) => address))
    for (const [address, at] of Array.from(listening)) {
      if (!addresses.has(address)) await closeAddress(address, at)
      for (const connection of at.connections) {
        const machine = connection.machine()
        if (machine && !current(machine)?.running) connection.close()
      }
    }
    const errors: unknown[] = []
    for (const place of wanted) {
      const at = listening.get(place.address)
      if (!at) await openListener(place, port).catch((error: unknown) => errors.push(error))
      else if (at.hostKey !== place.hostKey) at.hostKey = checkHostKey(place.hostKey)
    }
    if (errors.length > 0) throw errors[0]
  }

  // Serialized, because concurrent calls would both open a new address. Each caller receives its own failure.
  let last: Promise<void> = Promise.resolve()
  let closing = false
  const enqueue = (action: () => Promise<void>): Promise<void> => {
    const result = last.then(action)
    last = result.catch(() => undefined)
    return result
  }
  return {
    port,
    refresh: () => enqueue(async () => (closing ? undefined : refreshNow())),
    close: () => {
      closing = true
      tmuxServers.keepOnly(() => false)
      return enqueue(closeAll)
    },
  }
}
