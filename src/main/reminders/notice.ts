import type { Reminder } from '#shared/bridge/reminder'
import type { TranslatePath } from '#shared/messages/failure-text'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** What the system tells when a reminder's time has come. */
export const reminderText = (
  { name, at }: Reminder,
  translate: TranslatePath,
): { readonly title: string; readonly body: string } => ({
  title: translate('reminders.notice.title', { machine: name }),
  body: translate('reminders.notice.text', { time: clock.format(at * 1000) }),
})
