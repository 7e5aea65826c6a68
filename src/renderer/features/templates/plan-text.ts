import type { PlanStepState, PlanView } from '#shared/bridge/template'
import { failureText } from '#shared/messages/failure-text'
import { foreignText } from '../../components/foreign-text'
import { t, tPath } from '../../platform/i18n'

/** Returns the state of a step, with the reason of its failure. */
export function stepState(state: PlanStepState): string {
  if (state.kind === 'held') return t(`templates.progress.held.${state.why}`)
  if (state.kind !== 'failed') return t(`templates.progress.states.${state.kind}`)
  const text = t(`templates.progress.failed.${state.why}`)
  const reason = state.reason ?? (state.failure && failureText(state.failure, tPath).title)
  return reason ? t('templates.progress.because', { state: text, reason: foreignText(reason, 300) }) : text
}

const hasStep = ({ steps }: PlanView, ...kinds: readonly PlanStepState['kind'][]): boolean =>
  steps.some(({ state }) => kinds.includes(state.kind))
export const needsUser = (plan: PlanView): boolean => hasStep(plan, 'failed', 'unknown', 'held')
export const canRetry = (plan: PlanView): boolean => hasStep(plan, 'failed')
/** Whether commands wait until the user asks for them. */
export const hasHeld = (plan: PlanView): boolean => hasStep(plan, 'held')
export const isRunning = (plan: PlanView): boolean => hasStep(plan, 'running')
/** Whether work is left that runs later or that the user may still start. */
export const isUnfinished = (plan: PlanView): boolean => hasStep(plan, 'running', 'waiting', 'held')
