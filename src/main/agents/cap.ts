import { type AgentAccess, type AgentAction, type AgentRefusal, capHours } from '#shared/bridge/agent'
import { type Money, timesMoney } from '#shared/money/money'

const daySeconds = 86_400
const hourSeconds = 3_600

/** Whether a created machine exists, or may exist. One of unknown outcome counts for a day. */
export const mayExist = ({ kind, result, machine, endedAt, at }: AgentAction, now: number): boolean =>
  kind === 'create' &&
  (result === 'sending' || result === 'done' || result === 'unknown') &&
  endedAt === null &&
  (machine !== null || now - at < daySeconds)

/** Seconds of its price with which an action counts against the cap. */
function countedSeconds(action: AgentAction, now: number): number {
  if (mayExist(action, now)) return capHours * hourSeconds
  if (action.kind !== 'create' || action.endedAt === null) return 0
  return Math.max(0, action.endedAt - Math.max(action.at, now - daySeconds))
}

/** Whether an action counts against the cap, so that it must not be dropped. */
export const isCounted = (action: AgentAction, now: number): boolean => countedSeconds(action, now) > 0

/**
 * Returns the amount that counts against a cap in `currency`: 24 hours of each machine that exists, and the time in the last
 * 24 hours of each that was deleted. Pure.
 */
export const countedCost = (actions: readonly AgentAction[], currency: string, now: number): Money => ({
  currency,
  millionths: actions.reduce(
    (sum, action) =>
      action.perHour?.currency === currency
        ? sum + timesMoney(action.perHour, Math.ceil(countedSeconds(action, now)), hourSeconds).millionths
        : sum,
    0,
  ),
})

/** Returns why another machine may not be created at a price; null if it may. Pure. */
export function capRefusal(
  { cap }: AgentAccess,
  actions: readonly AgentAction[],
  perHour: Money | null,
  now: number,
): AgentRefusal | null {
  if (cap === null) return 'no-cap'
  if (perHour === null) return 'no-price'
  if (perHour.currency !== cap.currency) return 'other-currency'
  const counted =
    countedCost(actions, cap.currency, now).millionths + timesMoney(perHour, capHours).millionths
  return counted > cap.millionths ? 'above-cap' : null
}

/** Whether the user must be asked before a creation: above the limit, or in a currency that can't be compared. Pure. */
export const needsQuestion = ({ askAbove }: AgentAccess, perHour: Money): boolean =>
  askAbove !== null && (perHour.currency !== askAbove.currency || perHour.millionths > askAbove.millionths)
