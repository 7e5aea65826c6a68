import { once } from 'node:events'
import type { Socket } from 'node:net'
import ssh2, { type AuthContext, type Connection } from 'ssh2'
import type { Clock } from '../clock'
import { isAuthorized } from './authentication'
import type { Disk } from './disk/disk'
import { DiskError } from './disk/disk-error'
import type { Limits } from './limits'
import type { SshMachine } from './machine'
import { serveSession } from './session'
import type { TmuxServer } from './shell/tmux-server'
import { createWebServers } from './web-services'

export interface ConnectionDeps {
  readonly hostKey: string
  readonly limits: Limits
  find(username: string): SshMachine | undefined
  disk(machine: SshMachine): Disk
  tmux(machine: SshMachine, disk: Disk): TmuxServer
  /** Returns the start of a machine in epoch seconds. */
  startedAt(machine: SshMachine): number
  readonly now: Clock['now']
  /** Called once, after authentication. */
  onAuthenticated(): void
}

export interface SshConnection {
  /** Returns undefined before authentication. */
  machine(): SshMachine | undefined
  close(): void
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '::1'])

/** Serves SSH on a socket until either end closes it. Never throws, whatever the client sends. */
export function serveConnection(socket: Socket, deps: ConnectionDeps): SshConnection {
  const { limits } = deps
  const disconnected = new AbortController()
  let connection: Connection | undefined
  let admitted: SshMachine | undefined
  let attempts = 0
  let channels = 0

  const close = () => {
    connection?.end()
    // Sends pending output first, without waiting for a client that does not read.
    setImmediate(() => {
      socket.destroy()
    })
  }
  const timer = (milliseconds: number) => {
    const timeout = setTimeout(close, milliseconds)
    timeout.unref()
    return () => {
      clearTimeout(timeout)
    }
  }
  let clearTimer = timer(limits.authenticationTimeoutMs)

  socket.setNoDelay(true)
  socket.on('error', () => {
    socket.destroy()
  })
  socket.on('close', () => {
    clearTimer()
    disconnected.abort()
  })

  /** Counts a channel and returns its release function; undefined at the limit. */
  const acquireChannel = (): (() => void) | undefined => {
    if (channels >= limits.channels) return undefined
    channels += 1
    clearTimer()
    return () => {
      channels -= 1
      if (channels === 0 && !disconnected.signal.aborted) clearTimer = timer(limits.idleTimeoutMs)
    }
  }

  /** Returns undefined if the memory of all disks is used up. */
  const diskOf = (machine: SshMachine): Disk | undefined => {
    try {
      return deps.disk(machine)
    } catch (error) {
      if (error instanceof DiskError) return undefined
      throw error
    }
  }

  const authenticate = (attempt: AuthContext) => {
    const machine = deps.find(attempt.username)
    attempts += 1
    if (attempts > limits.attempts || machine?.running === false) {
      close()
      return
    }
    if (!machine || !isAuthorized(machine, attempt)) {
      attempt.reject(['publickey'])
      return
    }
    admitted = machine
    attempt.accept()
  }

  const serve = (machine: SshMachine, client: Connection) => {
    deps.onAuthenticated()
    clearTimer()
    clearTimer = timer(limits.idleTimeoutMs)
    const servers = createWebServers(machine)
    client.on('session', (accept, reject) => {
      const disk = diskOf(machine)
      const release = disk && acquireChannel()
      if (!release) {
        reject()
        return
      }
      serveSession(accept(), {
        machine,
        disk,
        tmux: deps.tmux(machine, disk),
        startedAt: deps.startedAt(machine),
        now: () => deps.now(),
        disconnected: disconnected.signal,
        waitForDrain: async (signal) => {
          if (socket.writableNeedDrain) await once(socket, 'drain', { signal })
        },
        onClose: release,
      })
    })
    client.on('tcpip', (accept, reject, { destIP, destPort }) => {
      const server = loopbackHosts.has(destIP) ? servers.get(destPort) : undefined
      const release = server && acquireChannel()
      if (!release) {
        reject()
        return
      }
      const channel = accept()
      channel.on('close', release)
      server.emit('connection', channel)
    })
  }

  const server = new ssh2.Server({ hostKeys: [deps.hostKey], ident: 'Wheelhouse_sandbox' }, (client) => {
    connection = client
    client.on('error', close)
    // Programs wait while the buffer is full; this limits replies that ssh2 sends itself.
    socket.on('data', () => {
      if (socket.writableLength > limits.unsent) socket.destroy()
    })
    client.on('authentication', authenticate)
    client.on('ready', () => {
      if (admitted) serve(admitted, client)
    })
  })
  server.injectSocket(socket)

  return { machine: () => (connection?.authenticated ? admitted : undefined), close }
}
