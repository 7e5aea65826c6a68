const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Returns a moment (epoch seconds) as the value of a `datetime-local` input, in this computer's time zone. */
export function localMoment(at: number): string {
  const date = new Date(at * 1000)
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-')
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** Returns the value of a `datetime-local` input in epoch seconds; null if it is incomplete. */
export function momentOf(value: string): number | null {
  const at = new Date(value).getTime()
  return /^\d{4,}-\d\d-\d\dT\d\d:\d\d/.test(value) && Number.isFinite(at) ? Math.floor(at / 1000) : null
}
