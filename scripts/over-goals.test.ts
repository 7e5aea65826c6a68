import { expect, it } from 'vitest'
import { slowestOverGoal } from '../bench/support/over-goals'

const goals = [
  ['upload', 1],
  ['download', 0.8],
] as const

it('is the slowest of all benchmarks with a goal', () => {
  expect(slowestOverGoal(goals, { upload: 1.5, download: 1 })).toBe(1.25)
})

it('counts a benchmark that timed out as nothing', () => {
  expect(slowestOverGoal(goals, { upload: 1.5, download: 0 })).toBe(0)
})

it.each([{}, { upload: 1.5 }])('is unknown if a benchmark was not measured', (speeds) => {
  expect(slowestOverGoal(goals, speeds)).toBeNull()
})

it('is unknown if nothing was to be measured', () => {
  expect(slowestOverGoal([], {})).toBeNull()
})
