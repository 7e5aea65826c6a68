import type { AgentAction } from './bridge/agent'
import { type Money, timesMoney } from './money/money'

const hourSeconds = 3_600

/** Whether an action created a machine that was not deleted since. Pure. */
export const createdMachineExists = ({ kind, result, machine, endedAt }: AgentAction): boolean =>
  kind === 'create' && result === 'done' && machine !== null && endedAt === null

/** Returns the cost so far of a created machine by its price; null for other actions. Pure. */
export function costSoFar(action: AgentAction, now: number): Money | null {
  const { perHour, at, endedAt, result, machine } = action
  if (perHour === null || result === 'failed' || result === 'refused' || machine === null) return null
  return timesMoney(perHour, Math.max(0, Math.ceil((endedAt ?? now) - at)), hourSeconds)
}
