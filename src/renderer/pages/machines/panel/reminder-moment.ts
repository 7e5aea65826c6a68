/** Returns the next time of the clock (HH:MM, this computer's time zone) in epoch seconds; null if it is no time. Pure. */
export function nextTimeOfDay(time: string, now: number): number | null {
  const [matched, hours = '', minutes = ''] = /^(\d{1,2}):(\d{2})$/.exec(time.trim()) ?? []
  if (matched === undefined || Number(hours) > 23 || Number(minutes) > 59) return null
  const at = new Date(now * 1000)
  at.setHours(Number(hours), Number(minutes), 0, 0)
  if (at.getTime() / 1000 <= now) at.setDate(at.getDate() + 1)
  return Math.round(at.getTime() / 1000)
}

/** Returns the time after a number of hours in epoch seconds; null if that is not between 6 minutes and a year. */
export function afterHours(text: string, now: number): number | null {
  const hours = Number(text.trim().replace(',', '.'))
  if (text.trim() === '' || !(hours >= 0.1 && hours <= 8_784)) return null
  return Math.round(now + hours * 3_600)
}
