import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import ssh2, { type Connection, type ServerChannel } from 'ssh2'
import { begunText, readFrame } from '../../../src/shared/command-frame'
import { outputs } from '../../../src/main/gpu/tools/fixtures/outputs'
import { hostKeyOf } from '../../../src/main/ssh/client/host-key'
import { makeKey } from '../../../src/sandbox/ssh/fixtures/machines'

/** Faults of a server; absent parts work. */
export interface ServerFault {
  /** Replaces an SSH server. */
  readonly act?: (socket: Socket) => void
  /** Nothing listens. */
  readonly isClosed?: boolean
  /** Bytes of the server after which the connection is reset or stalls. */
  readonly after?: { readonly bytes: number; readonly then: 'reset' | 'silence' }
  readonly hostKey?: 'another' | 'another at re-key'
  /** By the number of the key, from 1. `end` is OpenSSH's behaviour after its MaxAuthTries. */
  readonly signIn?: (key: number) => 'accept' | 'refuse' | 'end' | 'silence'
  /** `refused`: the channel; `no-command`: the command in it. */
  readonly session?: 'refused' | 'no-command'
  /** Replaces nvidia-smi. */
  readonly command?: (channel: ServerChannel, command: string) => void
  /** The connection stalls after the sign-in. */
  readonly fallsSilent?: boolean
}

const parsed = (text: string): ssh2.ParsedKey => {
  const key = ssh2.utils.parseKey(text)
  if (key instanceof Error) throw key
  return key
}

/** ssh2's server cannot end a sign-in with a reason or change its host key: its protocol object can. */
function withProtocol(client: Connection, use: (protocol: object) => void): void {
  const protocol: unknown = Reflect.get(client, '_protocol')
  if (typeof protocol !== 'object' || protocol === null) throw new Error('ssh2 has no protocol object')
  use(protocol)
}

/** RFC 4253, 11.1: OpenSSH's message with "Too many authentication failures". */
const protocolError = 2

const portOf = (server: Server | ssh2.Server): number => {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

export const answerCommand = (channel: ServerChannel, text: string): void => {
  channel.write(text)
  channel.exit(0)
  channel.end()
}

export const usualAnswer = (channel: ServerChannel, command: string): void =>
  answerCommand(channel, command.includes('compute-apps') ? outputs.processes : outputs.h100)

/** Behaves like a machine with a framed command. */
export function announce(channel: ServerChannel, mark: string): void {
  const begun = `${begunText(mark, '4242')}\n`
  channel.write(begun)
  channel.stderr.write(begun)
}

/** An SSH server on loopback with changeable faults, and its record of connections. */
export async function startSshFaultServer() {
  const usual = makeKey().private
  const other = makeKey().private
  const sockets = new Set<Socket>()
  let fault: ServerFault = {}
  let connections = 0
  let keys = 0
  let commands = 0

  async function serverWith(hostKey: string): Promise<ssh2.Server> {
    const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
      let tried = 0
      client.on('error', () => undefined)
      client.on('authentication', (attempt) => {
        if (attempt.method !== 'publickey') return attempt.reject(['publickey'])
        // A key is first offered, and proven only if acceptable.
        if (attempt.signature === undefined) {
          tried += 1
          keys += 1
        }
        const answer = fault.signIn?.(tried) ?? 'accept'
        if (answer === 'accept') attempt.accept()
        else if (answer === 'refuse') attempt.reject(['publickey'])
        else if (answer === 'end')
          withProtocol(client, (protocol) => {
            const disconnect: unknown = Reflect.get(protocol, 'disconnect')
            if (typeof disconnect === 'function') Reflect.apply(disconnect, protocol, [protocolError])
          })
      })
      client.on('session', (accept, refuse) => {
        if (fault.session === 'refused') return refuse()
        accept().on('exec', (begin, decline, { command }) => {
          commands += 1
          if (fault.session === 'no-command') return decline()
          const act = (channel: ServerChannel): void => {
            const frame = readFrame(command)
            if (frame === null) throw new Error(`not framed: ${command}`)
            announce(channel, frame.mark)
            const answer = fault.command ?? usualAnswer
            answer(channel, frame.command)
          }
          if (fault.hostKey !== 'another at re-key') return act(begin())
          withProtocol(client, (protocol) =>
            Reflect.set(protocol, '_hostKeys', { 'ssh-ed25519': parsed(other) }),
          )
          client.rekey()
        })
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  const machine = await serverWith(usual)
  const stranger = await serverWith(other)

  function relay(socket: Socket): void {
    const inner = connect({
      host: '127.0.0.1',
      port: portOf(fault.hostKey === 'another' ? stranger : machine),
    })
    let left = fault.after?.bytes ?? Infinity
    const then = fault.after?.then
    socket.on('data', (data) => void inner.write(data))
    socket.on('close', () => inner.destroy())
    inner.on('error', () => socket.destroy())
    inner.on('close', () => (left > 0 ? socket.end() : undefined))
    inner.on('data', (data: Buffer) => {
      if (left <= 0 || (fault.fallsSilent && commands > 0)) return
      if (!socket.write(data.subarray(0, left))) {
        inner.pause()
        socket.once('drain', () => inner.resume())
      }
      left -= data.length
      if (left <= 0 && then === 'reset') socket.resetAndDestroy()
    })
  }
  const outer = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    if (fault.isClosed) socket.resetAndDestroy()
    else if (fault.act) fault.act(socket)
    else relay(socket)
  })
  outer.listen(0, '127.0.0.1')
  await once(outer, 'listening')
  const closed = createServer()
  closed.listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const closedPort = portOf(closed)
  closed.close()

  return {
    host: '127.0.0.1',
    /** Address of the machine while the fault is on. */
    port: () => (fault.isClosed ? closedPort : portOf(outer)),
    hostKey: hostKeyOf(parsed(usual).getPublicSSH()),
    set(next: ServerFault): void {
      fault = next
      connections = keys = commands = 0
    },
    /** Simulates a machine that was cut off. */
    drop: (): void => sockets.forEach((socket) => void socket.resetAndDestroy()),
    /** Connections, keys and commands since the fault was set. */
    seen: () => ({ connections, keys, commands }),
    close(): void {
      sockets.forEach((socket) => void socket.destroy())
      outer.close()
      machine.close()
      stranger.close()
    },
  }
}
export type SshFaultServer = Awaited<ReturnType<typeof startSshFaultServer>>
