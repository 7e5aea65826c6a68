import { type EndRule, type EndState, endNoticeSeconds, type HeldReason } from '#shared/bridge/end-rule'
import { findsLoss, isComplete, type LookOutcome } from '#shared/bridge/last-look'
import type { Money } from '#shared/money/money'

/** Delay in seconds up to which a deadline still counts as met. */
const maxLateSeconds = 120

/**
 * Known facts about a machine; null: unknown. `idleSince`: epoch seconds since which its GPUs are idle; null: they are not.
 * `jobEnd`: epoch seconds of the end of the rule's job; null: it runs; `lost`: it can't be followed any more.
 */
export interface EndFacts {
  readonly idleSince: number | null
  readonly cost: Money | null
  readonly perHour: Money | null
  readonly jobEnd: number | null | 'lost'
}

/** Returns when a rule ends its machine, in epoch seconds; null if its condition is not met or unknown. Pure. */
export function dueAt(
  { when, notBefore }: EndRule,
  { idleSince, cost, perHour, jobEnd }: EndFacts,
  now: number,
): number | null {
  switch (when.kind) {
    case 'at':
      return Math.max(when.at, notBefore)
    case 'idle':
      return idleSince === null ? null : Math.max(idleSince + when.seconds, notBefore)
    case 'job':
      return typeof jobEnd === 'number' ? Math.max(jobEnd, notBefore) : null
    case 'budget': {
      const { currency, millionths } = when.budget
      if (cost?.currency !== currency) return null
      const left = millionths - cost.millionths
      if (left <= 0) return Math.max(now, notBefore)
      if (perHour?.currency !== currency || perHour.millionths <= 0) return null
      return Math.max(now + (left / perHour.millionths) * 3_600, notBefore)
    }
  }
}

export type EndStep =
  | { readonly kind: 'none' }
  | { readonly kind: 'end' }
  | { readonly kind: 'become'; readonly state: EndState }

const none: EndStep = { kind: 'none' }

/**
 * Decides the next step of a rule. `hasSlept`: time has passed unseen, because of sleep, a restart or a changed clock; an end
 * that was due in that time becomes a question. Pure.
 */
export function decide(rule: EndRule, facts: EndFacts, now: number, hasSlept: boolean): EndStep {
  const { state, when } = rule
  const due = dueAt(rule, facts, now)
  const isMissed = (at: number): boolean => at <= now && (hasSlept || now - at > maxLateSeconds)
  const held = (why: HeldReason): EndStep => ({
    kind: 'become',
    state: { kind: 'held', why, at: now, failure: null, found: null },
  })
  const missed = held('missed')
  const isWaiting = state.kind === 'armed' || state.kind === 'warned'
  // After an extension, the question is repeated at its end.
  if (isWaiting && when.kind === 'job' && facts.jobEnd === 'lost' && rule.notBefore <= now)
    return held('job-lost')
  if (state.kind === 'armed') {
    if (due === null || due - now > endNoticeSeconds) return none
    if (when.kind === 'at')
      return isMissed(due) ? missed : { kind: 'become', state: { kind: 'warned', endsAt: due } }
    return { kind: 'become', state: { kind: 'warned', endsAt: Math.max(due, now + endNoticeSeconds) } }
  }
  if (state.kind !== 'warned') return none
  // A machine at work again, or one whose load or cost is unknown, is not ended.
  if (due === null) return { kind: 'become', state: { kind: 'armed' } }
  if (state.endsAt > now) return none
  // The condition has moved: the machine was at work in between, or costs less than expected.
  if (due > now && when.kind !== 'at')
    return {
      kind: 'become',
      state: due - now > endNoticeSeconds ? { kind: 'armed' } : { kind: 'warned', endsAt: due },
    }
  return isMissed(state.endsAt) ? missed : { kind: 'end' }
}

/** Returns why the last look holds back an end; null: it doesn't. A stop loses no files, so nothing holds it back. Pure. */
export function heldBy(action: EndRule['action'], outcome: LookOutcome): HeldReason | null {
  if (action === 'stop') return null
  if (outcome.kind === 'no-consent') return 'no-consent'
  if (outcome.kind === 'stopped') return 'no-look'
  if (findsLoss(outcome.look)) return 'loss'
  return isComplete(outcome.look) ? null : 'incomplete'
}
