import { expect, it } from 'vitest'
import type { Job } from '#shared/bridge/job'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { createConclusions } from './conclude'
import { openJobs } from './stored-jobs'

const job: Job = {
  id: 'j-1',
  account: 'abcdefghijkl',
  machine: 'm-1',
  machineName: 'train',
  name: 'python train.py',
  subject: { kind: 'idle', minutes: 15 },
  boot: '',
  since: 1_000,
  state: { kind: 'running' },
}

it('an end that can’t be stored is reported and notified once', async () => {
  const settings = flakySettings()
  const jobs = openJobs(settings)
  await jobs.change(() => [job])
  const [notices, faults]: [string[], string[]] = [[], []]
  const { conclude } = createConclusions(
    {
      costsOf: () => Promise.resolve(new Map()),
      destination: () => ({ page: 'connect' }),
      showNotification: (_kind, { title }) => void notices.push(title),
      report: (action) => void faults.push(action),
    },
    jobs,
    new AbortController().signal,
  )
  settings.fail(1)
  await conclude(job, { kind: 'ended', at: 2_000, code: null })
  await conclude(job, { kind: 'ended', at: 2_060, code: null })
  expect(notices).toEqual(['The GPUs of train are idle'])
  expect(faults).toEqual(['jobs.save'])
})
