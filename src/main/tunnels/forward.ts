import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SshLink, SshStop } from '#shared/bridge/ssh-link'
import type { ForwardState } from '#shared/bridge/tunnel'
import { onAbort } from '../core/on-abort'
import type { Clock } from '../core/clock'
import { singleFlight } from '../core/single-flight'
import { ChannelError, type SshConnection } from '../ssh/client/transport'

/** Connections through one forward at once: a browser opens 6 for a page, and some WebSockets. */
const maxConnections = 64
/** Ports tried after the wished one, before the system chooses. */
const maxNextPorts = 20
const loopback = '127.0.0.1'
/** Seconds after which a port that neither accepts nor refuses a connection counts as unanswered. */
const openTimeoutSeconds = 15

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : '')

async function listen(port: number, accept: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, accept)
  server.maxConnections = maxConnections
  server.listen({ host: loopback, port, exclusive: true })
  await once(server, 'listening')
  // The system could not accept one connection, for example with too many open files.
  server.on('error', () => undefined)
  return server
}

/** Listens on `port` of loopback, or on one of the next ports if another program or the system has it. */
async function listenNear(port: number, accept: (socket: Socket) => void): Promise<Server> {
  for (let candidate = port; candidate <= Math.min(port + maxNextPorts, 65_535); candidate += 1) {
    try {
      return await listen(candidate, accept)
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE' && codeOf(error) !== 'EACCES') throw error
    }
  }
  return listen(0, accept)
}

type Outcome = 'unknown' | 'open' | 'unanswered' | 'prohibited'

/** Returns the names of a host in the order of requests. sshd's PermitOpen compares text, so it may permit only another name. */
function namesOf(host: string): readonly string[] {
  if (host === 'localhost') return [host, '127.0.0.1', '::1']
  return host === '127.0.0.1' || host === '::1' ? [host, 'localhost'] : [host]
}

/** Whether an answer of the user may resolve the stop. */
const mayBeAnswered = (stop: SshStop): boolean =>
  stop.kind === 'no-key' ||
  stop.kind === 'keys-unsupported' ||
  stop.kind === 'key-refused' ||
  stop.kind === 'jump-untrusted' ||
  (stop.kind === 'key-unusable' && stop.why !== 'missing')

/** Returns the state of a forward. `outcome`: of its last connection. `isSilent`: the link asks the user nothing. Pure. */
export function forwardState(link: SshLink | undefined, outcome: Outcome, isSilent: boolean): ForwardState {
  switch (link?.kind) {
    case 'connected':
      return { kind: outcome === 'unknown' ? 'connecting' : outcome }
    case 'waiting':
      return { kind: 'waiting', until: link.until }
    case 'off':
      return { kind: 'not-running' }
    case 'stopped':
      return isSilent && mayBeAnswered(link.stop) ? { kind: 'unasked' } : link
    case 'host-key-unknown':
      return { kind: isSilent ? 'unasked' : 'host-key-unknown' }
    case 'connecting':
    case undefined:
      return { kind: 'connecting' }
  }
}

export interface ForwardDeps {
  readonly port: number
  /** Host of the port, as seen from the machine. */
  host(): string
  readonly wishedPort: number
  connection(): SshConnection | undefined
  /** Counts one more connection through any forward, and returns its release; undefined if there are too many. */
  acquire(): (() => void) | undefined
  changed(): void
  readonly clock: Clock
}

/** Forwards a port of this computer's loopback to a port of a machine. Rejects if no local port is free. */
export async function openForward({
  port,
  host,
  wishedPort,
  connection,
  acquire,
  changed,
  clock,
}: ForwardDeps) {
  const sockets = new Set<Socket>()
  let outcome: Outcome = 'unknown'
  /** Name of the host in the last request that succeeded. */
  let permitted: string | undefined
  const closing = new AbortController()

  function note(next: Outcome): void {
    if (next === outcome) return
    outcome = next
    changed()
  }

  /** Opens a channel by the first name of the host that the server permits. Fails as SshConnection.forward does. */
  async function openPermitted(ssh: SshConnection, signal?: AbortSignal): Promise<Duplex | undefined> {
    const names = namesOf(host()).toSorted((a, b) => Number(b === permitted) - Number(a === permitted))
    for (const [at, name] of names.entries()) {
      try {
        const channel = await ssh.forward(name, port, signal)
        permitted = name
        return channel
      } catch (error) {
        const isProhibited = error instanceof ChannelError && error.kind === 'refused' && error.isProhibited
        if (!isProhibited || at === names.length - 1) throw error
      }
    }
    return undefined
  }

  async function openChannel(signal?: AbortSignal): Promise<Duplex | undefined> {
    const ssh = connection()
    try {
      const channel = ssh && (await openPermitted(ssh, signal))
      if (channel) note('open')
      return channel
    } catch (error) {
      if (error instanceof ChannelError && error.kind === 'refused')
        note(error.isProhibited ? 'prohibited' : 'unanswered')
      return undefined
    }
  }

  async function probe(): Promise<void> {
    const waiting = new AbortController()
    const end = (): void => waiting.abort()
    const cancel = clock.after(openTimeoutSeconds, () => {
      note('unanswered')
      end()
    })
    const stop = onAbort(closing.signal, end)
    const channel = await openChannel(waiting.signal)
    cancel()
    stop()
    channel?.on('error', () => undefined).destroy()
  }

  async function carry(socket: Socket): Promise<void> {
    const release = acquire()
    // A socket closes after its error, which concerns only its client.
    socket.on('error', () => undefined)
    if (!release) return void socket.destroy()
    sockets.add(socket)
    const closed = new AbortController()
    socket.once('close', () => {
      sockets.delete(socket)
      closed.abort()
      release()
    })
    const channel = await openChannel(closed.signal)
    if (!channel) return void socket.destroy()
    // A pipeline would end both sides once one closes, before the rest was read.
    // A reset shows the client that its answer is incomplete.
    channel.on('error', () => (channel.readableEnded ? socket.destroy() : socket.resetAndDestroy()))
    // The client may never close its half.
    channel.once('close', () => socket.destroySoon())
    socket.pipe(channel)
    channel.pipe(socket)
  }

  const server = await listenNear(wishedPort, (socket) => void carry(socket))
  const address = server.address()

  return {
    localPort: typeof address === 'object' && address !== null ? address.port : 0,
    outcome: () => outcome,
    probe: singleFlight(probe),
    close(): void {
      closing.abort()
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
export type Forward = Awaited<ReturnType<typeof openForward>>
