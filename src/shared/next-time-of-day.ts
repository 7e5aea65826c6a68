/**
 * Returns the next time of the clock (18:00, 6:00 PM or 6 pm, this computer's time zone) in epoch seconds; null if it is no
 * time. Pure.
 */
export function nextTimeOfDay(time: string, now: number): number | null {
  const [matched, typed = '', minutes, half] =
    /^(\d{1,2})(?:[:.h](\d{2}))?\s*(?:([ap])\.?\s*m\.?)?$/i.exec(time.trim()) ?? []
  if (matched === undefined || (minutes === undefined && half === undefined)) return null
  const isHalfDay = half !== undefined
  if (
    Number(minutes ?? 0) > 59 ||
    Number(typed) > (isHalfDay ? 12 : 23) ||
    (isHalfDay && Number(typed) === 0)
  )
    return null
  const hours = isHalfDay ? (Number(typed) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(typed)
  const at = new Date(now * 1000)
  at.setHours(hours, Number(minutes ?? 0), 0, 0)
  if (at.getTime() / 1000 <= now) at.setDate(at.getDate() + 1)
  return Math.round(at.getTime() / 1000)
}
