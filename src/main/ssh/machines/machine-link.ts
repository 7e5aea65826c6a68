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
  /** Opens a connection unless `signal` aborts. `isForced`: also after a refusal, as the user wants an attempt. */
  open(target: ConnectionTarget, signal: AbortSignal, isForced: boolean): Promise<AttemptOutcome>
  /** Remembers a refused sign-in for all machines that sign in the same way. */
  refused(target: ConnectionTarget, stop: SshStop, isJump: boolean): void
  /** Records a host key, which may be unseen. */
  record(key: HostKey): Promise<void>
  /** Whether the key of a first contact is recorded without a question, as in a terminal. */
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

/** Delay before a banner appears while connecting: most banners greet a user whose sign-in succeeds at once. */
const bannerDelaySeconds = 2

/** Next step after an attempt. */
type Step =
  | { readonly kind: 'connected'; readonly connection: SshConnection }
  /** A first host key was recorded: the next attempt can sign in. */
  | { readonly kind: 'reconnect' }
  /** The user must decide about a host key. */
  | { readonly kind: 'unknown-key'; readonly key: HostKey; readonly link: SshLink }
  | { readonly kind: 'retry'; readonly reason: string }
  /** `isRefusal`: the server refused the address of this computer. */
  | { readonly kind: 'wait'; readonly seconds: number; readonly reason: string; readonly isRefusal: boolean }
  | { readonly kind: 'stop'; readonly stop: SshStop }
  /** The machine refused keys that may still arrive there, or, within `attemptOnce`, a jump host or a machine for good. */
  | { readonly kind: 'refused'; readonly stop: SshStop; readonly isJump: boolean }

function stepAfterRefusal(
  target: ConnectionTarget,
  outcome: Extract<AttemptOutcome, { kind: 'key-refused' }>,
): Step {
  const isJump = outcome.isJump ?? false
  const isCut = outcome.isCut === true && !isJump
  // A chosen key is for the machine, not for a jump host.
  if (target.noKey !== undefined && !isCut) return { kind: 'stop', stop: target.noKey }
  const { user, host, port, keys } = (isJump && target.via?.target) || target
  const stop: SshStop = {
    kind: 'key-refused',
    user,
    host: hostAndPort(host, port),
    keys: keys.map(({ name }) => name),
    ...(isCut && { isCut }),
  }
  return { kind: 'refused', stop, isJump }
}

function stepAfter(
  target: ConnectionTarget,
  outcome: Exclude<AttemptOutcome, { kind: 'connected' | 'host-key-unknown' }>,
): Step {
  const placeOf = (isJump: true | undefined): string => {
    const { host, port } = (isJump && target.via?.target) || target
    return hostAndPort(host, port)
  }
  switch (outcome.kind) {
    case 'host-key-changed': {
      const { known, offered, isJump } = outcome
      return { kind: 'stop', stop: { kind: 'host-key-changed', host: placeOf(isJump), known, offered } }
    }
    case 'jump-untrusted':
      return { kind: 'stop', stop: { kind: 'jump-untrusted', host: placeOf(true) } }
    case 'key-refused':
      return stepAfterRefusal(target, outcome)
    case 'refused-before':
      return { kind: 'stop', stop: outcome.stop }
    case 'over-budget':
      return { kind: 'wait', seconds: outcome.seconds, reason: overBudget, isRefusal: false }
    case 'refused-for-a-while':
      return { kind: 'wait', seconds: outcome.seconds, reason: refusedAddress, isRefusal: true }
    case 'not-reached':
      return { kind: 'retry', reason: outcome.reason }
  }
}

/** Host keys of a machine's first contacts: recorded without a question, or offered to the user. */
function firstKeys(deps: Pick<MachineLinkDeps, 'reach' | 'record' | 'trustsFirstKey'>) {
  let offered: HostKey | undefined
  /** A first key was recorded since the last connection: the user decides about another one. */
  let hasRecorded = false
  return {
    /** Whether the key of the next contact is recorded without a question. */
    isTrusted: ({ known }: ConnectionTarget): boolean =>
      known.length === 0 && deps.trustsFirstKey() && !hasRecorded,
    /** Records a key, unless another connection has recorded one by now, or the attempt has ended. */
    async accept(key: HostKey, signal: AbortSignal): Promise<boolean> {
      const reach = await deps.reach()
      if (signal.aborted || reach.kind !== 'reachable') return false
      const { known } = reach.target
      if (known.length > 0) return known.some(({ type, blob }) => type === key.type && blob === key.blob)
      await deps.record({ ...key, isUnseen: true })
      hasRecorded = true
      return true
    },
    offer(key: HostKey): void {
      offered = key
    },
    /** Records the offered key if it has this fingerprint. Then calls `recorded` unless `signal` has aborted. */
    async confirm(wanted: string, signal: AbortSignal, recorded: () => void): Promise<boolean> {
      const key = offered
      if (!key || fingerprint(key) !== wanted) return false
      await deps.record({ type: key.type, blob: key.blob })
      if (offered === key) offered = undefined
      if (!signal.aborted) recorded()
      return true
    },
    connected(): void {
      hasRecorded = false
    },
  }
}
type FirstKeys = ReturnType<typeof firstKeys>

/** Handles a host key that is not recorded: records it, or leaves it to the user. */
async function meet(
  target: ConnectionTarget,
  key: HostKey,
  mayTrust: boolean,
  keys: FirstKeys,
  signal: AbortSignal,
): Promise<Step> {
  const isTrusted = mayTrust && ((await target.confirms?.(key, signal)) ?? true)
  if (!isTrusted) {
    const host = hostAndPort(target.host, target.port)
    const link: SshLink = { kind: 'host-key-unknown', host, type: key.type, fingerprint: fingerprint(key) }
    return { kind: 'unknown-key', key, link }
  }
  if (!signal.aborted) await keys.accept(key, signal)
  return { kind: 'reconnect' }
}

interface Attempt {
  readonly isForced: boolean
  readonly signal: AbortSignal
  reached(target: ConnectionTarget): void
  banner(text: string): void
}

/** Makes one attempt to connect. The caller ignores the step if `signal` has aborted. */
async function attemptOnce(
  deps: MachineLinkDeps,
  keys: FirstKeys,
  { isForced, signal, reached, banner }: Attempt,
): Promise<Step> {
  const reach = await deps.reach()
  if (signal.aborted) return { kind: 'reconnect' }
  if (reach.kind !== 'reachable') return { kind: 'stop', stop: reach }
  const { target } = reach
  reached(target)
  const isTrusted = keys.isTrusted(target)
  const acceptFirstKey = (key: HostKey): Promise<boolean> => keys.accept(key, signal)
  const accepting = isTrusted && !target.confirms && { acceptFirstKey }
  const outcome = await deps.open({ ...target, ...accepting, banner }, signal, isForced)
  if (outcome.kind === 'connected') return outcome
  if (outcome.kind === 'host-key-unknown') return meet(target, outcome.key, isTrusted, keys, signal)
  const step = stepAfter(target, outcome)
  if (step.kind !== 'refused' || signal.aborted || (!step.isJump && deps.isStartingUp())) return step
  // Before the next attempt begins, which may be another machine's.
  deps.refused(target, step.stop, step.isJump)
  return { kind: 'stop', stop: step.stop }
}

/** Like `attemptOnce`. Never rejects. */
async function attemptSafely(deps: MachineLinkDeps, keys: FirstKeys, attempt: Attempt): Promise<Step> {
  try {
    return await attemptOnce(deps, keys, attempt)
  } catch (error) {
    if (!attempt.signal.aborted) deps.report('ssh.connect', error)
    return { kind: 'retry', reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Closes the connection of a link that was dropped while it signed in. */
function closeUnused(step: Step): void {
  if (step.kind === 'connected') step.connection.close()
}

/** Pauses between the attempts of a link. */
function retrySchedule({ isStartingUp, random }: Pick<MachineLinkDeps, 'isStartingUp' | 'random'>) {
  let attempts = 0
  let lateRetries = 0
  return {
    attempts: () => attempts,
    count(): void {
      attempts += 1
    },
    reset(): void {
      attempts = 0
    },
    connected(): void {
      lateRetries = 0
    },
    /** Seconds before the next attempt. `isShortLived`: the connection had not lasted for one reading. */
    pause(isShortLived: boolean): number {
      const longest = isStartingUp() ? startingPauseSeconds : undefined
      const pause = pauseBefore(attempts, random(), longest)
      return isShortLived && attempts > quickLosses ? Math.max(pause, settledAfterSeconds) : pause
    },
    /** Seconds before another attempt with keys that a starting machine refused: they may arrive after its SSH server. */
    latePause(): number {
      lateRetries += 1
      return lateRetrySeconds * 2 ** (lateRetries - 1)
    },
  }
}

/** The one timer of a link. */
function linkTimer({ clock, network }: Pick<MachineLinkDeps, 'clock' | 'network'>) {
  let cancel = (): void => undefined
  const replace = (next: () => void): void => {
    cancel()
    cancel = next
  }
  return {
    cancel: (): void => replace(() => undefined),
    after: (seconds: number, task: () => void): void => replace(clock.after(seconds, task)),
    /** Calls `over` after a pause, or `isBack` as soon as the network is back. */
    pause(seconds: number, over: () => void, isBack: () => void): void {
      const ends = [clock.after(seconds, over), network.onBack(isBack)]
      replace(() => ends.forEach((end) => end()))
    },
  }
}

/** The one connection to a machine: it reopens after a loss, and stops if only the user can help. */
export function machineLink(deps: MachineLinkDeps) {
  const keys = firstKeys(deps)
  const schedule = retrySchedule(deps)
  const timer = linkTimer(deps)
  let link: SshLink = { kind: 'connecting' }
  let connection: SshConnection | undefined
  let target: ConnectionTarget | undefined
  /** The server's banner during the last sign-in, if that did not succeed. */
  let banner: string | undefined
  let isClosed = false
  /** Aborts with the current attempt or connection; callbacks of earlier ones are ignored. */
  let current = new AbortController()

  function replace(next: SshLink): void {
    link = next
    deps.changed()
  }

  function drop(): void {
    const ended = connection
    connection = undefined
    timer.cancel()
    const previous = current
    current = new AbortController()
    previous.abort()
    if (!ended) return
    ended.close()
    deps.closed()
  }

  function waitFor(seconds: number, reason: string, isForced = false): void {
    const isBack = (): void => {
      schedule.reset()
      connect()
    }
    timer.pause(seconds, () => connect(isForced), isBack)
    const until = deps.clock.now() + seconds
    replace({ kind: 'waiting', until, attempts: schedule.attempts(), reason, banner })
  }

  function retryLater(reason: string, isShortLived = false): void {
    drop()
    schedule.count()
    waitFor(schedule.pause(isShortLived), reason)
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
    const { signal } = current
    replace({ kind: 'connecting' })
    const reached = (to: ConnectionTarget): void => void (target = to)
    const showBanner = (text: string): void => receiveBanner(signal, text)
    attemptSafely(deps, keys, { isForced, signal, reached, banner: showBanner })
      .then((step) => (signal.aborted ? closeUnused(step) : follow(step, isForced)))
      .catch((error: unknown) => deps.report('ssh.connect', error))
  }

  function receiveBanner(signal: AbortSignal, text: string): void {
    if (signal.aborted || link.kind !== 'connecting') return
    const isFirst = banner === undefined
    banner = text
    const show = (): void => replace({ kind: 'connecting', banner })
    if (link.banner !== undefined) show()
    else if (isFirst) timer.after(bannerDelaySeconds, show)
  }

  function follow(step: Step, isForced: boolean): void {
    switch (step.kind) {
      case 'connected':
        return begin(step.connection)
      case 'reconnect':
        return connect()
      case 'unknown-key':
        keys.offer(step.key)
        drop()
        return replace(step.link)
      case 'retry':
        return retryLater(step.reason)
      case 'wait':
        drop()
        if (step.isRefusal) schedule.count()
        return waitFor(step.seconds, step.reason, isForced && !step.isRefusal)
      case 'stop':
        return stop(step.stop)
      case 'refused':
        stop(step.stop)
        timer.after(schedule.latePause(), () => connect())
    }
  }

  function begin(opened: SshConnection): void {
    timer.cancel()
    connection = opened
    banner = undefined
    keys.connected()
    schedule.connected()
    const { signal } = current
    let isSettled = false
    opened.onLost((reason) => {
      if (!signal.aborted) retryLater(reason, !isSettled)
    })
    if (signal.aborted) return
    timer.after(settledAfterSeconds, () => {
      isSettled = true
      schedule.reset()
    })
    replace({ kind: 'connected' })
    deps.opened(opened)
  }

  return {
    link: () => link,
    connection: () => connection,
    /** The machine's target at the last attempt. */
    target: () => target,
    connect,
    /** Stops until the user has done something. */
    stop,
    /** Records the key of the first contact if it has this fingerprint, and connects. */
    trust: (wanted: string): Promise<boolean> => keys.confirm(wanted, current.signal, connect),
    /** Closes the link for good. */
    close: (): void => {
      isClosed = true
      drop()
    },
  }
}
export type MachineLink = ReturnType<typeof machineLink>
