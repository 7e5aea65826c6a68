import { describe, expect, it } from 'vitest'
import { valueAt } from './line-at'
import { summaryOf } from './line-summary'
import { linePoints, type TimeLine, valueTicks } from './time-line'

const line = (values: readonly number[]): TimeLine => ({
  name: 'x',
  times: Float64Array.from(values, (_, at) => at * 60),
  values: Float64Array.from(values),
})
const range = { from: 0, to: 300 }

describe('a line over time', () => {
  it('has the value of the nearest point, and none in a gap or far away', () => {
    const drawn = line([10, 20, Number.NaN, 40])
    expect([0, 65, 125, 170, 260].map((at) => valueAt(drawn, at, 60))).toEqual([10, 20, null, 40, null])
    expect(valueAt(line([]), 0, 60)).toBeNull()
  })
  it('has an axis of round values around its values in the range', () => {
    expect(valueTicks({ lines: [line([3, 1, 7])], low: 0 }, range)).toEqual({ min: 0, max: 10, step: 5 })
    expect(valueTicks({ lines: [line([3, 1, 7, 90])], low: 0 }, { from: 0, to: 130 })).toMatchObject({
      max: 10,
    })
    expect(valueTicks({ lines: [line([Number.NaN])], low: 0, high: undefined }, range)).toMatchObject({
      min: 0,
      max: 1,
    })
    expect(valueTicks({ lines: [line([50])], low: 0, high: 100 }, range)).toEqual({
      min: 0,
      max: 100,
      step: 50,
    })
  })
  it('is drawn upwards in its box with gaps', () => {
    const box = { x: 10, y: 20, width: 300, height: 100 }
    const points = linePoints(line([0, 100, Number.NaN]), range, { min: 0, max: 100, step: 50 }, box)
    expect(Array.from(points)).toEqual([10, 120, 70, 20, 130, Number.NaN])
  })
  it('has a summary for screen readers', () => {
    expect(summaryOf(line([1, 2, Number.NaN, 6, 100]), { from: 0, to: 200 })).toEqual({
      low: 1,
      mean: 3,
      high: 6,
    })
    expect(summaryOf(line([Number.NaN]), range)).toBeNull()
  })
})
