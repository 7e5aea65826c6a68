import { expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import { MetricsAnswer } from '#shared/service/metrics'
import { clean } from './clean'
import { saveRecordings } from './save'

const recording = { recorded: clean(MetricsAnswer.parse({})), asOf: 0 }

const offeredFor = async (name: string): Promise<string> => {
  let offered = ''
  const target = (file: string): Promise<string> => {
    offered = file
    return Promise.reject(new FailureError({ kind: 'cancelled' }))
  }
  const saving = saveRecordings([{ name, recording, gpus: [] }], null, 'csv', 0, target)
  await expect(saving).rejects.toThrow('cancelled')
  return offered
}

it.each([
  ['train-01', 'train-01'],
  ['../../.bashrc', 'bashrc'],
  ['a/b\\c\u202Ed', 'a-b-c-d'],
  ['…', 'machines'],
  ['x'.repeat(1_000_000), 'x'.repeat(40)],
  ['研究'.repeat(1_000), '研究'.repeat(20)],
])(
  'the proposed file name is plain and short, whatever the name of the machine (%#)',
  async (name, subject) => {
    expect(await offeredFor(name)).toBe(`wheelhouse-metrics-${subject}-1970-01-01.csv`)
  },
)
