/**
 * When a reminder is due, in epoch seconds: at the next `time` of the clock (HH:MM in this computer's zone), which is
 * tomorrow's where it is over today. Null where the text is no time. Pure; `now` in epoch seconds.
 */
export function nextTimeOfDay(time: string, now: number): number | null {
  const [matched, hours = '', minutes = ''] = /^(\d{1,2}):(\d{2})$/.exec(time.trim()) ?? []
  if (matched === undefined || Number(hours) > 23 || Number(minutes) > 59) return null
  const at = new Date(now * 1000)
  at.setHours(Number(hours), Number(minutes), 0, 0)
  if (at.getTime() / 1000 <= now) at.setDate(at.getDate() + 1)
  return Math.round(at.getTime() / 1000)
}

/** So many hours from now, to the second; null where they are not between 6 minutes and a year. */
export function afterHours(text: string, now: number): number | null {
  const hours = Number(text.trim().replace(',', '.'))
  if (text.trim() === '' || !(hours >= 0.1 && hours <= 8_784)) return null
  return Math.round(now + hours * 3_600)
}
