import pLimit from 'p-limit'
import type { SshStop } from '#shared/bridge/ssh-link'
import type { Clock } from '../../core/clock'
import { createKeyedMutex } from '../../core/mutex'
import { hostAndPort } from '../client/host-key-check'
import type { ConnectionOutcome, ConnectionTarget } from '../client/target'
import { createAttemptBudget } from './attempt-budget'

export type OpenConnection = (target: ConnectionTarget, signal: AbortSignal) => Promise<ConnectionOutcome>

export type AttemptOutcome =
  | ConnectionOutcome
  /** The server or the jump host refused the same sign-in before. Nothing was sent. */
  | { readonly kind: 'refused-before'; readonly stop: SshStop }
  /** An attempt now could lock the user out of the server. Nothing was sent. */
  | { readonly kind: 'over-budget'; readonly seconds: number }

export interface AttemptOptions {
  /** No user waits for the connection. */
  readonly isBackground: boolean
  /** The user wants an attempt, also after a refusal. */
  readonly isForced: boolean
}

/** Connections that are opened at once, with and without a user who waits. */
const interactiveAtOnce = 16
const backgroundAtOnce = 4

type Destination = Pick<ConnectionTarget, 'user' | 'host' | 'port' | 'keys'>

const serverOf = ({ host, port }: Destination): string => hostAndPort(host, port)
/** Identifies a sign-in: user, server and keys. */
const signInOf = ({ user, host, port, keys }: Destination): string =>
  JSON.stringify([user, host, port, keys.map(({ name }) => name)])

const jumpOf = (target: ConnectionTarget): Destination | undefined => target.via?.target
const signInsOf = (target: ConnectionTarget): readonly string[] => {
  const jump = jumpOf(target)
  return [...(jump ? [`jump ${signInOf(jump)}`] : []), signInOf(target)]
}

const cancelled: ConnectionOutcome = { kind: 'not-reached', reason: 'ECONNABORTED' }

/** Whether two machines are behind the same jump host, signed in to with the same keys. */
export const sharesJumpHost = (a: ConnectionTarget, b: ConnectionTarget): boolean =>
  a.via !== undefined && b.via !== undefined && signInsOf(a)[0] === signInsOf(b)[0]

/**
 * Opens the connections of all machines without getting the user's address refused: remembers refused sign-ins, and keeps a
 * budget of penalties for each server. A jump host that never accepted a sign-in gets one attempt at a time, so that twenty
 * machines behind it don't repeat the same refusal.
 */
export function createAttempts(open: OpenConnection, clock: Pick<Clock, 'now'>) {
  const limits = { background: pLimit(backgroundAtOnce), interactive: pLimit(interactiveAtOnce) }
  const budget = createAttemptBudget(clock)
  const refusals = new Map<string, SshStop>()
  /** Sign-ins at jump hosts that were accepted. */
  const opened = new Set<string>()
  const runExclusive = createKeyedMutex<string>()

  const refusalOf = (target: ConnectionTarget): SshStop | undefined => {
    for (const signIn of signInsOf(target)) {
      const stop = refusals.get(signIn)
      if (stop) return stop
    }
    return undefined
  }

  function count(target: ConnectionTarget, outcome: ConnectionOutcome): void {
    const jump = jumpOf(target)
    const isJump = 'isJump' in outcome && outcome.isJump === true
    const server = serverOf((isJump && jump) || target)
    switch (outcome.kind) {
      case 'connected':
        for (const signIn of signInsOf(target)) refusals.delete(signIn)
        if (jump) opened.add(signInOf(jump))
        break
      case 'key-refused':
        budget.spend(server, 'refused')
        if (jump && isJump) opened.delete(signInOf(jump))
        break
      case 'host-key-unknown':
      case 'host-key-changed':
        budget.spend(server, 'left')
        break
      case 'jump-untrusted':
        if (jump) budget.spend(serverOf(jump), 'left')
        break
      case 'refused-for-a-while':
      case 'not-reached':
        break
    }
  }

  async function attempt(
    target: ConnectionTarget,
    signal: AbortSignal,
    isForced: boolean,
  ): Promise<AttemptOutcome> {
    if (signal.aborted) return cancelled
    const stop = isForced ? undefined : refusalOf(target)
    if (stop) return { kind: 'refused-before', stop }
    const jump = jumpOf(target)
    const seconds = Math.max(budget.pauseFor(serverOf(target)), jump ? budget.pauseFor(serverOf(jump)) : 0)
    if (seconds > 0) return { kind: 'over-budget', seconds }
    const outcome = await open(target, signal)
    count(target, outcome)
    return outcome
  }

  /** Runs `task` exclusively until the jump host of `target` has accepted a sign-in. */
  function throughJump<Value>(target: ConnectionTarget, task: () => Promise<Value>): Promise<Value> {
    const jump = jumpOf(target)
    return !jump || opened.has(signInOf(jump)) ? task() : runExclusive(signInOf(jump), task)
  }

  return {
    /** Never rejects, unless `open` does. */
    open: (
      target: ConnectionTarget,
      signal: AbortSignal,
      { isBackground, isForced }: AttemptOptions,
    ): Promise<AttemptOutcome> =>
      throughJump(target, () =>
        limits[isBackground ? 'background' : 'interactive'](() => attempt(target, signal, isForced)),
      ),
    /** Remembers that the machine, or its jump host, refused the sign-in. */
    refused(target: ConnectionTarget, stop: SshStop, isJump: boolean): void {
      const [first = '', last = first] = signInsOf(target)
      refusals.set(isJump ? first : last, stop)
    },
  }
}
