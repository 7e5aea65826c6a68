import type { AccountId } from '#shared/bridge/account'
import type { EndRuleView, EndWhen } from '#shared/bridge/end-rule'
import type { CallInput } from '#shared/bridge/index'
import type { WatchOutcome } from '#shared/bridge/job'
import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import type { SshAnswers } from '#shared/bridge/ssh'
import type { PlanStep, PlanStepState, TemplateEnd } from '#shared/bridge/template'
import type { NewFirewallRule } from '#shared/service/firewall-rule'
import { assertNever } from '#shared/assert-never'
import { failureOf } from '../core/failure-of'
import type { ReportError } from '../core/report-error'
import { startCommand, type StartOutcome } from '../core/start-command'
import type { PlanBook, StoredPlan } from './plan-book'

/** Modules that do the steps of a plan. Each fails as its calls of the bridge do. */
export interface StepDeps {
  configureSsh(account: AccountId, machine: string, settings: StoredPlan['plan']['ssh']): Promise<unknown>
  allowSsh(account: AccountId, machine: string, answers: SshAnswers): Promise<void>
  armEnd(order: CallInput<'endRules.arm'>): Promise<EndRuleView>
  /** Whether a machine already has a rule. Services add default rules to new machines. */
  hasRule(account: AccountId, machine: string, rule: NewFirewallRule): Promise<boolean>
  addRule(order: CallInput<'firewall.add'>): Promise<ActionOutcome>
  findRule(order: CallInput<'firewall.lookUp'>): Promise<LookUp>
  attach(order: CallInput<'volumes.attach'>): Promise<ActionOutcome>
  findVolumes(order: CallInput<'volumes.lookUp'>): Promise<LookUp>
  /** Starts a command as a job. `use`: whether the user may be asked. */
  startJob(
    account: AccountId,
    machine: string,
    command: string,
    use: 'attended' | 'ordered' | 'unattended',
  ): Promise<WatchOutcome>
  readonly report: ReportError
}

type Failed = Extract<PlanStepState, { kind: 'failed' }>
const done: PlanStepState = { kind: 'done' }
export const failed = (why: Failed['why'], changed: Partial<Failed> = {}): Failed => ({
  kind: 'failed',
  why,
  failure: null,
  reason: null,
  ...changed,
})

const endWhen = ({ when }: TemplateEnd, createdAt: number): EndWhen =>
  when.kind === 'after' ? { kind: 'at', at: Math.floor(createdAt + when.seconds) } : when

/** Returns the state of a step after a request that may have lost its answer. */
async function outcomeOf(outcome: ActionOutcome, lookUp: () => Promise<LookUp>): Promise<PlanStepState> {
  if (outcome.kind === 'done') return done
  const found = await lookUp()
  if (found === 'done') return done
  return found === 'unknown' ? { kind: 'unknown' } : failed('failure', { failure: outcome.failure })
}

function jobState(outcome: StartOutcome): PlanStepState {
  switch (outcome.kind) {
    case 'watching':
      return done
    case 'refused':
      return failed(outcome.why === 'too-many' || outcome.why === 'no-consent' ? outcome.why : 'not-started')
    case 'failed':
      return failed('not-started', { reason: outcome.reason })
    case 'stopped':
      return failed('unreachable')
    case 'unknown':
      return outcome
    default:
      return assertNever(outcome)
  }
}

/** Runs one step of a plan on its machine, once. Never fails: the result is its state. */
export function createSteps(deps: StepDeps, book: PlanBook, isAttended: (request: string) => boolean) {
  async function addRules({ request, account, plan }: StoredPlan, machine: string): Promise<PlanStepState> {
    for (;;) {
      const added = book.find(request)?.rulesAdded ?? 0
      const rule = plan.firewall[added]
      if (!rule) return done
      const order = { account, machine, rule }
      if (!(await deps.hasRule(account, machine, rule))) {
        const state = await outcomeOf(await deps.addRule(order), () => deps.findRule(order))
        if (state.kind !== 'done') return state
      }
      await book.update(request, { rulesAdded: added + 1 })
    }
  }
  async function armEnd(stored: StoredPlan, machine: string): Promise<PlanStepState> {
    const { account, name, plan, createdAt } = stored
    if (!plan.end || !plan.isEndArmed) return done
    if (plan.end.action === 'delete') await deps.allowSsh(account, machine, { look: true })
    const when = endWhen(plan.end, createdAt ?? 0)
    await deps.armEnd({ account, machine, name, action: plan.end.action, when })
    return done
  }
  function useOf({ request, plan }: StoredPlan): 'attended' | 'ordered' | 'unattended' {
    if (isAttended(request)) return 'attended'
    return plan.isSshAllowed ? 'ordered' : 'unattended'
  }
  async function run(step: PlanStep, stored: StoredPlan, machine: string): Promise<PlanStepState> {
    const { account, plan } = stored
    switch (step) {
      case 'ssh':
        await deps.configureSsh(account, machine, plan.ssh)
        return done
      case 'end':
        return armEnd(stored, machine)
      case 'firewall':
        return addRules(stored, machine)
      case 'volumes': {
        const order = { account, machine, volumes: plan.volumes.map(({ id }) => id) }
        return outcomeOf(await deps.attach(order), () => deps.findVolumes({ ...order, wanted: 'attached' }))
      }
      case 'commands':
        return jobState(
          await startCommand(
            () => deps.startJob(account, machine, plan.commands, useOf(stored)),
            (error) => deps.report('plans.run', error),
          ),
        )
      default:
        return assertNever(step)
    }
  }
  return (step: PlanStep, stored: StoredPlan, machine: string): Promise<PlanStepState> =>
    run(step, stored, machine).catch((error: unknown) =>
      failed('failure', { failure: failureOf(error, 'plans.run') }),
    )
}
