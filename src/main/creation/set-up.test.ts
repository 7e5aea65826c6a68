import { expect, it } from 'vitest'
import { readSetUp } from './set-up'

const finished = (stdout: string, status: number | null) =>
  readSetUp({ kind: 'finished', stdout, stderr: '', status })

// Output of cloud-init 24.4 with --long, apart from the states of 22.4.
const long = (status: string, extended: string, end: string): string =>
  `status: ${status}\nextended_status: ${extended}\nboot_status_code: enabled-by-generator\n` +
  `last_update: Fri, 27 Nov 2026 10:00:00 +0000\ndetail: DataSourceOpenStack [net,ver=2]\n${end}\n`
const noErrors = 'errors: []\nrecoverable_errors: {}'

it.each([
  ['running', long('running', 'running', noErrors), 0],
  ['running with warnings', long('running', 'degraded running', 'errors: []\nrecoverable_errors:\n'), 2],
  ['running after an error', long('error', 'error - running', 'errors:\n\t- x\nrecoverable_errors: {}'), 1],
])('cloud-init that is still %s is not over', (_, output, status) => {
  expect(finished(output, status)).toEqual({ kind: 'running' })
})

it.each([
  ['not started', long('not started', 'not started', noErrors)],
  ['not run', 'status: not run\n'],
])('cloud-init that reports “%s” may start later', (_, output) => {
  expect(finished(output, 0)).toEqual({ kind: 'waiting', why: 'not-started' })
})

it('a set-up without errors is done', () => {
  expect(finished(long('done', 'done', noErrors), 0)).toEqual({ kind: 'over', setUp: 'done', detail: null })
  expect(finished('status: done\n', 0)).toEqual({ kind: 'over', setUp: 'done', detail: null })
})

it('recoverable errors are named, by the extended status or by exit status 2', () => {
  const warning = 'errors: []\nrecoverable_errors:\nWARNING:\n\t- Failed to install packages: [’nvtop’]'
  const detail = 'Failed to install packages: [’nvtop’]'
  expect(finished(long('done', 'degraded done', warning), 2)).toMatchObject({ setUp: 'degraded', detail })
  expect(finished(`status: done\n${warning}\n`, 2)).toMatchObject({ setUp: 'degraded', detail })
})

it('a failed set-up has its first error, also in the format before 23.4', () => {
  const errors = "errors:\n\t- ('scripts_user', RuntimeError('Runparts: 1 failures'))\nrecoverable_errors: {}"
  expect(finished(long('error', 'error - done', errors), 1)).toEqual({
    kind: 'over',
    setUp: 'failed',
    detail: "('scripts_user', RuntimeError('Runparts: 1 failures'))",
  })
  expect(finished('status: error\ndetail:\nRunparts: 1 failures\n', 1)).toMatchObject({
    setUp: 'failed',
    detail: 'Runparts: 1 failures',
  })
})

it.each([
  ['without cloud-init', '', 127, 'no-cloud-init'],
  ['with cloud-init disabled', long('disabled', 'disabled', noErrors), 0, 'no-cloud-init'],
  ['with an unknown state', 'status: dreaming\n', 0, 'unreadable'],
  ['that refuses the question', '', null, 'unreadable'],
] as const)('the set-up of a machine %s is not read', (_, output, status, setUp) => {
  expect(finished(output, status)).toEqual({ kind: 'over', setUp, detail: null })
})

it('a machine that does not answer in time is asked again', () => {
  expect(readSetUp({ kind: 'timed-out' })).toEqual({ kind: 'waiting', why: 'silent' })
})
