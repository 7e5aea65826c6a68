import { randomUUID } from 'node:crypto'
import type { AccountId } from '#shared/bridge/account'
import { endExtensionSeconds, type EndRule, maxEndSeconds } from '#shared/bridge/end-rule'
import type { CallInput } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import type { Clock } from '../core/clock'
import type { Fleet } from '../fleet/index'
import type { ChecksDeps, Checks } from './checks'
import type { OpenRules } from './rules'

export interface OrdersDeps extends Pick<ChecksDeps, 'costsOf' | 'jobEnd'> {
  readonly clock: Pick<Clock, 'now'>
  readonly fleet: Pick<Fleet, 'view'>
}

const isSending = ({ state }: EndRule): boolean => state.kind === 'ending' && state.isSent
const notNow = (): FailureError =>
  new FailureError({ kind: 'invalid-input', field: 'rule', reason: 'not-ready' })

/** An agent may change only rules that it armed. */
export class NotItsRule extends Error {
  override readonly name = 'NotItsRule'
}

/** Arms, delays and drops rules for the user, or for a coding agent. */
export function createOrders(
  { clock, fleet, costsOf, jobEnd }: OrdersDeps,
  rules: OpenRules,
  checks: Checks,
) {
  /** Throws if an agent may not change the rules. `agent` null: the user may. */
  function checkAgent(agent: string | null, changed: readonly EndRule[]): void {
    if (agent !== null && changed.some((rule) => rule.agent !== agent)) throw new NotItsRule()
  }
  async function arm(
    { account, machine, name, action, when }: CallInput<'endRules.arm'>,
    agent: string | null,
  ): Promise<EndRule> {
    const now = clock.now()
    const known = fleet.view(account, machine)
    const refuse = (field: string, reason: 'unknown' | 'not-the-name' | 'out-of-range'): FailureError =>
      new FailureError({ kind: 'invalid-input', field, reason })
    if (!known) throw refuse('machine', 'unknown')
    if (known.name !== name) throw refuse('name', 'not-the-name')
    if (when.kind === 'at' && (when.at <= now || when.at > now + maxEndSeconds))
      throw refuse('at', 'out-of-range')
    if (when.kind === 'job' && jobEnd(account, when.job) !== null) throw refuse('job', 'unknown')
    if (when.kind === 'budget') {
      const spent = (await costsOf(account, [machine])).get(machine)?.cost
      if (when.budget.millionths <= (spent?.currency === when.budget.currency ? spent.millionths : 0))
        throw refuse('budget', 'out-of-range')
    }
    const rule: EndRule = {
      id: randomUUID(),
      account,
      machine,
      name,
      action,
      when,
      armedAt: Math.floor(now),
      agent,
      notBefore: 0,
      state: { kind: 'armed' },
    }
    const isOther = (existing: EndRule) => existing.account !== account || existing.machine !== machine
    const replaced = rules.all().filter((existing) => !isOther(existing))
    checkAgent(agent, replaced)
    if (replaced.some(isSending)) throw notNow()
    try {
      await rules.change((existing) => [...existing.filter(isOther), rule])
    } catch (error) {
      // A rule that the user believes not to be armed must not end the machine.
      await rules
        .change((existing) =>
          existing.some(({ id }) => id === rule.id)
            ? [...existing.filter(({ id }) => id !== rule.id), ...replaced]
            : existing,
        )
        .catch(() => undefined)
      throw error
    }
    await checks.check()
    return rules.find(rule.id) ?? rule
  }
  /** Returns a rule that the user may still change. */
  function changeable(account: AccountId, id: string): EndRule {
    const rule = rules.find(id)
    if (rule?.account !== account)
      throw new FailureError({ kind: 'invalid-input', field: 'rule', reason: 'unknown' })
    if (isSending(rule)) throw notNow()
    return rule
  }
  async function extend(account: AccountId, id: string): Promise<void> {
    const due = checks.dueOf(changeable(account, id)) ?? 0
    const notBefore = Math.floor(Math.max(clock.now(), due)) + endExtensionSeconds
    await rules.change((all) =>
      all.map((rule) =>
        rule.id === id ? { ...rule, agent: null, notBefore, state: { kind: 'armed' } } : rule,
      ),
    )
  }

  const cancel = async (account: AccountId, id: string): Promise<void> =>
    rules.drop(changeable(account, id).id)

  return {
    arm,
    extend,
    changeable,
    cancel,
    /** Cancels the rule of a machine for an agent, if there is one. */
    async cancelFor(agent: string, account: AccountId, machine: string): Promise<void> {
      const rule = rules.all().find((each) => each.account === account && each.machine === machine)
      if (!rule) return
      checkAgent(agent, [rule])
      await cancel(account, rule.id)
    },
  }
}
