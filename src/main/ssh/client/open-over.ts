import type { Duplex } from 'node:stream'
import { createEmitter } from '#shared/emitter'
import { onAbort } from '../../core/on-abort'
import { bannerActionSeconds, collectBanner } from './banner'
import { gatherWrites } from './channel-stream'
import { forward, pipe, run, sftp, shell } from './channels'
import { commandsOver, type CommandTransport } from './commands'
import type { ConnectionLimits, ConnectionOutcome, ConnectionTarget } from './target'
import { type HostKey, hostKeyOf } from './host-key'
import { allowedAlgorithms, endsSignIn, hostKeyProblem, reasonOf } from './host-key-check'
import { keepAlive } from './keep-alive'
import { watchGreeting } from './refused-address'
import { createSignIn, type SignInEnd } from './sign-in'
import { ChannelError } from './transport'

const endings = {
  late: { kind: 'not-reached', reason: 'ETIMEDOUT' },
  broken: { kind: 'not-reached', reason: 'EPROTO' },
  refused: { kind: 'key-refused' },
} as const satisfies Record<SignInEnd, ConnectionOutcome>

/**
 * As `openConnection` (connection.ts), by ssh2 over a socket, or a channel, of its own. Never rejects, unless `open` fails.
 */
export async function openOver(
  open: () => Duplex,
  target: ConnectionTarget,
  signal: AbortSignal,
  limits: ConnectionLimits,
): Promise<ConnectionOutcome> {
  const { default: ssh2 } = await import('ssh2')
  const { asks } = target
  return new Promise((resolve) => {
    const client = new ssh2.Client()
    const noMethod = { type: 'none', username: target.user } as const
    const offered = target.keys.map(({ method }) => method)
    let methods: readonly string[] | undefined
    const lost = createEmitter<string>()
    let reason = 'ECONNRESET'
    let judged: ReturnType<typeof hostKeyProblem>
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
    const greeting = watchGreeting(socket)
    const end = (outcome: ConnectionOutcome): void => {
      resolve(outcome)
      socket.destroy()
    }
    const cancel = (): void => end({ kind: 'not-reached', reason: 'ECONNABORTED' })
    const signIn =
      asks &&
      createSignIn({
        ...target,
        asks,
        seconds: limits.ready,
        hostKey: () => hostKey,
        end: (why) => end(endings[why]),
      })
    const stop = onAbort(signal, cancel)
    const late = (): void => {
      reason = 'ETIMEDOUT'
      socket.destroy()
    }
    const endLate = (seconds: number) => (signIn ? undefined : setTimeout(late, seconds * 1_000))
    let readyTimer = endLate(limits.ready)
    const banner = collectBanner(target.banner)

    const start: CommandTransport['start'] = (text, output, abort, isUsers) =>
      whileOpen(() => run(client, text, output, abort, isUsers ? target.environment : {}))
    client.once('handshake', () => {
      isSigningIn = true
    })
    client.once('banner', () => {
      clearTimeout(readyTimer)
      readyTimer = endLate(bannerActionSeconds)
      signIn?.extend(bannerActionSeconds)
    })
    client.on('banner', banner.push)
    client.on('ready', () => {
      isSigningIn = false
      clearTimeout(readyTimer)
      signIn?.close()
      stop()
      target.opened?.()
      const alive = keepAlive(client, socket, limits.keepAlive, late)
      resolve({
        kind: 'connected',
        connection: {
          ...commandsOver({ start, reportsEnd: false }, limits),
          pipe: (command, abort) => whileOpen(() => pipe(client, command, abort)),
          shell: (...terminal) =>
            whileOpen(() => shell(client, target.environment, target.lentAgent !== undefined, ...terminal)),
          forward: (host, port, abort) => whileOpen(() => forward(client, host, port, abort)),
          sftp: (abort) => whileOpen(() => sftp(client, abort)),
          setKeepAlive: alive.setInterval,
          answersInOrder: true,
          ...(greeting.servesOneSession() && { isForOneSession: true }),
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
        resolve({ kind: 'key-refused', ...(isDisconnect && { isCut: true }), ...(methods && { methods }) })
        return
      }
      reason = reasonOf(error)
    })
    // None is made up here: it is for the person to change, in a terminal.
    client.on('change password', () => end({ kind: 'key-refused', isExpired: true }))
    client.on('close', () => {
      isClosed = true
      clearTimeout(readyTimer)
      signIn?.close()
      stop()
      const seconds = greeting.refusedFor()
      if (seconds !== undefined) resolve({ kind: 'refused-for-a-while', seconds })
      resolve(judged ?? { kind: 'not-reached', reason })
      lost.emit(reason)
      lost.clear()
    })
    client.connect({
      sock: socket,
      username: target.user,
      authHandler:
        signIn?.authHandler ??
        ((left: readonly string[] | null, _isPartial, next) => {
          methods = left ?? methods
          // Some servers admit users by other means, such as Tailscale SSH, and refuse every key. Costs no attempt elsewhere.
          const method = left === null ? noMethod : offered.shift()
          if (method) next(method)
          else end({ kind: 'key-refused', ...(methods && { methods }) })
        }),
      // Open to the machine once a shell has asked for it; its keys are among those above.
      ...(target.lentAgent !== undefined && { agent: target.lentAgent }),
      // Timed here, as a banner extends it.
      readyTimeout: 0,
      algorithms: allowedAlgorithms(target.known),
      hostVerifier: (blob: Buffer, verify: (isAccepted: boolean) => void): boolean | undefined => {
        hostKey = hostKeyOf(blob)
        judged = hostKeyProblem(target, hostKey)
        const isFirst = judged?.kind === 'host-key-unknown' && target.known.length === 0
        if (!isFirst || !target.acceptFirstKey) return judged === undefined
        const settle = (isAccepted: boolean): void => {
          // ssh2 throws if the connection ended meanwhile.
          if (isClosed) return
          if (isAccepted) judged = undefined
          verify(isAccepted)
        }
        target.acceptFirstKey(hostKey).then(settle, () => settle(false))
        return undefined
      },
    })
  })
}
