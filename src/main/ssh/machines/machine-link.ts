import type { SshLink, SshStop } from '#shared/bridge/ssh-link'
import { overBudget, refusedAddress } from '#shared/ssh-wait-reasons'
import type { Clock } from '../../core/clock'
import type { Network } from '../../core/network'
import type { ReportError } from '../../core/report-error'
import { fingerprint, type HostKey } from '../client/host-key'
import { hostAndPort } from '../client/host-key-check'
import type { ConnectionTarget } from '../client/target'
import type { SshConnection } from '../client/transport'
import type { ReachResult } from '../destination'
import type { AttemptOutcome } from './attempts'
import { pauseBefore } from './retry-delay'

export interface MachineLinkDeps {
  /** Resolves how to reach the machine; called before every attempt. */
  reach(): Promise<ReachResult | Extract<SshStop, { kind: 'too-many' }>>
  /** Opens a connection unless `signal` aborts. `isForced`: the user wants an attempt whatever was refused before. */
  open(target: ConnectionTarget, signal: AbortSignal, isForced: boolean): Promise<AttemptOutcome>
  /** Remembers a refused sign-in for all machines that sign in the same way. */
  refused(target: ConnectionTarget, stop: SshStop, isJump: boolean): void
  /** Records a host key that the user accepted, or one that no user saw yet. */
  record(key: HostKey): Promise<void>
  /** Whether the key of a first contact is recorded without a question, as a terminal does. */
  trustsFirstKey(): boolean
  /** Whether the machine started so recently that its keys may still arrive, and its SSH server too. */
  isStartingUp(): boolean
  /** The link has changed. */
  changed(): void
  opened(connection: SshConnection): void
  /** The connection that `opened` reported has ended. */
  closed(): void
  readonly clock: Clock
  readonly network: Pick<Network, 'onBack'>
  /** Between 0 and 1. */
  random(): number
  readonly report: ReportError
}

/** Seconds that a connection must last before the next pause is a short one again: one reading of the GPUs. */
const settledAfterSeconds = 60
/** Losses in a row of short-lived connections that an unsteady network explains. */
const quickLosses = 2
/** Longest pause while a machine starts up: its SSH server answers soon. */
const startingPauseSeconds = 40
/** Pause before the first further attempt with a key that a starting machine refused; it doubles. */
const lateRetrySeconds = 20

/** Seconds before a banner is shown while connecting: most banners greet a user who is let in at once. */
const bannerDelaySeconds = 2

/** The one connection to a machine: it reopens after a loss, and stops if only the user can help. */
export function machineLink(deps: MachineLinkDeps) {
  const { clock, changed } = deps
  let link: SshLink = { kind: 'connecting' }
  let connection: SshConnection | undefined
  let target: ConnectionTarget | undefined
  let offered: HostKey | undefined
  /** A first key was recorded since the last connection: if another one is offered, the user decides. */
  let hasRecorded = false
  /** The server's banner during the last sign-in that did not succeed. */
  let banner: string | undefined
  let attempts = 0
  let lateRetries = 0
  /** Number of the current connection; callbacks of earlier ones are ignored. */
  let generation = 0
  let isClosed = false
  let opening: AbortController | undefined
  let cancel = (): void => undefined

  function replace(next: SshLink): void {
    link = next
    changed()
  }

  function drop(): void {
    generation += 1
    cancel()
    cancel = () => undefined
    opening?.abort()
    opening = undefined
    if (!connection) return
    const ended = connection
    connection = undefined
    ended.close()
    deps.closed()
  }

  function waitFor(seconds: number, reason: string, isForced = false): void {
    const cancelPause = clock.after(seconds, () => connect(isForced))
    const stopFollowing = deps.network.onBack(() => {
      attempts = 0
      connect()
    })
    cancel = () => {
      cancelPause()
      stopFollowing()
    }
    replace({ kind: 'waiting', until: clock.now() + seconds, attempts, reason, banner })
  }

  /** `isShortLived`: the server closed a connection that had not lasted for one reading. */
  function wait(reason: string, isShortLived = false): void {
    drop()
    attempts += 1
    const longest = deps.isStartingUp() ? startingPauseSeconds : undefined
    const pause = pauseBefore(attempts, deps.random(), longest)
    const isRepeated = isShortLived && attempts > quickLosses
    waitFor(isRepeated ? Math.max(pause, settledAfterSeconds) : pause, reason)
  }

  function stop(why: SshStop): void {
    drop()
    replace({ kind: 'stopped', stop: why, banner })
  }

  /** `isForced`: the user wants an attempt now. */
  function connect(isForced = false): void {
    if (isClosed) return
    drop()
    banner = undefined
    const mine = generation
    replace({ kind: 'connecting' })
    attempt(mine, isForced).catch((error: unknown) => {
      if (mine !== generation) return
      deps.report('ssh.connect', error)
      wait(error instanceof Error ? error.message : String(error))
    })
  }

  /** Records the key of a first contact, unless another connection has recorded one in the meantime. */
  async function acceptFirstKey(mine: number, key: HostKey): Promise<boolean> {
    const reach = await deps.reach()
    if (mine !== generation || reach.kind !== 'reachable') return false
    const { known } = reach.target
    if (known.length > 0) return known.some(({ type, blob }) => type === key.type && blob === key.blob)
    await deps.record({ ...key, isUnseen: true })
    hasRecorded = true
    return true
  }

  function showBanner(mine: number, text: string): void {
    if (mine !== generation || link.kind !== 'connecting') return
    const isShown = link.banner !== undefined
    const isFirst = banner === undefined
    banner = text
    const show = (): void => replace({ kind: 'connecting', banner })
    if (isShown) show()
    else if (isFirst) cancel = clock.after(bannerDelaySeconds, show)
  }

  async function attempt(mine: number, isForced: boolean): Promise<void> {
    const reach = await deps.reach()
    if (mine !== generation) return
    if (reach.kind !== 'reachable') return stop(reach)
    target = reach.target
    opening = new AbortController()
    const { signal } = opening
    const isFirst = target.known.length === 0 && deps.trustsFirstKey() && !hasRecorded
    const inOneGo = isFirst &&
      !target.confirms && { acceptFirstKey: (key: HostKey) => acceptFirstKey(mine, key) }
    const to = { ...target, ...inOneGo, banner: (text: string) => showBanner(mine, text) }
    const outcome = await deps.open(to, signal, isForced)
    if (mine === generation) return follow(mine, target, outcome, { isFirst, isForced, signal })
    if (outcome.kind === 'connected') outcome.connection.close()
  }

  async function follow(
    mine: number,
    to: ConnectionTarget,
    outcome: AttemptOutcome,
    { isFirst, isForced, signal }: { isFirst: boolean; isForced: boolean; signal: AbortSignal },
  ): Promise<void> {
    const placeOf = (isJump: true | undefined): string => {
      const { host, port } = (isJump && to.via?.target) || to
      return hostAndPort(host, port)
    }
    switch (outcome.kind) {
      case 'connected':
        return begin(outcome.connection)
      case 'host-key-unknown':
        return meet(mine, to, outcome.key, isFirst, signal)
      case 'host-key-changed': {
        const { known, offered: now } = outcome
        return stop({ kind: 'host-key-changed', host: placeOf(outcome.isJump), known, offered: now })
      }
      case 'jump-untrusted':
        return stop({ kind: 'jump-untrusted', host: placeOf(true) })
      case 'key-refused':
        return refuse(to, outcome)
      case 'refused-before':
        return stop(outcome.stop)
      case 'over-budget':
        drop()
        return waitFor(outcome.seconds, overBudget, isForced)
      case 'refused-for-a-while':
        drop()
        attempts += 1
        return waitFor(outcome.seconds, refusedAddress)
      case 'not-reached':
        return wait(outcome.reason)
    }
  }

  /** Handles a host key that is not recorded: records it, or asks the user. */
  async function meet(
    mine: number,
    to: ConnectionTarget,
    key: HostKey,
    isFirst: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const isTrusted = isFirst && ((await to.confirms?.(key, signal)) ?? true)
    if (mine !== generation) return
    if (isTrusted) {
      await acceptFirstKey(mine, key)
      if (mine === generation) connect()
      return
    }
    offered = key
    drop()
    const host = hostAndPort(to.host, to.port)
    replace({ kind: 'host-key-unknown', host, type: key.type, fingerprint: fingerprint(key) })
  }

  function refuse(to: ConnectionTarget, outcome: Extract<AttemptOutcome, { kind: 'key-refused' }>): void {
    const isJump = outcome.isJump ?? false
    const isCut = outcome.isCut === true && !isJump
    // A key that is set counts for the machine, not for a host on the way.
    if (to.noKey !== undefined && !isCut) return stop(to.noKey)
    const { user, host, port, keys } = (isJump && to.via?.target) || to
    const why: SshStop = {
      kind: 'key-refused',
      user,
      host: hostAndPort(host, port),
      keys: keys.map(({ name }) => name),
      ...(isCut && { isCut }),
    }
    stop(why)
    if (isJump || !deps.isStartingUp()) return deps.refused(to, why, isJump)
    // The keys of a new machine may arrive after its SSH server.
    cancel = clock.after(lateRetrySeconds * 2 ** lateRetries, () => connect())
    lateRetries += 1
  }

  function begin(opened: SshConnection): void {
    cancel()
    connection = opened
    banner = undefined
    hasRecorded = false
    lateRetries = 0
    const mine = generation
    let isSettled = false
    opened.onLost((reason) => {
      if (mine === generation) wait(reason, !isSettled)
    })
    if (mine !== generation) return
    cancel = clock.after(settledAfterSeconds, () => {
      isSettled = true
      attempts = 0
    })
    replace({ kind: 'connected' })
    deps.opened(opened)
  }

  return {
    link: () => link,
    connection: () => connection,
    /** The machine as it was reached last. */
    target: () => target,
    connect,
    /** Stops until the user has done something. */
    stop,
    /** Records the key of the first contact if it has this fingerprint, and connects. */
    trust: async (wanted: string): Promise<boolean> => {
      const key = offered
      if (!key || fingerprint(key) !== wanted) return false
      const mine = generation
      await deps.record({ type: key.type, blob: key.blob })
      if (offered === key) offered = undefined
      // Another attempt may have begun in the meantime.
      if (mine === generation) connect()
      return true
    },
    /** Closes the link for good. */
    close: (): void => {
      isClosed = true
      drop()
    },
  }
}
export type MachineLink = ReturnType<typeof machineLink>
