import { describe, expect, it } from 'vitest'
import type { JobState } from '#shared/bridge/job'
import type { Answer } from '#shared/bridge/index'
import { account, answers, job, openShell } from '../../../test/fixtures/command-line'
import { newPart } from './jobs'

/** A shell whose application reports these states and logs of a job, one after another; null: no answer. */
function openJob(states: readonly JobState[], logs: readonly (string | null)[]) {
  const [statesLeft, logsLeft] = [[...states], [...logs]]
  return openShell({
    answer: (name): Promise<Answer> => {
      if (name === 'jobs.list')
        return Promise.resolve({
          ok: true,
          value: [job({ state: statesLeft.shift() ?? { kind: 'running' } })],
        })
      if (name !== 'jobs.log') return Promise.resolve({ ok: true, value: answers[name] })
      const text = logsLeft.shift()
      const value =
        typeof text === 'string'
          ? { kind: 'log', text, isCut: false }
          : { kind: 'stopped', state: { kind: 'lost' } }
      return Promise.resolve({ ok: true, value })
    },
  })
}
const running = { kind: 'running' } as const
const failed = { kind: 'ended', at: 1_700_000_200, code: 3 } as const

describe('jobs', () => {
  it('lists the jobs of a machine with their exit codes', async () => {
    const { run, output } = await openShell({
      stubs: { ...answers, 'jobs.list': [job({ state: failed }), job({ machine: 'm2', name: 'other' })] },
    })
    expect(await run('jobs', 'train-01')).toBe(0)
    expect(output).toHaveLength(2)
    expect(output[1]).toMatch(
      /^aaaaaaaaaaaaaaaa {2}train-01 {2}python train\.py {2}Ended with exit code 3 {2}2023-/,
    )
    expect(await run('jobs', '--json')).toBe(0)
    expect(JSON.parse(output[2] ?? '')).toMatchObject({
      jobs: [{ state: 'ended', code: 3 }, { name: 'other' }],
    })
  })

  it('reports an empty list', async () => {
    const { run, output } = await openShell({ stubs: { ...answers, 'jobs.list': [] } })
    expect(await run('jobs')).toBe(0)
    expect(output).toEqual(['No jobs. Start or watch one in the window.'])
  })
})

describe('logs', () => {
  it('prints the end of a log, without control characters', async () => {
    const { run, output } = await openJob([running], ['step 1\n\u001B[31mstep 2\n'])
    expect(await run('logs', 'python train.py')).toBe(0)
    expect(output).toEqual(['step 1', ' [31mstep 2'])
  })

  it('follows a log until the job ends, through a machine that does not answer', async () => {
    const logs = ['step 1\nst', null, 'step 1\nstep 2\n', 'step 1\nstep 2\nerror']
    const { run, output, errors } = await openJob([running, running, running, failed], logs)
    expect(await run('logs', 'aaaaaaaaaaaaaaaa', '--follow')).toBe(0)
    expect(output).toEqual(['step 1', 'step 2', 'error'])
    expect(errors).toEqual(['Ended with exit code 3'])
  })

  it('fails for an unknown job, and for a machine that does not answer', async () => {
    expect(await (await openJob([running], [])).run('logs', 'other')).toBe(5)
    const { run, errors } = await openJob([running], [null])
    expect(await run('logs', 'python train.py')).toBe(1)
    expect(errors).toEqual(['train-01 didn’t respond over SSH.'])
  })
})

it.each([
  ['', 'a\n', 'a\n'],
  ['a\n', 'a\nb\n', 'b\n'],
  ['a\nb\n', 'b\nc\n', 'b\nc\n'],
  [`${'x'.repeat(300)}end`, `${'x'.repeat(250)}end, more`, ', more'],
  ['a', 'wholly other', 'wholly other'],
])('the new part after %j in %j is %j', (before, after, part) => expect(newPart(before, after)).toBe(part))

it('a machine is ended when its job is done', async () => {
  const rule = {
    id: 'r',
    account: account.id,
    machine: 'm1',
    name: 'train-01',
    action: 'stop',
    when: { kind: 'job', job: 'aaaaaaaaaaaaaaaa', name: 'python train.py' },
    armedAt: 1,
    agent: null,
    notBefore: 1,
    state: { kind: 'armed' },
    dueAt: null,
  }
  const stubs = { ...answers, 'jobs.list': [job()], 'endRules.arm': rule }
  const { run, calls } = await openShell({ stubs })
  expect(await run('end', 'train-01', '--when-done', 'python train.py')).toBe(0)
  expect(calls.find(([name]) => name === 'endRules.arm')?.[1]).toMatchObject({ when: rule.when })
  expect(await run('end', 'eval', '--when-done', 'python train.py')).toBe(5)
})
