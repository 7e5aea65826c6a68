import { expect, it } from 'vitest'
import { localMoment, momentOf } from './local-moment'

it('a moment in the local time zone is read back to the minute', () => {
  for (const at of [0, 1_795_269_600, 1_774_753_200, 4_102_444_740]) {
    const minute = Math.floor(at / 60) * 60
    expect(localMoment(at)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
    expect(momentOf(localMoment(at))).toBe(minute)
  }
})

it('an incomplete moment is none', () => {
  for (const value of ['', '2026-11-28', '2026-11-28T', '2026-13-40T10:00', 'tomorrow'])
    expect(momentOf(value)).toBeNull()
})
