import { expect, it } from 'vitest'
import { rowsToDraw, scrollTopFor } from './visible-rows'

const view = { count: 1_000, rowHeight: 36, scrollTop: 0, height: 392, head: 32 }

it('draws the rows in view and some beyond them', () => {
  expect(rowsToDraw(view)).toEqual([0, 18])
  expect(rowsToDraw({ ...view, scrollTop: 360 })).toEqual([2, 28])
  expect(rowsToDraw({ ...view, scrollTop: 35_640 })).toEqual([982, 1_000])
  expect(rowsToDraw({ ...view, count: 3 })).toEqual([0, 3])
})

it('draws none before it has a height, and the end of a list that has become shorter at once', () => {
  expect(rowsToDraw({ ...view, height: 0 })).toEqual([0, 0])
  expect(rowsToDraw({ ...view, scrollTop: 35_640, count: 5 })).toEqual([0, 5])
})

it('scrolls no further than a row needs to be seen', () => {
  const from = { ...view, scrollTop: 360 }
  expect(scrollTopFor(12, from, 0)).toBe(360)
  expect(scrollTopFor(4, from, 0)).toBe(144)
  expect(scrollTopFor(20, from, 0)).toBe(20 * 36 + 36 - 360)
  // What lies over the end hides rows too.
  expect(scrollTopFor(19, from, 40)).toBe(19 * 36 + 36 - 320)
})
