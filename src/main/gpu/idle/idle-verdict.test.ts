import { describe, expect, it } from 'vitest'
import type { GpuLoad } from '../telemetry/gpu-samples'
import { withPoint } from './gpu-history'
import { judge, noEvidence, type Verdict } from './idle-verdict'

const start = 1_795_269_600
const settings = { threshold: 5, minutes: 60 }

/** A load of known shape. `busy`: whether the GPU works at a time in seconds; `parts`: percent of its busiest part. */
interface Shape {
  readonly expected: 'busy' | 'idle' | 'held' | 'barely-used'
  readonly busy: (time: number) => boolean
  readonly parts: number
  readonly held: number
}
const spinning: Shape = { expected: 'barely-used', busy: () => true, parts: 0, held: 527 }
const shapes: Readonly<Record<string, Shape>> = {
  steady: { expected: 'busy', busy: () => true, parts: 96, held: 70_000 },
  // 0.3 s of work every ten seconds.
  bursts: { expected: 'busy', busy: (time) => time % 10 < 0.3, parts: 90, held: 10_000 },
  held: { expected: 'held', busy: () => false, parts: 0, held: 10_767 },
  spinning,
  idle: { expected: 'idle', busy: () => false, parts: 0, held: 0 },
}

/** The driver samples a fifth of a second at a time. */
const sampleSeconds = 0.2
const windowSamples = 71

/** Utilization in percent that the driver reports at `time`: the share of the last fifth of a second with work. */
function utilizationAt({ busy }: Shape, time: number): number {
  let percent = 0
  for (let step = 0; step < 4; step += 1) if (busy(time - (step * sampleSeconds) / 4)) percent += 25
  return percent
}

/** Reads a GPU at `time` with the driver's samples, or by a single value. */
function reading(shape: Shape, time: number, isSampled: boolean, hasActivity: boolean): GpuLoad {
  const count = isSampled ? windowSamples : 1
  let [highest, sum] = [0, 0]
  for (let at = 0; at < count; at += 1) {
    const value = utilizationAt(shape, time - at * sampleSeconds)
    highest = Math.max(highest, value)
    sum += value
  }
  return {
    time: start + time,
    busiest: highest,
    average: sum / count,
    held: shape.held,
    activity: hasActivity ? shape.parts : null,
    isEstimated: false,
  }
}

const useOf = (verdict: Verdict): string => (verdict.kind === 'unused' ? verdict.use : verdict.kind)

/** Simulates a day of one machine. Returns the share of minutes after the first hour with each verdict. */
function dayOf(shape: Shape, machine: number, isSampled: boolean): ReadonlyMap<string, number> {
  const evidence = noEvidence()
  const counts = new Map<string, number>()
  const minutes = 1_440
  let time = (machine * 7.3) % 60
  for (let minute = 0; minute < minutes; minute += 1) {
    // The next reading starts a minute after the answer, which takes 50 to 250 ms.
    time += 60.05 + ((minute * 37 + machine * 13) % 97) / 485
    const point = reading(shape, time, isSampled, isSampled && minute % 10 === 0)
    evidence.gpu = withPoint(evidence.gpu, point, settings.threshold)
    if (minute < 75) continue
    const use = useOf(judge(evidence, settings, start + time))
    counts.set(use, (counts.get(use) ?? 0) + 1)
  }
  return new Map([...counts].map(([use, count]) => [use, count / (minutes - 75)]))
}

const machinesPerShape = 60

describe('a day of 300 machines', () => {
  it.each(Object.entries(shapes))(
    'has the right verdict for each of them at every minute: %s',
    (_name, shape) => {
      for (let machine = 0; machine < machinesPerShape; machine += 1)
        expect([...dayOf(shape, machine, true)], `machine ${machine}`).toEqual([[shape.expected, 1]])
    },
  )

  it('is wrong for bursts and spinning threads if single values are read each minute', () => {
    const wrong = (name: string): number => {
      const shape = shapes[name]
      if (!shape) throw new Error(name)
      const shares = Array.from(
        { length: machinesPerShape },
        (_, machine) => 1 - (dayOf(shape, machine, false).get(shape.expected) ?? 0),
      )
      return shares.reduce((sum, share) => sum + share, 0) / machinesPerShape
    }
    const rates = Object.keys(shapes).map((name) => [name, Math.round(100 * wrong(name))])
    expect(Object.fromEntries(rates)).toEqual({ steady: 0, bursts: 8, held: 0, spinning: 100, idle: 0 })
  })
})

it('a barely used machine is judged by power if an activity was estimated', () => {
  const basisOf = (isEstimated: boolean) => {
    const evidence = noEvidence()
    for (let minute = 0; minute <= 70; minute += 1) {
      const point = reading(spinning, minute * 60, true, minute % 10 === 0)
      evidence.gpu = withPoint(evidence.gpu, { ...point, isEstimated: isEstimated && minute === 10 }, 5)
    }
    return judge(evidence, settings, start + 70 * 60)
  }
  expect(basisOf(true)).toMatchObject({ use: 'barely-used', basis: 'power' })
  expect(basisOf(false)).toMatchObject({ use: 'barely-used', basis: 'gpu' })
})
