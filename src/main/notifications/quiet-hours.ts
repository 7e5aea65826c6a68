import type { NotificationKind, QuietHours } from '#shared/bridge/app'

/** Kinds that the desktop shows in quiet hours too: a machine is about to end, or a connection waits for the user. */
const urgentKinds: ReadonlySet<NotificationKind> = new Set(['end-rule', 'question'])

export const isUrgent = (kind: NotificationKind): boolean => urgentKinds.has(kind)

/**
 * Whether `now`, in epoch seconds, is within the quiet hours by the wall clock of this computer's time zone. On days
 * when the clocks change, the hours are shorter or longer accordingly. Pure.
 */
export function isQuiet(hours: QuietHours | undefined, now: number): boolean {
  if (!hours?.isOn) return false
  const { from, to } = hours
  const local = new Date(now * 1000)
  const minute = local.getHours() * 60 + local.getMinutes()
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}
