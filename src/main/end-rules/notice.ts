import type { EndRule, HeldReason } from '#shared/bridge/end-rule'
import { findsLoss, isComplete, lookCounts, type LookOutcome } from '#shared/bridge/last-look'
import { clockTime } from '#shared/locale'
import type { TranslatePath } from '#shared/messages/failure-text'
import { lookCountsText, lookLines } from '#shared/messages/look-text'
import type { ShowNotification } from '../core/notification'
import { shortLine } from '../core/one-line'

type Words = Parameters<ShowNotification>[1]

/** Returns the findings of a look in numbers, or that there are none; null: there was no look. */
function foundText(look: LookOutcome, translate: TranslatePath): string | null {
  if (look.kind !== 'looked') return null
  if (!findsLoss(look.look) && isComplete(look.look)) return translate(`lastLook.nothing.${look.look.before}`)
  return lookCountsText(lookCounts(look.look), translate)
}
/** Adds the findings of a look to a notification. Names of the machine are its output, which stays on this computer. */
function withLook(body: string, found: string | null, look: LookOutcome | null, translate: TranslatePath) {
  return {
    body: found === null ? body : [body, found].join(translate('common.sentenceSeparator')),
    output: look?.kind === 'looked' ? lookLines(look.look, { translate, foreign: shortLine }).join('\n') : '',
  }
}

export const warningText = ({ name, action }: EndRule, endsAt: number, translate: TranslatePath): Words => ({
  title: translate(`endRules.notices.warning.${action}`, { machine: name, time: clockTime(endsAt) }),
  body: translate(`endRules.notices.warningText.${action}`),
})
/** `look`: the look before the end; null: there was none. */
export const heldText = (
  { name, action }: EndRule,
  why: HeldReason,
  look: LookOutcome | null,
  translate: TranslatePath,
): Words => ({
  title: translate(`endRules.notices.held.${action}`, { machine: name }),
  ...withLook(translate(`endRules.held.${why}`), look && foundText(look, translate), look, translate),
})
/** `look`: the look before the end; null: there was none in this run. A deletion was held if it found something. */
export function endedText(
  { name, action }: EndRule,
  look: LookOutcome | null,
  translate: TranslatePath,
): Words {
  const body = translate(`endRules.notices.endedText.${action}`)
  const title = translate(`endRules.notices.ended.${action}`, { machine: name })
  if (action === 'delete' || look === null) return { title, body }
  const found =
    look.kind === 'looked'
      ? foundText(look, translate)
      : translate(`endRules.notices.unseen.${look.kind === 'stopped' ? 'unreachable' : 'not-allowed'}`)
  return { title, ...withLook(body, found, look, translate) }
}
