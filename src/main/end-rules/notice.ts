import type { EndRule, HeldReason } from '#shared/bridge/end-rule'
import { clockTime } from '#shared/locale'
import type { TranslatePath } from '#shared/messages/failure-text'

interface Words {
  readonly title: string
  readonly body: string
}

export const warningText = ({ name, action }: EndRule, endsAt: number, translate: TranslatePath): Words => ({
  title: translate(`endRules.notices.warning.${action}`, { machine: name, time: clockTime(endsAt) }),
  body: translate(`endRules.notices.warningText.${action}`),
})
export const heldText = ({ name, action }: EndRule, why: HeldReason, translate: TranslatePath): Words => ({
  title: translate(`endRules.notices.held.${action}`, { machine: name }),
  body: translate(`endRules.held.${why}`),
})
export const endedText = ({ name, action }: EndRule, translate: TranslatePath): Words => ({
  title: translate(`endRules.notices.ended.${action}`, { machine: name }),
  body: translate(`endRules.notices.endedText.${action}`),
})
