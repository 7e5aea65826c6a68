import type { SshLink, SshStop } from '#shared/bridge/ssh-link'
import type { Action } from '#shared/messages/en/actions'
import type { Clock } from '../core/clock'
import type { Network } from '../core/network'
import type { ReportError } from '../core/report-error'
import type { ConnectionOutcome, ConnectionTarget } from './client/target'
import { fingerprint, type HostKey } from './client/host-key'
import { hostAndPort } from './client/host-key-check'
import type { SshConnection } from './client/transport'
import type { ReachResult } from './reach'
import { pauseBefore } from './retry-delay'

export interface MachineLinkDeps {
  /** Asked before every attempt to connect. */
  reach(): Promise<ReachResult | Extract<SshStop, { kind: 'too-many' }>>
  /** Opens a connection unless `signal` aborts; a few machines at once. */
  open(target: ConnectionTarget, signal: AbortSignal): Promise<ConnectionOutcome>
  /** Records a host key that the person accepted, or one that is not seen yet. */
  record(key: HostKey): Promise<void>
  /** Whether the key of a first contact is recorded as by a terminal. */
  trustsFirstKey(): boolean
  /** The link has changed. */
  changed(): void
  /** A connection is open. */
  begin(connection: SshConnection): void
  /** What was begun on the last connection is to end. */
  end(): void
  readonly clock: Clock
  readonly network: Pick<Network, 'onBack'>
  /** Between 0 and 1. */
  random(): number
  /** What a failed attempt is reported as. */
  readonly action: Action
  readonly report: ReportError
}

/**
 * The one connection to a machine: kept open, reopened when it was lost, stopped where only the person can help.
 */
export function machineLink(deps: MachineLinkDeps) {
  const { clock, changed } = deps
  let link: SshLink = { kind: 'connecting' }
  let connection: SshConnection | undefined
  let offered: HostKey | undefined
  /** A first key was recorded since the last connection: where another is offered all the same, the person is asked. */
  let hasRecorded = false
  let attempts = 0
  /** Counts connections: what was begun for an earlier one is dropped. */
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
    connection?.close()
    connection = undefined
    deps.end()
  }

  function wait(reason: string): void {
    drop()
    attempts += 1
    const pause = pauseBefore(attempts, deps.random())
    const cancelPause = clock.after(pause, connect)
    const stopFollowing = deps.network.onBack(() => {
      attempts = 0
      connect()
    })
    cancel = () => {
      cancelPause()
      stopFollowing()
    }
    replace({ kind: 'waiting', until: clock.now() + pause, attempts, reason })
  }

  const stop = (why: SshStop): void => {
    drop()
    replace({ kind: 'stopped', stop: why })
  }

  function connect(): void {
    if (isClosed) return
    drop()
    const mine = generation
    replace({ kind: 'connecting' })
    attempt(mine).catch((error: unknown) => {
      if (mine !== generation) return
      deps.report(deps.action, error)
      wait(error instanceof Error ? error.message : String(error))
    })
  }

  async function attempt(mine: number): Promise<void> {
    const reach = await deps.reach()
    if (mine !== generation) return
    if (reach.kind !== 'reachable') return stop(reach)
    const { target } = reach
    opening = new AbortController()
    const outcome = await deps.open(target, opening.signal)
    if (mine !== generation) {
      if (outcome.kind === 'connected') outcome.connection.close()
      return
    }
    const host = hostAndPort(target.host, target.port)
    const place = (isJump: true | undefined): string =>
      isJump && target.via ? hostAndPort(target.via.target.host, target.via.target.port) : host
    switch (outcome.kind) {
      case 'connected':
        return begin(outcome.connection)
      case 'host-key-unknown':
        if (target.known.length === 0 && deps.trustsFirstKey() && !hasRecorded) {
          const isTrusted = (await target.confirms?.(outcome.key, opening.signal)) ?? true
          if (mine !== generation) return
          if (isTrusted) return recordFirst(mine, outcome.key)
        }
        offered = outcome.key
        drop()
        return replace({
          kind: 'host-key-unknown',
          host,
          type: outcome.key.type,
          fingerprint: fingerprint(outcome.key),
        })
      case 'host-key-changed':
        return stop({
          ...{ kind: 'host-key-changed', host: place(outcome.isJump) },
          ...{ known: outcome.known, offered: outcome.offered },
        })
      case 'jump-untrusted':
        return stop({ kind: 'jump-untrusted', host: place(true) })
      case 'key-refused': {
        // A key that is set counts for the machine, not for a host on the way.
        const isCut = outcome.isCut && !outcome.isJump
        if (target.noKey !== undefined && !isCut) return stop(target.noKey)
        const { user, keys } = (outcome.isJump && target.via?.target) || target
        return stop({
          ...{ kind: 'key-refused', user, host: place(outcome.isJump) },
          keys: keys.map(({ name }) => name),
          ...(isCut && { isCut }),
        })
      }
      case 'not-reached':
        return wait(outcome.reason)
    }
  }

  async function recordFirst(mine: number, key: HostKey): Promise<void> {
    // While this connection waited for others a terminal may have recorded a key, and that one counts.
    const reach = await deps.reach()
    if (mine !== generation) return
    if (reach.kind === 'reachable' && reach.target.known.length === 0) {
      await deps.record({ ...key, isUnseen: true })
      hasRecorded = true
    }
    if (mine === generation) connect()
  }

  function begin(opened: SshConnection): void {
    connection = opened
    hasRecorded = false
    const mine = generation
    opened.onLost((reason) => {
      if (mine === generation) wait(reason)
    })
    if (mine !== generation) return
    replace({ kind: 'connected' })
    deps.begin(opened)
  }

  return {
    link: () => link,
    connection: () => connection,
    connect,
    /** Stops until the person has done something. */
    stop,
    /** The machine has answered: the next pause is a short one again. */
    answered: (): void => {
      attempts = 0
    },
    /** Records the key of the first contact, where it has this fingerprint, and connects. */
    trust: async (wanted: string): Promise<boolean> => {
      const key = offered
      if (!key || fingerprint(key) !== wanted) return false
      const mine = generation
      await deps.record({ type: key.type, blob: key.blob })
      if (offered === key) offered = undefined
      // A watch that was closed or has begun another connection meanwhile goes its own way.
      if (mine === generation) connect()
      return true
    },
    /** For good. */
    close: (): void => {
      isClosed = true
      drop()
    },
  }
}
export type MachineLink = ReturnType<typeof machineLink>
