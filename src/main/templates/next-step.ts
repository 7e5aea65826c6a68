import type { CreationState } from '#shared/bridge/creation'
import type { CommandHold, PlanStep } from '#shared/bridge/template'
import { machineState } from '#shared/service/machine-state'
import type { StoredPlan } from './plan-book'

/** State of the machine of a plan. `creation`: null once it is over; `status`: undefined while it is not listed. */
export interface PlanFacts {
  readonly creation: CreationState | null
  readonly status: string | null | undefined
}

/** Whether SSH can no longer become ready without the user. */
const isOver = ({ creation }: PlanFacts): boolean =>
  creation === null || creation.kind === 'running' || creation.kind === 'failed' || creation.kind === 'gone'

/** Whether a set-up that has begun is still followed. After a restart its begin is known only from the plan. */
function isSetUpAwaited({ hold }: StoredPlan, { creation }: PlanFacts): boolean {
  if (creation?.kind === 'setting-up') return creation.hasBegun || hold === 'set-up-unfinished'
  return creation?.kind === 'booting' && hold === 'set-up-unfinished'
}

/** `fail`: the step cannot run any more. A hold: it runs only if the user asks for it. */
type Next = 'run' | 'fail' | CommandHold

/** Returns what to do with a step now; null: it must wait. Pure. */
function possibleNow(step: PlanStep, plan: StoredPlan, facts: PlanFacts): Next | null {
  if (facts.status === undefined) return null
  switch (step) {
    case 'ssh':
    case 'end':
      return 'run'
    case 'firewall':
    case 'volumes':
      if (machineState(facts.status) === 'running') return 'run'
      return facts.creation?.kind === 'failed' ? 'fail' : null
    case 'commands':
      if (!plan.isReady) return isOver(facts) ? 'fail' : null
      if (plan.hold === 'accepted') return 'run'
      // After a retry, while its set-up is awaited again.
      if (isSetUpAwaited(plan, facts)) return null
      return plan.hold ?? 'run'
  }
}

/** Returns the first waiting step that need not wait any more; null: none. Pure. */
export function nextStep(
  plan: StoredPlan,
  facts: PlanFacts,
): { readonly step: PlanStep; readonly what: Next } | null {
  if (plan.machine === null) return null
  for (const { step, state } of plan.steps) {
    if (state.kind !== 'waiting') continue
    const what = possibleNow(step, plan, facts)
    if (what !== null) return { step, what }
  }
  return null
}
