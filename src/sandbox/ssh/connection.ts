import { once } from 'node:events'
import type { Socket } from 'node:net'
import ssh2, { type AuthContext, type Connection } from 'ssh2'
import { isAuthorized } from './authentication'
import type { Disk } from './disk/disk'
import { DiskError } from './disk/disk-error'
import { createJupyter, jupyterPort } from './jupyter'
import type { Limits } from './limits'
import type { SshMachine } from './machine'
import { serveSession } from './session'

export interface ConnectionDeps {
  /** Private host key of the address that the client came to. */
  readonly hostKey: string
  readonly limits: Limits
  find(username: string): SshMachine | undefined
  disk(machine: SshMachine): Disk
  /** Epoch seconds. */
  startedAt(machine: SshMachine): number
  /** Epoch seconds. */
  now(): number
  /** Called once, when the client is let in. */
  authenticated(): void
}

/** One client. */
export interface SshConnection {
  /** The machine that it was let in to; undefined before. */
  machine(): SshMachine | undefined
  close(): void
}

const ownHosts = new Set(['localhost', '127.0.0.1', '::1'])

/** Speaks SSH on a socket until one of the two ends goes. Nothing that the client sends makes this throw. */
export function serveConnection(socket: Socket, parts: ConnectionDeps): SshConnection {
  const { limits } = parts
  const gone = new AbortController()
  let connection: Connection | undefined
  let admitted: SshMachine | undefined
  let attempts = 0
  let channels = 0

  const close = () => {
    connection?.end()
    // What is still on its way out goes first; a client that does not read it is not waited for.
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
  let cancelTimer = timer(limits.authenticationTime)

  socket.setNoDelay(true)
  socket.on('error', () => {
    socket.destroy()
  })
  socket.on('close', () => {
    cancelTimer()
    gone.abort()
  })

  /** Counts one channel, and answers what uncounts it; undefined where there are too many. */
  const countChannel = (): (() => void) | undefined => {
    if (channels >= limits.channels) return undefined
    channels += 1
    cancelTimer()
    return () => {
      channels -= 1
      if (channels === 0 && !gone.signal.aborted) cancelTimer = timer(limits.idleTime)
    }
  }

  /** Undefined where the memory of all disks together is used up. */
  const diskOf = (machine: SshMachine): Disk | undefined => {
    try {
      return parts.disk(machine)
    } catch (error) {
      if (error instanceof DiskError) return undefined
      throw error
    }
  }

  const authenticate = (attempt: AuthContext) => {
    const machine = parts.find(attempt.username)
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
    parts.authenticated()
    cancelTimer()
    cancelTimer = timer(limits.idleTime)
    const jupyter = createJupyter(machine)
    client.on('session', (accept, reject) => {
      const disk = diskOf(machine)
      const closed = disk && countChannel()
      if (!closed) {
        reject()
        return
      }
      serveSession(accept(), {
        machine,
        disk,
        startedAt: parts.startedAt(machine),
        now: () => parts.now(),
        gone: gone.signal,
        drained: async (signal) => {
          if (socket.writableNeedDrain) await once(socket, 'drain', { signal })
        },
        closed,
      })
    })
    client.on('tcpip', (accept, reject, { destIP, destPort }) => {
      const closed = ownHosts.has(destIP) && destPort === jupyterPort ? countChannel() : undefined
      if (!closed) {
        reject()
        return
      }
      const channel = accept()
      channel.on('close', closed)
      jupyter.emit('connection', channel)
    })
  }

  const server = new ssh2.Server({ hostKeys: [parts.hostKey], ident: 'Wheelhouse_sandbox' }, (client) => {
    connection = client
    client.on('error', close)
    // Programs wait for a client that does not read; this is for what answers by itself, such as an echo.
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
