import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LoadPoint } from './idle/chain'
import { type GpuPast, joinedPast, noPast, recalledPast, withPoint } from './gpu-past'

const start = 1_795_269_600
const day = 86_400
const pastOf = (points: readonly LoadPoint[]) =>
  points.reduce<GpuPast>((past, point) => withPoint(past, point, 5), noPast)

describe('what GPUs did', () => {
  it('is the same whether it is told in one piece or in two, however far apart', () => {
    const busiest = fc.option(fc.constantFrom(0, 4, 5, 90))
    const point = fc.record({ busiest, gap: fc.constantFrom(60, 900, 901) })
    fc.assert(
      fc.property(fc.array(point, { maxLength: 40 }), fc.nat(40), (drawn, cut) => {
        let time = start
        const points = drawn.map(({ busiest, gap }) => ({ time: (time += gap), busiest }))
        expect(joinedPast(pastOf(points.slice(0, cut)), pastOf(points.slice(cut)))).toEqual(pastOf(points))
      }),
    )
  })

  it('is looked for in the hours only where all the minutes that are kept were idle', () => {
    const now = start + 30 * day
    const asked: number[] = []
    const kept =
      (idleFrom: number) =>
      (from: number): readonly (readonly [number, number])[] => {
        asked.push((now - from) / day)
        const first = Math.max(from, start)
        return Array.from({ length: (now - first) / 900 }, (_, at) => {
          const time = first + at * 900
          return [time, time < idleFrom ? 80 : 0]
        })
      }
    expect(recalledPast(kept(start + 29 * day), 5, now)?.chain?.since).toBe(start + 29 * day)
    expect(asked.splice(0)).toEqual([7])
    expect(recalledPast(kept(start + 9 * day), 5, now)?.chain?.since).toBe(start + 9 * day)
    expect(asked).toEqual([7, 90])
  })

  it('is not known while the samples cannot be read', () => {
    expect(recalledPast(() => undefined, 5, start)).toBeUndefined()
  })
})
