import type { CreationState } from '#shared/bridge/creation'
import type { PlanStep } from '#shared/bridge/template'
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

/** Returns whether a step can run now, must wait, or cannot run any more. Pure. */
function possibleNow(step: PlanStep, plan: StoredPlan, facts: PlanFacts): 'run' | 'wait' | 'fail' {
  if (facts.status === undefined) return 'wait'
  switch (step) {
    case 'ssh':
    case 'end':
      return 'run'
    case 'firewall':
    case 'volumes':
      if (machineState(facts.status) === 'running') return 'run'
      return facts.creation?.kind === 'failed' ? 'fail' : 'wait'
    case 'commands':
      if (plan.isReady) return 'run'
      return isOver(facts) ? 'fail' : 'wait'
  }
}

/** Returns the first waiting step that can run, or cannot run any more; null: none. Pure. */
export function nextStep(
  plan: StoredPlan,
  facts: PlanFacts,
): { readonly step: PlanStep; readonly what: 'run' | 'fail' } | null {
  if (plan.machine === null) return null
  for (const { step, state } of plan.steps) {
    if (state.kind !== 'waiting') continue
    const what = possibleNow(step, plan, facts)
    if (what !== 'wait') return { step, what }
  }
  return null
}
