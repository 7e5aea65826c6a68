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
  readonly hostKey: string
}

export interface SshServerOptions {
  /** Port; 0: any port that is free on every address. */
  readonly port: number
  /** Finds a machine at an address, by user name if several share 127.0.0.1. */
  find(address: string, username: string): SshMachine | undefined
  /** Returns the addresses to listen on; refresh() calls it again. */
  addresses(): readonly AddressToListenOn[]
  readonly now: Clock['now']
  readonly limits?: Partial<Limits>
}

export interface RunningSshServer {
  readonly port: number
  /**
   * Call after machines were added, removed, started or stopped. Listens on current addresses, closes connections to
   * removed or stopped machines, and discards the disks of removed ones. Rejects with ListenError.
   */
  refresh(): Promise<void>
  close(): Promise<void>
}

interface Listener {
  readonly server: Server
  readonly connections: Set<SshConnection>
  hostKey: string
}

/** Checks a host key at the start: ssh2 reports an invalid key only at the first connection. */
const checkHostKey = (hostKey: string): string => {
  const parsed: unknown = ssh2.utils.parseKey(hostKey)
  if (parsed instanceof Error)
    throw new Error('a host key is not in a format that ssh2 reads', { cause: parsed })
  return hostKey
}

const loopback = '127.0.0.1'
const portChoices = 20

async function freePort(): Promise<number> {
  const probe = await listen(loopback, 0, (socket) => socket.destroy())
  const port = portOf(probe)
  await closeListener(probe)
  return port
}

/** Returns a function that runs actions one after another. Each caller receives its own failure. */
function createQueue() {
  let last: Promise<void> = Promise.resolve()
  return (action: () => Promise<void>): Promise<void> => {
    const result = last.then(action)
    last = result.catch(() => undefined)
    return result
  }
}

/** Starts the SSH server of the sandbox's machines. Rejects with ListenError if an address or the port is unavailable. */
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

  const serve = (address: string, listener: Listener, socket: Socket) => {
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
      hostKey: listener.hostKey,
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
    listener.connections.add(connection)
    socket.on('close', () => {
      authenticated()
      open -= 1
      listener.connections.delete(connection)
    })
  }

  const openListener = async ({ address, hostKey }: AddressToListenOn, port: number): Promise<void> => {
    checkHostKey(hostKey)
    const server = await listen(address, port, (socket) => {
      const listener = listening.get(address)
      if (listener) serve(address, listener, socket)
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
    await Promise.all(Array.from(listening, ([address, listener]) => closeAddress(address, listener)))
  }

  const openAll = async (port: number): Promise<void> => {
    try {
      for (const place of options.addresses()) await openListener(place, port)
    } catch (error) {
      await closeAll()
      throw error
    }
  }
  const openOnFreePort = async (choices: number): Promise<number> => {
    const port = options.port === 0 ? await freePort() : options.port
    try {
      await openAll(port)
      return port
    } catch (error) {
      // A port that is free on 127.0.0.1 may be in use on another address.
      const another = error instanceof ListenError && error.code === 'EADDRINUSE' && options.port === 0
      if (!another || choices === 1) throw error
      return openOnFreePort(choices - 1)
    }
  }
  const port = await openOnFreePort(portChoices)

  const current = (machine: SshMachine): SshMachine | undefined => {
    const match = options.find(machine.address, machine.username)
    return match?.id === machine.id ? match : undefined
  }
  const refreshNow = async (): Promise<void> => {
    disks.keepOnly((machine) => current(machine) !== undefined)
    for (const [id, machine] of tmuxMachines) if (current(machine)?.running !== true) tmuxMachines.delete(id)
    tmuxServers.keepOnly((id) => tmuxMachines.has(id))
    const wanted = options.addresses()
    const addresses = new Set(wanted.map(({ address }) => address))
    for (const [address, listener] of Array.from(listening)) {
      if (!addresses.has(address)) await closeAddress(address, listener)
      for (const connection of listener.connections) {
        const machine = connection.machine()
        if (machine && !current(machine)?.running) connection.close()
      }
    }
    const errors: unknown[] = []
    for (const place of wanted) {
      const listener = listening.get(place.address)
      if (!listener) await openListener(place, port).catch((error: unknown) => errors.push(error))
      else if (listener.hostKey !== place.hostKey) listener.hostKey = checkHostKey(place.hostKey)
    }
    if (errors.length > 0) throw errors[0]
  }

  // Concurrent refreshes would both open a new address.
  const enqueue = createQueue()
  let closing = false
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
