import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { createEmitter } from '#shared/emitter'
import { gatherWrites } from './channel-stream'
import { exec, type ExecLimits, forward, pipe, run, sftp, shell } from './channels'
import { type HostKey, hostKeyOf } from './host-key'
import { allowedAlgorithms, endsSignIn, judge, reasonOf } from './host-key-check'
import type { NoKey, OfferedKey } from './offered-keys'
import { createSignIn, type SignInAnswers, type SignInEnd } from './sign-in'
import { openSystemConnection, type SystemSsh } from './system-ssh'
import { ChannelError, type SshConnection } from './transport'

export type ConnectionOutcome =
  | { readonly kind: 'connected'; readonly connection: SshConnection }
  | { readonly kind: 'host-key-unknown'; readonly key: HostKey }
  /** `isJump`: of the host that leads to the machine. */
  | {
      readonly kind: 'host-key-changed'
      readonly known: string
      readonly offered: string
      readonly isJump?: true
    }
  | { readonly kind: 'key-refused'; readonly isJump?: true }
  | { readonly kind: 'not-reached'; readonly reason: string }

/** Where a machine is, and how it is to be signed in to. */
export interface ConnectionTarget {
  readonly user: string
  readonly host: string
  readonly port: number
  /** Keys recorded for the machine. */
  readonly known: readonly HostKey[]
  readonly keys: readonly OfferedKey[]
  /** The host that leads to it. */
  readonly via?: Via
  /** How the system's ssh reaches it. */
  readonly system?: SystemTransport
  /** Variables that commands and shells of the person's get there, where the server accepts their names. */
  readonly environment?: Readonly<Record<string, string>>
  /** Where the agent listens that a terminal lends to the machine. */
  readonly lentAgent?: string
  /** Why there are no keys to offer: the system's ssh alone may get in. */
  readonly noKey?: NoKey
  /** Answers what ssh2 asks for the machine; without it, keys alone are offered. */
  readonly asks?: SignInAnswers
  /** The machine has accepted one of the keys. */
  opened?(): void
}

/** `isNeeded`: there is something that only that can use; otherwise it is tried where ssh2 does not get in. */
export interface SystemTransport {
  readonly ssh: SystemSsh
  readonly isNeeded: boolean
}

/** A jump host: its key is recorded at first contact, as a terminal does, and a changed one stops. */
export interface Via {
  readonly target: Omit<ConnectionTarget, 'via' | 'system' | 'noKey' | 'asks'>
  record(key: HostKey): Promise<void>
}

/** Limits in seconds: of opening a connection, and between two packets that keep it alive. */
export interface ConnectionLimits extends ExecLimits {
  readonly ready: number
  readonly keepAlive: number
}
export const connectionLimits: ConnectionLimits = {
  ready: 15,
  command: 20,
  keepAlive: 15,
  // Of 16 GPUs and hundreds of processes; what is kept is read while the application waits.
  output: 64 * 1024,
}

/** Alive packets that may go unanswered before the connection counts as lost. */
const unanswered = 3

/** ssh2 knows no algorithm of the machine's, or none of its keys was admitted: the system's ssh may have more. */
const mayPassOtherwise = (outcome: ConnectionOutcome): boolean =>
  outcome.kind === 'key-refused' || (outcome.kind === 'not-reached' && /no matching/i.test(outcome.reason))

/**
 * Opens one connection unless `signal` aborts, by ssh2, or by the system's ssh where that is needed or ssh2 does not get in.
 * Never rejects, and takes no longer than `limits.ready` seconds for each host, and for what ssh asks.
 */
export async function openConnection(
  target: ConnectionTarget,
  signal: AbortSignal,
  limits: ConnectionLimits = connectionLimits,
): Promise<ConnectionOutcome> {
  const { system } = target
  if (system?.isNeeded) return openSystem(target, system, signal, limits)
  const outcome = await openBySsh2(target, signal, limits)
  if (!system || !mayPassOtherwise(outcome)) return outcome
  const other = await openSystem(target, system, signal, limits)
  // The words of the one that was asked first, where neither gets in.
  return other.kind === 'not-reached' || other.kind === 'key-refused' ? outcome : other
}

async function openSystem(
  target: ConnectionTarget,
  { ssh }: SystemTransport,
  signal: AbortSignal,
  limits: ConnectionLimits,
): Promise<ConnectionOutcome> {
  const outcome = await openSystemConnection(ssh, target.known, signal, limits)
  if (outcome.kind === 'connected') target.opened?.()
  if (outcome.kind !== 'host-key-refused') return outcome
  return judge(target, outcome.key) ?? { kind: 'not-reached', reason: outcome.reason }
}

/** Without Nagle's algorithm: it holds a packet back until the machine has acknowledged the one before. */
const connectTcp = ({ host, port }: ConnectionTarget): Duplex => connect({ host, port, noDelay: true })

async function openBySsh2(
  target: ConnectionTarget,
  signal: AbortSignal,
  limits: ConnectionLimits,
): Promise<ConnectionOutcome> {
  const { via } = target
  // Our own socket, since Client.destroy leaves alone one that has sent its end, however long the machine is silent.
  if (via === undefined) return openOver(() => connectTcp(target), target, signal, limits)
  let first = await openBySsh2(via.target, signal, limits)
  try {
    if (first.kind === 'host-key-unknown' && via.target.known.length === 0) {
      await via.record(first.key)
      first = await openBySsh2({ ...via.target, known: [first.key] }, signal, limits)
    }
    // The caller would take it for the key of the machine.
    if (first.kind === 'host-key-unknown') return { kind: 'not-reached', reason: 'jump host key not known' }
    if (first.kind === 'host-key-changed' || first.kind === 'key-refused') return { ...first, isJump: true }
    if (first.kind !== 'connected') return first
    return await openBeyond(first.connection, target, signal, limits)
  } catch (error) {
    if (first.kind === 'connected') first.connection.close()
    return { kind: 'not-reached', reason: error instanceof Error ? reasonOf(error) : String(error) }
  }
}

/** The channel of a jump host that leads to the machine. Rejects where it is not open after `limits.ready` seconds. */
async function channelTo(
  { host, port }: ConnectionTarget,
  jump: SshConnection,
  signal: AbortSignal,
  limits: ConnectionLimits,
): Promise<Duplex> {
  const opening = new AbortController()
  const cancel = (): void => opening.abort(signal.reason)
  const late = Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })
  const timer = setTimeout(() => opening.abort(late), limits.ready * 1_000)
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    return await jump.forward(host, port, opening.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}

/** As `openConnection`, through a channel of the jump host's connection, which ends with it. Rejects where there is none. */
async function openBeyond(
  jump: SshConnection,
  target: ConnectionTarget,
  signal: AbortSignal,
  limits: ConnectionLimits,
): Promise<ConnectionOutcome> {
  const channel = await channelTo(target, jump, signal, limits)
  const outcome = await openOver(() => channel, target, signal, limits)
  if (outcome.kind !== 'connected') {
    jump.close()
    return outcome
  }
  const { connection } = outcome
  connection.onLost(() => jump.close())
  return {
    kind: 'connected',
    connection: {
      ...connection,
      close: () => {
        connection.close()
        jump.close()
      },
    },
  }
}

const endings = {
  late: { kind: 'not-reached', reason: 'ETIMEDOUT' },
  broken: { kind: 'not-reached', reason: 'EPROTO' },
  refused: { kind: 'key-refused' },
} as const satisfies Record<SignInEnd, ConnectionOutcome>

async function openOver(
  open: () => Duplex,
  target: ConnectionTarget,
  signal: AbortSignal,
  limits: ConnectionLimits,
): Promise<ConnectionOutcome> {
  const { default: ssh2 } = await import('ssh2')
  const { asks } = target
  return new Promise((resolve) => {
    const client = new ssh2.Client()
    const lost = createEmitter<string>()
    let reason = 'ECONNRESET'
    let judged: ReturnType<typeof judge>
    let hostKey: HostKey | undefined
    let isClosed = false
    /** The host key is accepted and proven, and keys are being offered. */
    let isSigningIn = false

    // Every open channel waits for the end of the connection.
    client.setMaxListeners(0)
    const whileOpen = <Value>(open: () => Promise<Value>): Promise<Value> =>
      isClosed ? Promise.reject(new ChannelError('lost', 'connection lost')) : open()
    if (signal.aborted) {
      resolve({ kind: 'not-reached', reason: 'ECONNABORTED' })
      return
    }
    const socket = gatherWrites(open())
    const end = (outcome: ConnectionOutcome): void => {
      resolve(outcome)
      socket.destroy()
    }
    const cancel = (): void => end({ kind: 'not-reached', reason: 'ECONNABORTED' })
    const signIn =
      asks &&
      createSignIn({
        ...{ ...target, asks, seconds: limits.ready, hostKey: () => hostKey },
        end: (why) => end(endings[why]),
      })
    signal.addEventListener('abort', cancel, { once: true })

    client.once('handshake', () => {
      isSigningIn = true
    })
    client.on('ready', () => {
      isSigningIn = false
      signIn?.close()
      signal.removeEventListener('abort', cancel)
      target.opened?.()
      resolve({
        kind: 'connected',
        connection: {
          exec: (command, abort) =>
            whileOpen(() => exec((output, ending) => run(client, command, output, ending), limits, abort)),
          run: (command, output, abort) =>
            whileOpen(() => run(client, command, output, abort, target.environment)),
          pipe: (command, abort) => whileOpen(() => pipe(client, command, abort)),
          shell: (...terminal) =>
            whileOpen(() => shell(client, target.environment, target.lentAgent !== undefined, ...terminal)),
          forward: (host, port, abort) => whileOpen(() => forward(client, host, port, abort)),
          sftp: (abort) => whileOpen(() => sftp(client, abort)),
          onLost: (listener) => {
            if (isClosed) listener(reason)
            return lost.on(listener)
          },
          close: () => {
            lost.clear()
            client.end()
            socket.destroy()
          },
        },
      })
    })
    client.on('error', (error) => {
      // An agent that does not answer; the other keys are tried all the same.
      if (error.level === 'agent') return
      // Every other error ends the connection; the machine may never answer that.
      socket.destroy()
      const isDisconnect = error.level === undefined && isSigningIn && endsSignIn(error)
      if (error.level === 'client-authentication' || isDisconnect) {
        resolve({ kind: 'key-refused' })
        return
      }
      reason = error.level === 'client-timeout' ? 'ETIMEDOUT' : reasonOf(error)
    })
    // None is made up here: it is for the person to change, in a terminal.
    client.on('change password', () => end({ kind: 'key-refused' }))
    client.on('close', () => {
      isClosed = true
      signIn?.close()
      signal.removeEventListener('abort', cancel)
      resolve(judged ?? { kind: 'not-reached', reason })
      lost.emit(reason)
      lost.clear()
    })
    client.connect({
      sock: socket,
      username: target.user,
      authHandler: signIn?.authHandler ?? target.keys.map(({ method }) => method),
      // Open to the machine once a shell has asked for it; its keys are among those above.
      ...(target.lentAgent !== undefined && { agent: target.lentAgent }),
      readyTimeout: signIn ? 0 : limits.ready * 1_000,
      keepaliveInterval: limits.keepAlive * 1_000,
      keepaliveCountMax: unanswered,
      algorithms: allowedAlgorithms(target.known),
      hostVerifier: (blob: Buffer) => {
        hostKey = hostKeyOf(blob)
        judged = judge(target, hostKey)
        return judged === undefined
      },
    })
  })
}
