import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GpuLoad } from '../telemetry/gpu-samples'
import { emptyHistory, type GpuHistory, joinedHistory, storedHistory, withPoint } from './gpu-history'

const start = 1_795_269_600
const day = 86_400
const load = (time: number, changes: Partial<GpuLoad> = {}): GpuLoad => ({
  time,
  busiest: 0,
  average: 0,
  held: 0,
  activity: null,
  isEstimated: false,
  ...changes,
})
const historyOf = (points: readonly GpuLoad[]) =>
  points.reduce<GpuHistory>((history, point) => withPoint(history, point, 5), emptyHistory)

describe('the load history of GPUs', () => {
  it('is the same in one piece or joined from two, whatever the gap', () => {
    const percent = fc.option(fc.constantFrom(0, 4, 5, 90))
    const point = fc.record({
      busiest: percent,
      average: percent,
      held: fc.option(fc.constantFrom(0, 600)),
      activity: percent,
      isEstimated: fc.boolean(),
      gap: fc.constantFrom(60, 180, 181, 900, 901, 1_501),
    })
    fc.assert(
      fc.property(fc.array(point, { maxLength: 40 }), fc.nat(40), (drawn, cut) => {
        let time = start
        const points = drawn.map(({ gap, ...rest }) => load((time += gap), rest))
        expect(joinedHistory(historyOf(points.slice(0, cut)), historyOf(points.slice(cut)))).toEqual(
          historyOf(points),
        )
      }),
    )
  })

  it('is read from hours only if all stored minutes were idle', () => {
    const now = start + 30 * day
    const asked: number[] = []
    const kept =
      (idleFrom: number) =>
      (from: number): readonly GpuLoad[] => {
        asked.push((now - from) / day)
        const first = Math.max(from, start)
        return Array.from({ length: (now - first) / 900 }, (_, at) => {
          const time = first + at * 900
          return load(time, { busiest: time < idleFrom ? 80 : 0 })
        })
      }
    expect(storedHistory(kept(start + 29 * day), 5, now)?.idle.chain?.since).toBe(start + 29 * day)
    expect(asked.splice(0)).toEqual([7])
    expect(storedHistory(kept(start + 9 * day), 5, now)?.idle.chain?.since).toBe(start + 9 * day)
    expect(asked).toEqual([7, 90])
  })

  it('contains no points from the future, which remain after the clock was set back', () => {
    const stored = Array.from({ length: 20 }, (_, at) => load(start + at * 60))
    const ahead = load(start + 365 * day, { busiest: 90 })
    const now = start + 1_200
    expect(storedHistory(() => [...stored, ahead], 5, now)).toEqual(storedHistory(() => stored, 5, now))
    const before = historyOf([load(start + day, { busiest: 90 })])
    expect(withPoint(before, load(start), 5)).toEqual(historyOf([load(start)]))
  })

  it('is unknown while the samples cannot be read', () => {
    expect(storedHistory(() => undefined, 5, start)).toBeUndefined()
  })
})
