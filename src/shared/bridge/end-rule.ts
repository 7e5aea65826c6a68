import { z } from 'zod'
import { Failure } from '../failure'
import { Money } from '../money/money'
import { AccountId, OneAccount, OneMachine } from './account'
import { call, variant } from './define'
import { LookCounts } from './last-look'

/** Seconds of notice before a machine is ended, and of an extension. */
export const endNoticeSeconds = 900
export const endExtensionSeconds = 3_600
/** Shortest idle time of a rule, in seconds. */
export const minIdleSeconds = 1_800
/** Longest time ahead, and longest idle time, in seconds. */
export const maxEndSeconds = 366 * 86_400

export const EndAction = z.enum(['stop', 'delete'])
export type EndAction = z.infer<typeof EndAction>

/**
 * Condition of a rule. `at`: epoch seconds. `seconds`: idle time of the GPUs. `budget`: cost of the machine's life. `job`: a
 * job with its name when the rule was armed.
 */
export const EndWhen = z.discriminatedUnion('kind', [
  variant('at', { at: z.number().int() }),
  variant('idle', { seconds: z.number().int().min(minIdleSeconds).max(maxEndSeconds) }),
  variant('budget', { budget: Money }),
  variant('job', { job: z.string(), name: z.string() }),
])
export type EndWhen = z.infer<typeof EndWhen>

/**
 * Why an end waits for the user. `loss`: the last look found work that would be lost. `incomplete`: it could not read
 * everything. `no-look`: the machine could not be reached. `no-consent`: the look is not allowed. `missed`: the computer
 * was asleep or Wheelhouse was closed. `unknown`: the request was sent, and its effect is unknown. `changing`: the machine
 * was changing its state. `not-saved`: the rule could not be written. `job-lost`: the end of
 * the job can't be known any more. `failed`: the service refused.
 */
const heldReasons = [
  'loss',
  'incomplete',
  'no-look',
  'no-consent',
  'missed',
  'unknown',
  'changing',
  'not-saved',
  'job-lost',
  'failed',
] as const
export const HeldReason = z.enum(heldReasons)
export type HeldReason = z.infer<typeof HeldReason>

/**
 * `warned`: the notice was shown; ends at `endsAt`. `ending`: the last look or the request runs; `isSent` is stored before
 * the request is sent. `held`: nothing happens until the user acts. `found`: findings of the last look; null: there was none.
 */
export const EndState = z.discriminatedUnion('kind', [
  variant('armed', {}),
  variant('warned', { endsAt: z.number() }),
  variant('ending', { isSent: z.boolean() }),
  variant('held', {
    why: HeldReason,
    at: z.number(),
    failure: Failure.nullable(),
    found: LookCounts.nullable().default(null),
  }),
])
export type EndState = z.infer<typeof EndState>

/** A machine that Wheelhouse stops or deletes; at most one rule for each machine. Times are epoch seconds. */
export const EndRule = z.object({
  id: z.string(),
  account: AccountId,
  machine: z.string(),
  name: z.string(),
  action: EndAction,
  when: EndWhen,
  armedAt: z.number(),
  /** Name of the coding agent that armed the rule; null: the user armed it, or extended it since. */
  agent: z.string().nullable(),
  /** The machine is not ended before this time. */
  notBefore: z.number(),
  state: EndState,
})
export type EndRule = z.infer<typeof EndRule>

/** `dueAt`: expected end; null if the condition is not met or unknown. */
export const EndRuleView = EndRule.extend({ dueAt: z.number().nullable() })
export type EndRuleView = z.infer<typeof EndRuleView>

const OneRule = OneAccount.extend({ rule: z.string() })

export const endRuleCalls = {
  'endRules.list': call(OneAccount, z.array(EndRuleView)),
  /**
   * Arms a rule, and replaces the rule of the machine. `name`: the machine's name, as typed by the user for `delete`. Fails
   * with invalid-input (machine, name, job; at, budget: out-of-range), disk-full and local-fault.
   */
  'endRules.arm': call(
    OneMachine.extend({ name: z.string(), action: EndAction, when: EndWhen }),
    EndRuleView,
  ),
  /** Delays the end by an hour. Fails with invalid-input (rule) while the request is sent, and with local-fault. */
  'endRules.extend': call(OneRule, z.void()),
  /** Drops the rule and keeps the machine. Fails as `extend` does. */
  'endRules.cancel': call(OneRule, z.void()),
  /** Ends the machine now, after the last look. Fails with invalid-input (rule). */
  'endRules.now': call(OneRule, z.void()),
} as const

export const endRuleEvents = {
  'endRules.changed': z.object({ account: AccountId, rules: z.array(EndRuleView) }),
} as const
