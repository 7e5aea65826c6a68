import type { AccountId } from '#shared/bridge/account'
import type { EndRule, endRuleCalls, endRuleEvents, EndRuleView } from '#shared/bridge/end-rule'
import type { CallInput, EventPayload, HandlersOf } from '#shared/bridge/index'
import { createEmitter } from '#shared/emitter'
import { defineModule, type EventsOf } from '../core/module'
import { forgetGone } from '../fleet/forget-gone'
import type { Fleet } from '../fleet/index'
import type { Sections } from '../store/settings'
import { type ChecksDeps, createChecks } from './checks'
import { createEnds, type EndsDeps } from './end-machine'
import { createOrders } from './orders'
import { openRules } from './rules'

export interface EndRulesDeps extends EndsDeps, ChecksDeps {
  readonly documents: Sections
  readonly fleet: Pick<Fleet, 'view' | 'onGone' | 'onChange'>
}

/** Stops and deletes machines as the user, or an agent that may, armed it. Each request is sent once, after the last look. */
export function createEndRules(deps: EndRulesDeps) {
  const { fleet, report } = deps
  const rules = openRules(deps.documents)
  const changes = createEmitter<EventPayload<'endRules.changed'>>()
  let isClosed = false
  const ends = createEnds(deps, rules, () => isClosed)
  const checks = createChecks(
    deps,
    rules,
    ends,
    () => isClosed,
    () => new Set(rules.all().map(({ account }) => account)).forEach(emit),
  )
  const orders = createOrders(deps, rules, checks)

  const view = (rule: EndRule): EndRuleView => ({ ...rule, dueAt: checks.dueOf(rule) })
  const list = (account: AccountId): EndRuleView[] =>
    rules
      .all()
      .filter((rule) => rule.account === account)
      .map(view)
  function emit(account: AccountId): void {
    changes.emit({ account, rules: list(account) })
  }

  const arm = async (order: CallInput<'endRules.arm'>): Promise<EndRuleView> =>
    view(await orders.arm(order, null))
  const ruleOf = (account: AccountId, machine: string): EndRuleView | undefined =>
    list(account).find((rule) => rule.machine === machine)

  const handlers: HandlersOf<typeof endRuleCalls> = {
    'endRules.list': async ({ account }) => {
      await rules.ready()
      return list(account)
    },
    'endRules.arm': arm,
    'endRules.extend': ({ account, rule }) => orders.extend(account, rule),
    'endRules.cancel': ({ account, rule }) => orders.cancel(account, rule),
    'endRules.now': async ({ account, rule }) => ends.end(orders.changeable(account, rule).id),
  }
  const events: EventsOf<typeof endRuleEvents> = { 'endRules.changed': changes.on }

  async function forget(account: AccountId, ids: readonly string[]): Promise<void> {
    const isAffected = (rule: EndRule) => rule.account === account && ids.includes(rule.machine)
    if (rules.all().some(isAffected)) await rules.change((all) => all.filter((rule) => !isAffected(rule)))
  }
  const unsubscribe = [
    rules.onChange(emit),
    forgetGone({
      fleet,
      onGone: fleet.onGone,
      remembered: (account) => list(account).map(({ machine }) => machine),
      isListed: (account, id) => fleet.view(account, id) !== undefined,
      details: [deps.machine],
      forget,
      report: (error) => report('endRules.forget', error),
    }),
  ]

  return defineModule({
    handlers,
    events,
    of: ruleOf,
    list,
    arm,
    /** Arms a rule for an agent. Fails as the call does, and with NotItsRule. */
    async armFor(agent: string, order: CallInput<'endRules.arm'>): Promise<void> {
      await rules.ready()
      await orders.arm(order, agent)
    },
    /** Cancels the rule of a machine for an agent, if there is one. Fails as the call does, and with NotItsRule. */
    async cancelFor(agent: string, account: AccountId, machine: string): Promise<void> {
      await rules.ready()
      await orders.cancelFor(agent, account, machine)
    },
    onChange: changes.on,
    start: (): void => void rules.ready().then(checks.check),
    wakeChanged(awake: boolean): void {
      if (awake && checks.hasChecked()) void checks.check()
    },
    forgetAccount: (account: AccountId): Promise<void> =>
      rules.change((all) => all.filter((rule) => rule.account !== account)),
    async close(): Promise<void> {
      isClosed = true
      unsubscribe.forEach((stop) => stop())
      await checks.close()
      await ends.settled()
    },
  })
}
export type EndRules = ReturnType<typeof createEndRules>
