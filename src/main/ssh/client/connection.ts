import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { onAbort } from '../../core/on-abort'
import type { HostKey } from './host-key'
import { hostKeyProblem, reasonOf } from './host-key-check'
import { openOver } from './open-over'
import { sessionEach } from './single-session-server'
import { openSystemConnection } from './system-ssh'
import {
  type ConnectionLimits,
  connectionLimits,
  type ConnectionOutcome,
  type ConnectionTarget,
  type SystemTransport,
  interactiveLimits,
} from './target'
import type { SshConnection } from './transport'

/**
 * Whether the system's ssh can offer something that ssh2 can't: other algorithms, other keys or a password. Each refused
 * sign-in counts against the user's address (sshd_config(5), PerSourcePenalties).
 */
function mayPassOtherwise(outcome: ConnectionOutcome, { hasOtherKeys }: SystemTransport): boolean {
  if (outcome.kind === 'not-reached') return /no matching/i.test(outcome.reason)
  if (outcome.kind !== 'key-refused') return false
  const asksForMore = outcome.methods?.some((method) => /^(?:password|keyboard-interactive)$/.test(method))
  return hasOtherKeys === true || (asksForMore ?? true)
}

/** Whether the outcome of the system's ssh replaces the outcome of ssh2, which tried the same hosts before. */
function isBetterReason(second: ConnectionOutcome, first: ConnectionOutcome): boolean {
  switch (second.kind) {
    case 'connected':
    case 'host-key-unknown':
    case 'host-key-changed':
      return true
    case 'jump-untrusted':
      return first.kind === 'not-reached'
    case 'key-refused':
    case 'refused-for-a-while':
    case 'not-reached':
      return false
  }
}

/**
 * Opens one connection unless `signal` aborts: by ssh2, or by the system's ssh if that is needed or ssh2 can't sign in. Takes
 * `limits.ready` seconds at most for each host, and longer for questions and banners. Never rejects.
 */
export async function openConnection(
  target: ConnectionTarget,
  signal: AbortSignal,
  limits: ConnectionLimits = connectionLimits,
): Promise<ConnectionOutcome> {
  const { system } = target
  if (system?.isNeeded) return openSystem(target, system, signal, limits)
  let { known, via } = target
  const acceptFirstKey =
    target.acceptFirstKey &&
    (async (key: HostKey) => {
      const isAccepted = (await target.acceptFirstKey?.(key)) ?? false
      if (isAccepted) known = [key]
      return isAccepted
    })
  // Later sessions of this connection accept only the key of the jump host that the first session met.
  const withRecord = via && {
    ...via,
    async record(key: HostKey): Promise<void> {
      await target.via?.record(key)
      if (via) via = { ...via, target: { ...via.target, known: [key] } }
    },
  }
  const first = {
    ...target,
    ...(acceptFirstKey && { acceptFirstKey }),
    ...(withRecord && { via: withRecord }),
  }
  const outcome = await openBySsh2(first, signal, limits)
  if (outcome.kind === 'connected' && outcome.connection.isForOneSession) {
    const open = (abort: AbortSignal) => openBySsh2({ ...target, known, ...(via && { via }) }, abort, limits)
    return { kind: 'connected', connection: sessionEach(outcome.connection, open) }
  }
  if (!system || !mayPassOtherwise(outcome, system)) return outcome
  const second = await openSystem({ ...target, known }, system, signal, limits)
  return isBetterReason(second, outcome) ? second : outcome
}

/** Opens a connection that a user waits for. */
export const openInteractive = (target: ConnectionTarget, signal: AbortSignal): Promise<ConnectionOutcome> =>
  openConnection(target, signal, interactiveLimits)

async function openSystem(
  target: ConnectionTarget,
  { ssh }: SystemTransport,
  signal: AbortSignal,
  limits: ConnectionLimits,
): Promise<ConnectionOutcome> {
  const outcome = await openSystemConnection(ssh, target.known, signal, limits, target.banner)
  if (outcome.kind === 'connected') target.opened?.()
  if (outcome.kind === 'key-refused' && !outcome.isJump) target.refused?.()
  if (outcome.kind !== 'host-key-refused') return outcome
  return hostKeyProblem(target, outcome.key) ?? { kind: 'not-reached', reason: outcome.reason }
}

/** Connects without Nagle's algorithm, which holds a packet back until the machine has acknowledged the last one. */
const connectTcp = ({ host, port }: ConnectionTarget): Duplex => connect({ host, port, noDelay: true })

async function openBySsh2(
  target: ConnectionTarget,
  signal: AbortSignal,
  limits: ConnectionLimits,
): Promise<ConnectionOutcome> {
  const { via } = target
  // A separate socket, since Client.destroy doesn't close a socket that has ended while the machine is silent.
  if (via === undefined) return openOver(() => connectTcp(target), target, signal, limits)
  const { known, confirms } = via.target
  const acceptFirstKey = async (key: HostKey): Promise<boolean> => {
    await via.record(key)
    return true
  }
  const jump = { ...via.target, ...(target.banner && { banner: target.banner }) }
  const isUnasked = known.length === 0 && !confirms
  let first = await openBySsh2({ ...jump, ...(isUnasked && { acceptFirstKey }) }, signal, limits)
  try {
    if (first.kind === 'host-key-unknown' && known.length === 0) {
      if (!confirms || !(await confirms(first.key, signal)))
        return { kind: 'not-reached', reason: 'jump host key not known' }
      await via.record(first.key)
      first = await openBySsh2({ ...jump, known: [first.key] }, signal, limits)
    }
    // The caller would mistake it for the key of the machine.
    if (first.kind === 'host-key-unknown') return { kind: 'not-reached', reason: 'jump host key not known' }
    if (first.kind === 'host-key-changed' || first.kind === 'key-refused') return { ...first, isJump: true }
    if (first.kind !== 'connected') return first
    return await openBeyond(first.connection, target, signal, limits)
  } catch (error) {
    if (first.kind === 'connected') first.connection.close()
    return { kind: 'not-reached', reason: error instanceof Error ? reasonOf(error) : String(error) }
  }
}

/** Opens a channel to the machine at its jump host. Rejects after `limits.ready` seconds. */
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
  const stop = onAbort(signal, cancel)
  if (signal.aborted) cancel()
  try {
    return await jump.forward(host, port, opening.signal)
  } finally {
    clearTimeout(timer)
    stop()
  }
}

/** Like `openConnection`, through a channel of the jump host, whose connection ends with it. Rejects without a channel. */
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
