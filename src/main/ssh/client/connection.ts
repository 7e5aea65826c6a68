import { Client, type ClientChannel } from 'ssh2'
import type { HostKey } from './host-key'
import { hostKeyOf } from './host-key'
import { canJudge, hostAndPort, judgeHostKey, preferredAlgorithms, reasonOf } from './host-key-check'
import { FailureError } from '#shared/failure'
import type { CommandResult } from '../../gpu/tools/nvidia-smi'
import type { OfferedKey } from './offered-keys'

/** An open connection to a machine. */
export interface OpenConnection {
  /** Runs a command; `timed-out` where it takes too long. Rejects where the connection ends meanwhile. */
  run(command: string): Promise<CommandResult | 'timed-out'>
  /** Called once, when it ends by itself; `reason` as the system says it. */
  onLost(listener: (reason: string) => void): void
  close(): void
}

export type ConnectionOutcome =
  | { readonly kind: 'connected'; readonly connection: OpenConnection }
  | { readonly kind: 'host-key-unknown'; readonly key: HostKey }
  | { readonly kind: 'host-key-changed'; readonly known: string; readonly offered: string }
  | { readonly kind: 'key-refused' }
  | { readonly kind: 'not-reached'; readonly reason: string }

export interface ConnectionTarget {
  readonly host: string
  readonly port: number
  /** Keys recorded for the machine. */
  readonly known: readonly HostKey[]
  readonly keys: readonly OfferedKey[]
}

/** Limits in seconds and bytes. */
export interface ConnectionLimits {
  readonly ready: number
  readonly command: number
  readonly keepAlive: number
  readonly output: number
}
export const connectionLimits: ConnectionLimits = {
  ready: 15,
  command: 20,
  keepAlive: 15,
  output: 256 * 1024,
}

/**
 * A server that ends the sign-in rather than refuse one more key: OpenSSH after its MaxAuthTries, or where an account
 * may not sign in. ssh2 hands on the code of SSH_MSG_DISCONNECT (RFC 4253, 11.1): protocol error, no more methods.
 */
const endsSignIn = (error: Error): boolean =>
  ('code' in error && (error.code === 2 || error.code === 14)) || /authentication/i.test(error.message)

/** Alive packets that may go unanswered before the connection counts as lost. */
const unanswered = 3

/** What is to be thought of an offered host key, as the terminal's connection judges it. */
function judge(
  { host, port, known }: ConnectionTarget,
  key: HostKey,
): Extract<ConnectionOutcome, { kind: 'host-key-unknown' | 'host-key-changed' }> | undefined {
  if (!canJudge(known)) return { kind: 'host-key-unknown', key }
  try {
    judgeHostKey(hostAndPort(host, port), known, { kind: 'offered', key }, false)
    return undefined
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'host-key-changed') throw error
    return { kind: 'host-key-changed', known: error.failure.known, offered: error.failure.offered }
  }
}

function runOn(
  client: Client,
  command: string,
  limits: ConnectionLimits,
): Promise<CommandResult | 'timed-out'> {
  return new Promise((resolve, reject) => {
    let channel: ClientChannel | undefined
    let isTooLate = false
    const lost = (): void => {
      clearTimeout(timer)
      reject(new Error('connection lost'))
    }
    const done = (result: CommandResult | 'timed-out'): void => {
      clearTimeout(timer)
      client.off('close', lost)
      resolve(result)
    }
    const timer = setTimeout(() => {
      isTooLate = true
      done('timed-out')
      channel?.close()
    }, limits.command * 1_000)
    client.once('close', lost)
    client.exec(command, (error, opened) => {
      if (error) {
        // The machine opens no more sessions: as if the command had been refused.
        done({ stdout: '', stderr: error.message, status: null })
        return
      }
      if (isTooLate) {
        opened.resume().close()
        return
      }
      channel = opened
      const said = { stdout: '', stderr: '' }
      let status: number | null = null
      const take = (name: keyof typeof said) => (data: Buffer) => {
        said[name] = (said[name] + data.toString('utf8')).slice(0, limits.output)
      }
      opened.on('data', take('stdout'))
      opened.stderr.on('data', take('stderr'))
      opened.on('exit', (code: number | null) => {
        status = code
      })
      opened.on('close', () => {
        done({ ...said, status })
      })
      opened.end()
    })
  })
}

/**
 * Opens one connection, until `signal` calls that off. Never rejects, and never longer than `limits.ready` seconds.
 */
export function openConnection(
  target: ConnectionTarget,
  signal: AbortSignal,
  limits: ConnectionLimits = connectionLimits,
): Promise<ConnectionOutcome> {
  return new Promise((resolve) => {
    const client = new Client()
    const listeners = new Set<(reason: string) => void>()
    let reason = 'ECONNRESET'
    let judged: ReturnType<typeof judge>
    let isClosed = false
    /** The host key is accepted and proven, and keys are being offered. */
    let isSigningIn = false

    const cancel = (): void => {
      resolve({ kind: 'not-reached', reason: 'ECONNABORTED' })
      client.destroy()
    }
    if (signal.aborted) return cancel()
    signal.addEventListener('abort', cancel, { once: true })

    client.once('handshake', () => {
      isSigningIn = true
    })
    client.on('ready', () => {
      isSigningIn = false
      signal.removeEventListener('abort', cancel)
      resolve({
        kind: 'connected',
        connection: {
          run: (command) =>
            isClosed ? Promise.reject(new Error('connection lost')) : runOn(client, command, limits),
          onLost: (listener) => {
            if (isClosed) listener(reason)
            else listeners.add(listener)
          },
          close: () => {
            listeners.clear()
            client.end()
            client.destroy()
          },
        },
      })
    })
    client.on('error', (error) => {
      // An agent that does not answer; the other keys are tried all the same.
      if (error.level === 'agent') return
      const isDisconnect = error.level === undefined && isSigningIn && endsSignIn(error)
      if (error.level === 'client-authentication' || isDisconnect) {
        resolve({ kind: 'key-refused' })
        client.destroy()
        return
      }
      reason = error.level === 'client-timeout' ? 'ETIMEDOUT' : reasonOf(error)
    })
    client.on('close', () => {
      isClosed = true
      signal.removeEventListener('abort', cancel)
      resolve(judged ?? { kind: 'not-reached', reason })
      listeners.forEach((listener) => {
        listener(reason)
      })
      listeners.clear()
    })
    client.connect({
      host: target.host,
      port: target.port,
      username: target.keys[0]?.method.username ?? '',
      authHandler: target.keys.map(({ method }) => method),
      readyTimeout: limits.ready * 1_000,
      keepaliveInterval: limits.keepAlive * 1_000,
      keepaliveCountMax: unanswered,
      algorithms: { serverHostKey: preferredAlgorithms(target.known) },
      hostVerifier: (blob: Buffer) => {
        judged = judge(target, hostKeyOf(blob))
        return judged === undefined
      },
    })
  })
}
