import type { Reminder } from '#shared/bridge/reminder'
import { clockTime } from '#shared/locale'
import type { TranslatePath } from '#shared/messages/failure-text'

export const reminderText = (
  { name, at }: Reminder,
  translate: TranslatePath,
): { readonly title: string; readonly body: string } => ({
  title: translate('reminders.notice.title', { machine: name }),
  body: translate('reminders.notice.text', { time: clockTime(at) }),
})
