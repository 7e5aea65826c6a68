import { expect, it } from 'vitest'
import type { Job, JobState } from '#shared/bridge/job'
import { translate } from '#shared/messages/index'
import { costBetween, jobNotice } from './notice'

const job = (state: JobState): Job => ({
  id: 'j-1',
  account: 'abcdefghijkl',
  machine: 'm-1',
  machineName: 'trainer\n01',
  name: 'python train.py',
  subject: { kind: 'idle', minutes: 15 },
  boot: '',
  since: 1_000,
  state,
})
const command = (state: JobState): Job => ({
  ...job(state),
  subject: {
    kind: 'process',
    process: { pid: 1, start: '1', user: 'jo' },
    command: 'python train.py',
    log: null,
  },
})

it('reports the end of a job with its exit code, duration, cost and last lines', () => {
  const ended = (code: number | null) => command({ kind: 'ended', at: 8_200, code })
  const cost = costBetween({ currency: 'USD', millionths: 2_000_000 }, 1_000, 8_200)
  expect(jobNotice(ended(0), cost, 'loss 0.1', translate)).toEqual({
    title: 'Finished on trainer 01: python train.py',
    body: 'After 2 h, about 4.00 USD for the machine',
    output: 'loss 0.1',
    isGoodNews: true,
  })
  expect(jobNotice(ended(1), null, '', translate)).toEqual({
    title: 'Exit code 1 on trainer 01: python train.py',
    body: 'After 2 h',
    output: '',
  })
  expect(jobNotice(ended(null), null, '', translate).title).toBe('Ended on trainer 01: python train.py')
  expect(jobNotice(command({ kind: 'lost', at: 8_200, why: 'rebooted' }), null, '', translate)).toEqual({
    title: 'No longer known on trainer 01: python train.py',
    body: 'After 2 h\nThe machine was rebooted.',
    output: '',
  })
  expect(jobNotice(job({ kind: 'ended', at: 8_200, code: null }), null, '', translate).title).toBe(
    'The GPUs of trainer 01 are idle',
  )
})
