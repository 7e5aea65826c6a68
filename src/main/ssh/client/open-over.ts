import type { Duplex } from 'node:stream'
import type { AuthHandlerMiddleware, Client } from 'ssh2'
import { onAbort } from '../../core/on-abort'
import { collectBanner } from './banner'
import { gatherWrites } from './channel-stream'
import { forward, pipe, run, sftp, shell } from './channels'
import { commandsOver, type CommandTransport } from './commands'
import { connectionLoss } from './connection-loss'
import { type HostKey, hostKeyOf } from './host-key'
import { allowedAlgorithms, endsSignIn, hostKeyProblem, reasonOf } from './host-key-check'
import { keepAlive } from './keep-alive'
import { watchGreeting } from './refused-address'
import { createSignIn, type SignInEnd } from './sign-in'
import { signInLimit, userActionSeconds } from './sign-in-limit'
import type { ConnectionLimits, ConnectionOutcome, ConnectionTarget } from './target'
import type { SshConnection } from './transport'

const cancelled: ConnectionOutcome = { kind: 'not-reached', reason: 'ECONNABORTED' }
const endings = {
  late: { kind: 'not-reached', reason: 'ETIMEDOUT' },
  broken: { kind: 'not-reached', reason: 'EPROTO' },
  refused: { kind: 'key-refused' },
} as const satisfies Record<SignInEnd, ConnectionOutcome>

/** Offers the method `none`, then each key, and remembers the methods that the server accepts. */
function keyOffers({ user, keys }: ConnectionTarget, exhausted: () => void) {
  const remaining = keys.map(({ method }) => method)
  let methods: readonly string[] | undefined
  const authHandler: AuthHandlerMiddleware = (left: readonly string[] | null, _isPartial, next) => {
    methods = left ?? methods
    // Some servers, such as Tailscale SSH, admit users by other means and refuse every key. Costs no attempt elsewhere.
    const method = left === null ? ({ type: 'none', username: user } as const) : remaining.shift()
    if (method) next(method)
    else exhausted()
  }
  return {
    authHandler,
    /** Outcome of a refused sign-in. `isCut`: the server hung up. */
    refusal: (isCut = false): ConnectionOutcome => ({
      kind: 'key-refused',
      ...(isCut && { isCut }),
      ...(methods && { methods }),
    }),
  }
}

interface OpenClient {
  readonly client: Client
  readonly socket: Duplex
  readonly loss: ReturnType<typeof connectionLoss>
  readonly isForOneSession: boolean
  /** The server did not answer keep-alive packets. */
  timedOut(): void
}

function connectionOver(
  { client, socket, loss, isForOneSession, timedOut }: OpenClient,
  { environment, lentAgent }: ConnectionTarget,
  limits: ConnectionLimits,
): SshConnection {
  const { whileOpen } = loss
  const start: CommandTransport['start'] = (text, output, abort, isUsers) =>
    whileOpen(() => run(client, text, output, abort, isUsers ? environment : {}))
  const alive = keepAlive(client, socket, limits.keepAlive, timedOut)
  return {
    ...commandsOver({ start, reportsEnd: false }, limits),
    pipe: (command, abort) => whileOpen(() => pipe(client, command, abort)),
    shell: (...terminal) => whileOpen(() => shell(client, environment, lentAgent !== undefined, ...terminal)),
    forward: (host, port, abort) => whileOpen(() => forward(client, host, port, abort)),
    sftp: (abort) => whileOpen(() => sftp(client, abort)),
    setKeepAlive: alive.setInterval,
    answersInOrder: true,
    hasCheapChannels: true,
    ...(isForOneSession && { isForOneSession }),
    onLost: loss.onLost,
    close: () => {
      loss.clear()
      client.end()
      socket.destroy()
    },
  }
}

/** Like `openConnection` (connection.ts), by ssh2 over its own socket or channel. Never rejects, unless `open` fails. */
export async function openOver(
  open: () => Duplex,
  target: ConnectionTarget,
  signal: AbortSignal,
  limits: ConnectionLimits,
): Promise<ConnectionOutcome> {
  const { default: ssh2 } = await import('ssh2')
  const { asks } = target
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(cancelled)
    const client = new ssh2.Client()
    // Every open channel waits for the end of the connection.
    client.setMaxListeners(0)
    const loss = connectionLoss()
    let reason = 'ECONNRESET'
    let problem: ReturnType<typeof hostKeyProblem>
    let hostKey: HostKey | undefined
    /** The host key is accepted and proven, and keys are being offered. */
    let isSigningIn = false

    const socket = gatherWrites(open())
    const greeting = watchGreeting(socket)
    const end = (outcome: ConnectionOutcome): void => {
      resolve(outcome)
      socket.destroy()
    }
    const timedOut = (): void => {
      reason = 'ETIMEDOUT'
      socket.destroy()
    }
    const stop = onAbort(signal, () => end(cancelled))
    const offers = keyOffers(target, () => end(offers.refusal()))
    const signIn =
      asks &&
      createSignIn({
        ...target,
        asks,
        seconds: limits.ready,
        hostKey: () => hostKey,
        end: (why) => end(endings[why]),
      })
    const limit = signIn ? undefined : signInLimit(limits.ready, timedOut)
    const banner = collectBanner(target.banner)

    client.once('handshake', () => {
      isSigningIn = true
    })
    client.once('banner', () => {
      limit?.restart(userActionSeconds)
      signIn?.extend(userActionSeconds)
    })
    client.on('banner', banner.push)
    function endSignIn(): void {
      isSigningIn = false
      limit?.cancel()
      signIn?.close()
      stop()
    }
    client.on('ready', () => {
      endSignIn()
      target.opened?.()
      const isForOneSession = greeting.servesOneSession()
      const connection = connectionOver({ client, socket, loss, isForOneSession, timedOut }, target, limits)
      resolve({ kind: 'connected', connection })
    })
    client.on('error', (error) => {
      // The agent doesn't answer. ssh2 continues with the next key.
      if (error.level === 'agent') return
      // Any other error ends the connection; the machine may never confirm that.
      socket.destroy()
      const isCut = error.level === undefined && isSigningIn && endsSignIn(error)
      if (isCut || error.level === 'client-authentication') resolve(offers.refusal(isCut))
      else reason = reasonOf(error)
    })
    // The user changes an expired password in a terminal.
    client.on('change password', () => end({ kind: 'key-refused', isExpired: true }))
    client.on('close', () => {
      endSignIn()
      const seconds = greeting.refusedFor()
      if (seconds !== undefined) resolve({ kind: 'refused-for-a-while', seconds })
      resolve(problem ?? { kind: 'not-reached', reason })
      loss.lose(reason)
    })
    const verifyHostKey = (blob: Buffer, verify: (isAccepted: boolean) => void): boolean | undefined => {
      hostKey = hostKeyOf(blob)
      problem = hostKeyProblem(target, hostKey)
      const isFirst = problem?.kind === 'host-key-unknown' && target.known.length === 0
      if (!isFirst || !target.acceptFirstKey) return problem === undefined
      const settle = (isAccepted: boolean): void => {
        // ssh2 throws if the connection has ended by now.
        if (loss.isLost()) return
        if (isAccepted) problem = undefined
        verify(isAccepted)
      }
      target.acceptFirstKey(hostKey).then(settle, () => settle(false))
      return undefined
    }
    client.connect({
      sock: socket,
      username: target.user,
      authHandler: signIn?.authHandler ?? offers.authHandler,
      // The machine can use it once a shell has asked for it. Its keys are among the offered ones.
      ...(target.lentAgent !== undefined && { agent: target.lentAgent }),
      // `limit` counts instead: a banner extends it.
      readyTimeout: 0,
      algorithms: allowedAlgorithms(target.known),
      hostVerifier: verifyHostKey,
    })
  })
}
