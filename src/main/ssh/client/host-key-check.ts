import { connect } from 'node:net'
import type { Algorithms } from 'ssh2'
import { FailureError } from '#shared/failure'
import { fingerprint, hostKeyOf, type HostKey } from './host-key'
import { refusedAddress } from '#shared/ssh-wait-reasons'
import { watchGreeting } from './refused-address'

/** Answer of a host to the question for its key. */
export type HostKeyAnswer =
  | { readonly kind: 'offered'; readonly key: HostKey }
  /** The host shares no algorithm with ssh2: ssh itself must decide. */
  | { readonly kind: 'not-understood' }
  | { readonly kind: 'cannot-connect'; readonly reason: string }
  | { readonly kind: 'timed-out'; readonly seconds: number }

/** Host key algorithms in OpenSSH's order of preference, with the type of key that each uses. */
const algorithms = [
  { name: 'ssh-ed25519', type: 'ssh-ed25519' },
  { name: 'ecdsa-sha2-nistp256', type: 'ecdsa-sha2-nistp256' },
  { name: 'ecdsa-sha2-nistp384', type: 'ecdsa-sha2-nistp384' },
  { name: 'ecdsa-sha2-nistp521', type: 'ecdsa-sha2-nistp521' },
  { name: 'rsa-sha2-512', type: 'ssh-rsa' },
  { name: 'rsa-sha2-256', type: 'ssh-rsa' },
  { name: 'ssh-rsa', type: 'ssh-rsa' },
] as const

/** Returns the algorithms to ask for. Recorded keys come first, as with ssh: a host with several keys then offers a recorded one. */
export const preferredAlgorithms = (known: readonly HostKey[]) => {
  const recorded = new Set(known.map((key) => key.type))
  const names = (wanted: boolean) =>
    algorithms.filter(({ type }) => recorded.has(type) === wanted).map(({ name }) => name)
  return [...names(true), ...names(false)]
}

/**
 * Algorithms that a machine may choose. Without compression, as with OpenSSH: ssh2 would block the application while it
 * unpacks a few thousand bytes into millions.
 */
export const allowedAlgorithms = (known: readonly HostKey[]): Algorithms => ({
  serverHostKey: preferredAlgorithms(known),
  compress: ['none'],
})

/** Whether a recorded key has a type that a host can be asked for. Without one, its answer can't be judged. */
const canJudge = (known: readonly HostKey[]): boolean =>
  known.some((key) => algorithms.some(({ type }) => type === key.type))

/** Characters of a machine's reason that are kept: it may send tens of thousands. */
const maxReasonLength = 200

export const reasonOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.message.slice(0, maxReasonLength)

/** Asks a host for its key and hangs up before any sign-in. Takes `seconds` at most. Never fails. */
export async function askHostKey(
  host: string,
  port: number,
  known: readonly HostKey[],
  seconds: number,
): Promise<HostKeyAnswer> {
  const { default: ssh2 } = await import('ssh2')
  return new Promise((resolve) => {
    const client = new ssh2.Client()
    const socket = connect({ host, port })
    const greeting = watchGreeting(socket)
    const settle = (answer: HostKeyAnswer): void => {
      resolve(
        greeting.refusedFor() === undefined ? answer : { kind: 'cannot-connect', reason: refusedAddress },
      )
      client.destroy()
      socket.destroy()
    }
    client.on('error', (error) => {
      if (error.level === 'client-timeout') settle({ kind: 'timed-out', seconds })
      else if (error.level === 'handshake') settle({ kind: 'not-understood' })
      else settle({ kind: 'cannot-connect', reason: reasonOf(error) })
    })
    client.on('close', () => {
      settle({ kind: 'cannot-connect', reason: 'ECONNRESET' })
    })
    client.connect({
      sock: socket,
      // Never used: the verifier refuses every key.
      username: 'nobody',
      readyTimeout: seconds * 1_000,
      algorithms: allowedAlgorithms(known),
      hostVerifier: (blob: Buffer) => {
        resolve({ kind: 'offered', key: hostKeyOf(blob) })
        return false
      },
    })
  })
}

/** Formats `host:port` for failures. */
export const hostAndPort = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * Judges an answer by the keys recorded for the machine. Fails with host-key-changed; with cannot-connect and
 * timed-out unless `anyway`.
 */
export const judgeHostKey = (
  host: string,
  known: readonly HostKey[],
  answer: HostKeyAnswer,
  anyway: boolean,
): void => {
  switch (answer.kind) {
    case 'offered': {
      const askable = known.find((key) => algorithms.some(({ type }) => type === key.type))
      // Without a recorded key that ssh2 can ask for, ssh itself records or judges the key.
      if (askable === undefined) return
      if (known.some((key) => key.type === answer.key.type && key.blob === answer.key.blob)) return
      const sameType = known.find((key) => key.type === answer.key.type) ?? askable
      throw new FailureError({
        kind: 'host-key-changed',
        host,
        known: fingerprint(sameType),
        offered: fingerprint(answer.key),
      })
    }
    case 'not-understood':
      return
    case 'cannot-connect':
      if (anyway) return
      throw new FailureError({ kind: 'cannot-connect', host, reason: answer.reason })
    case 'timed-out':
      if (anyway) return
      throw new FailureError({ kind: 'timed-out', host, seconds: answer.seconds })
  }
}

/** Judges an offered host key as a terminal's connection does; undefined: accepted. */
export function hostKeyProblem(
  { host, port, known }: { readonly host: string; readonly port: number; readonly known: readonly HostKey[] },
  key: HostKey,
):
  | { readonly kind: 'host-key-unknown'; readonly key: HostKey }
  | { readonly kind: 'host-key-changed'; readonly known: string; readonly offered: string }
  | undefined {
  if (!canJudge(known)) return { kind: 'host-key-unknown', key }
  try {
    judgeHostKey(hostAndPort(host, port), known, { kind: 'offered', key }, false)
    return undefined
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'host-key-changed') throw error
    return { kind: 'host-key-changed', known: error.failure.known, offered: error.failure.offered }
  }
}

/**
 * Returns whether a server hung up instead of refusing a key: OpenSSH after MaxAuthTries, or for an account that may not
 * sign in. ssh2 reports the code of SSH_MSG_DISCONNECT (RFC 4253 §11.1): protocol error, or no more methods.
 */
export const endsSignIn = (error: Error): boolean =>
  ('code' in error && (error.code === 2 || error.code === 14)) || /authentication/i.test(error.message)
