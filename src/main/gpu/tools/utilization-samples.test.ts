import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { realGpu } from '../../../../test/fixtures/real-gpus'
import { utilizationSamples } from './utilization-samples'

const heading = 'GPU 00000000:00:06.0\n'

describe('the samples of utilization', () => {
  it('show bursts that almost every single reading misses', () => {
    const answers = realGpu('h200-bursts.q.txt')
      .split(/^\d+\.\d+$/m)
      .slice(1)
    const samples = answers.map((answer) => utilizationSamples(heading + answer)[0])
    expect(samples.map((one) => one?.max)).toEqual([83, 85, 87, 89, 91])
    expect(samples.map((one) => one?.average)).toEqual([2, 2, 2, 2, 2])
    const single = realGpu('h200-bursts.every-4-s.txt').trim().split(' ').map(Number)
    expect(single.filter((value) => value > 0)).toEqual([37])
  })

  it('are read among everything that nvidia-smi reports', () => {
    expect(utilizationSamples(realGpu('h100-idle.q.txt'))).toEqual([
      { seconds: 14, max: 0, average: 0, video: 0 },
    ])
  })

  it.each(['Not Found', 'N/A', '[N/A]'])('are null if the driver reports %s', (text) => {
    const answer = realGpu('h100-idle.q.txt').replace(
      /(GPU Utilization Samples[^]*?Max +: )\d+ %/,
      `$1${text}`,
    )
    expect(utilizationSamples(answer)).toEqual([null])
  })

  it('belong to each GPU in order', () => {
    const answer = realGpu('h100-idle.q.txt')
    const none = '\nGPU 00000000:00:07.0\n    Utilization\n        GPU    : 0 %\n'
    expect(utilizationSamples(`${answer}${none}${answer}`).map((one) => one?.max)).toEqual([0, undefined, 0])
  })

  it('never throw, whatever the output', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(8_000), (put, at) => {
        const answer = realGpu('h100-idle.q.txt')
        for (const one of utilizationSamples(answer.slice(0, at) + put + answer.slice(at)))
          expect(one?.max ?? 0).toBeLessThanOrEqual(100)
      }),
    )
  })
})
