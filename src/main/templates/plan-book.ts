import { z } from 'zod'
import type { AccountId } from '#shared/bridge/account'
import { type Creation, isSetUpRead } from '#shared/bridge/creation'
import {
  CommandHold,
  MachinePlan,
  type PlanStep,
  planSteps,
  type PlanStepState,
  PlanView,
} from '#shared/bridge/template'
import { createEmitter } from '#shared/emitter'
import type { Sections } from '../store/settings'

/** A plan with its progress. */
const StoredPlan = PlanView.omit({ template: true }).extend({
  plan: MachinePlan,
  /** Epoch seconds at which the machine was known; null: it is not. */
  createdAt: z.number().nullable(),
  isReady: z.boolean(),
  /** Why the commands are not started; `accepted`: the user runs them anyway. */
  hold: z
    .enum([...CommandHold.options, 'accepted'])
    .nullable()
    .default(null),
  /** Firewall rules that were added. */
  rulesAdded: z.number().int(),
})
export type StoredPlan = z.infer<typeof StoredPlan>

const PlanDocument = z.object({ plans: z.array(StoredPlan).default([]) })

/** Returns the steps that a plan needs, in their order. Pure. */
function stepsOf({ volumes, firewall, ssh, commands, end, isEndArmed }: MachinePlan): PlanStep[] {
  const isNeeded: Readonly<Record<PlanStep, boolean>> = {
    ssh: Object.values(ssh).some((value) => value !== null),
    end: end !== null && isEndArmed,
    firewall: firewall.length > 0,
    volumes: volumes.length > 0,
    commands: commands.trim() !== '',
  }
  return planSteps.filter((step) => isNeeded[step])
}

/**
 * Returns the hold of a plan after a state of its creation. An unread set-up holds the commands back only if cloud-init
 * has run: machines without cloud-init have no result. Pure.
 */
export function holdAfter(hold: StoredPlan['hold'], state: Creation['state']): StoredPlan['hold'] {
  if (hold === 'accepted') return hold
  if (state.kind === 'setting-up' && state.hasBegun) return 'set-up-unfinished'
  if (state.kind !== 'ready') return hold
  if (state.setUp === 'failed') return 'set-up-failed'
  if (state.setUp === 'too-long') return 'set-up-unfinished'
  return isSetUpRead(state.setUp) ? null : hold
}

const waiting: PlanStepState = { kind: 'waiting' }
/** States of a step in which nothing of it was sent. */
const unsent: readonly PlanStepState['kind'][] = ['waiting', 'held', 'failed']

export const newPlan = (
  account: AccountId,
  request: string,
  name: string,
  plan: MachinePlan,
): StoredPlan => ({
  request,
  account,
  name,
  plan,
  machine: null,
  createdAt: null,
  isReady: false,
  hold: null,
  rulesAdded: 0,
  steps: stepsOf(plan).map((step) => ({ step, state: waiting })),
})

/** Stores plans of all accounts as a private document, and reports the accounts of changed plans. */
export function openPlans(documents: Sections) {
  const section = documents.section('machine-plans', PlanDocument)
  const changes = createEmitter<AccountId>()
  const all = (): readonly StoredPlan[] => section.read().plans
  const emit = (plans: readonly StoredPlan[]): void =>
    new Set(plans.map(({ account }) => account)).forEach((account) => changes.emit(account))

  async function change(update: (plans: readonly StoredPlan[]) => readonly StoredPlan[]): Promise<void> {
    const before = all()
    const written = section.change(({ plans }) => ({ plans: [...update(plans)] }))
    emit([...before, ...all()])
    await written
  }
  const update = (request: string, changed: Partial<StoredPlan>): Promise<void> =>
    change((plans) => plans.map((plan) => (plan.request === request ? { ...plan, ...changed } : plan)))

  return {
    all,
    change,
    update,
    ready: section.ready,
    onLoad: section.onLoad,
    onChange: changes.on,
    find: (request: string): StoredPlan | undefined => all().find((plan) => plan.request === request),
    /** Whether the user allows SSH on the machine of a draft without them. */
    allowsSsh: (request: string): boolean =>
      all().find((plan) => plan.request === request)?.plan.isSshAllowed ?? false,
    /** Whether a creation ended with a set-up that holds back the commands of its plan, which were not started. */
    holdsCommands: ({ request, state }: Pick<Creation, 'request' | 'state'>): boolean =>
      state.kind === 'ready' &&
      all().some(
        (plan) =>
          plan.request === request &&
          CommandHold.safeParse(holdAfter(plan.hold, state)).success &&
          plan.steps.some((one) => one.step === 'commands' && unsent.includes(one.state.kind)),
      ),
    setStep: (request: string, step: PlanStep, state: PlanStepState, changed: Partial<StoredPlan> = {}) =>
      change((plans) =>
        plans.map((plan) =>
          plan.request === request
            ? {
                ...plan,
                ...changed,
                steps: plan.steps.map((one) => (one.step === step ? { step, state } : one)),
              }
            : plan,
        ),
      ),
    drop: (request: string): Promise<void> =>
      change((plans) => plans.filter((plan) => plan.request !== request)),
  }
}
export type PlanBook = ReturnType<typeof openPlans>
