import { expect, it } from 'vitest'
import { readSetUp } from './set-up'

const answer = (report: string, status: number, log = 'none\n') =>
  readSetUp({
    kind: 'finished',
    stdout: `${report}\nexit ${String(status)}\n${log}\nend\n`,
    stderr: '',
    status: 0,
  })
const finished = (report: string, status: number) => answer(report, status).reading

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
  expect(finished(long('done', 'done', noErrors), 0)).toEqual({
    kind: 'over',
    setUp: 'done',
    detail: null,
    log: null,
  })
  expect(finished('status: done\n', 0)).toEqual({ kind: 'over', setUp: 'done', detail: null, log: null })
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
    log: null,
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
] as const)('the set-up of a machine %s is not read', (_, output, status, setUp) => {
  expect(finished(output, status)).toEqual({ kind: 'over', setUp, detail: null, log: null })
})

it('hostile output without an end is unread, and an error shows no control characters', () => {
  expect(finished('\u0000\u001B]0;x\u0007'.repeat(500_000), 1)).toEqual({
    kind: 'over',
    setUp: 'unreadable',
    detail: null,
    log: null,
  })
  const reading = finished(`status: error\nerrors:\n\t- \u001B[31mx\u0007\u202E${'y'.repeat(1_000_000)}`, 1)
  expect(reading).toMatchObject({ kind: 'over', setUp: 'failed' })
  const detail = reading.kind === 'over' ? (reading.detail ?? '') : ''
  expect(detail).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(detail.length).toBeLessThanOrEqual(300)
})

it('a machine that does not answer in time is asked again', () => {
  expect(readSetUp({ kind: 'timed-out' }).reading).toEqual({ kind: 'waiting', why: 'silent' })
})

it('an error before 23.4 is not the end while cloud-init runs', () => {
  const stdout = 'status: error\n\nexit 1 unfinished\nnone\n\nend\n'
  const { reading } = readSetUp({ kind: 'finished', stdout, stderr: '', status: 0 })
  expect(reading).toEqual({ kind: 'running' })
})

it('an incomplete answer is unreadable', () => {
  const stdout = 'status: done\n\nexit 0\n'
  expect(readSetUp({ kind: 'finished', stdout, stderr: '', status: 0 }).reading).toMatchObject({
    setUp: 'unreadable',
  })
  expect(readSetUp({ kind: 'not-begun', why: 'restricted', said: '' }).reading).toMatchObject({
    setUp: 'unreadable',
  })
})

it('the last 20 lines of the log of a failed set-up are plain text', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${String(index)}`)
  const hostile = '\u001B[31mred\u001B[0m \u001B]0;title\u0007\u202Egpj.exe 10 %\r 20 %'
  const log = `log 9000000\n${[...lines, hostile, 'x'.repeat(30_000)].join('\n')}\n`
  const { reading } = answer('status: error\n', 1, log)
  const shown = reading.kind === 'over' ? (reading.log ?? '').split('\n') : []
  expect(shown).toHaveLength(20)
  expect(shown.at(-3)).toBe('line 29')
  expect(shown.at(-2)).toBe(' 20 %')
  expect(shown.at(-1)).toHaveLength(500)
})

it('the log of a set-up that runs is read with the same answer', () => {
  const { reading, log } = answer('status: running\n', 0, 'log 9\nexit 1\nA\n')
  expect(reading).toEqual({ kind: 'running' })
  expect(log).toEqual({ kind: 'log', text: 'exit 1\nA', isCut: false })
})
