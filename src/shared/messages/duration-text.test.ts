import { describe, expect, it } from 'vitest'
import { durationSince, durationText } from './duration-text'
import { translate } from './index'

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const textOf = (seconds: number) => durationText(seconds, translate)

describe('a length of time', () => {
  it.each([
    [0, '0 s'],
    [59.9, '59 s'],
    [minute, '1 min'],
    [59 * minute + 59, '59 min'],
    [hour, '1 h'],
    [hour + 5 * minute, '1 h 5 min'],
    [11 * hour, '11 h'],
    [day, '1 d'],
    [2 * day + 4 * hour + 30 * minute, '2 d 4 h'],
    [6 * day + 23 * hour, '6 d 23 h'],
    [21 * day + 3 * hour, '21 d'],
    [400 * day, '400 d'],
  ])('%d s is written as %s', (seconds, words) => expect(textOf(seconds)).toBe(words))

  it('is the same for all clock times within a minute', () => {
    const since = 30 * minute + 20
    const texts = [0, 19, 20, 59].map((second) =>
      durationSince(since, 30 * day + 30 * minute + second, translate),
    )
    expect(new Set(texts)).toEqual(new Set(['29 d']))
  })

  it('is never negative, even if two clocks differ', () => expect(textOf(-5)).toBe('0 s'))
})
