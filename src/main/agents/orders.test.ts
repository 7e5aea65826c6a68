import { expect, it } from 'vitest'
import { AgentAccess, type AgentOrder, maxAgentCommand } from '#shared/bridge/agent'
import { endNoticeSeconds } from '#shared/bridge/end-rule'
import type { WatchOutcome } from '#shared/bridge/job'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { looked } from '../../../test/fixtures/last-look'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { NotItsRule } from '../end-rules/orders'
import { openSettings } from '../store/settings'
import { openPlans } from '../templates/plan-book'
import { openAgentBook } from './book'
import { createAgentOrders } from './orders'

const agent = 'coder'
const account = 'abcdefghijkl'
const now = 1_700_000_000

/**
 * Orders of an agent with every permission, about a machine whose look finds a session. `mayChangeEnd`: whether the agent armed
 * its automatic end.
 */
async function open(started: WatchOutcome = { kind: 'refused', why: 'no-consent' }, mayChangeEnd = true) {
  const sent: string[] = []
  const clock = fakeClock(now)
  const documents = openSettings(temporaryFolder())
  const book = openAgentBook(documents, clock, () => undefined)
  await book.visit(agent)
  await book.setAccess(agent, AgentAccess.parse({ power: true, run: true, delete: true }))
  const send = (kind: string) => () => {
    sent.push(kind)
    return Promise.resolve({ kind: 'done' as const })
  }
  const arm = (): Promise<void> => {
    if (!mayChangeEnd) return Promise.reject(new NotItsRule())
    sent.push('arm')
    return Promise.resolve()
  }
  const orders = createAgentOrders(
    {
      clock,
      flavors: () => Promise.resolve([]),
      create: () => Promise.reject(new Error('not expected')),
      fleet: { view: () => undefined },
      actions: { power: send('power'), remove: send('delete') },
      plans: openPlans(documents),
      ends: { armFor: arm, cancelFor: arm },
      jobs: { watch: () => Promise.resolve(started) },
      look: () => Promise.resolve(looked({ sessions: [{ tool: 'tmux', name: 'train' }] })),
      report: () => undefined,
    },
    book,
    () => Promise.resolve(),
    () => Promise.reject(new Error('not expected')),
  )
  const act = async (order: AgentOrder) => orders.act({ agent, account, order }, new AbortController().signal)
  const last = () => book.find(agent)?.actions.at(-1)
  return { act, sent, last }
}

const timedOut = { kind: 'timed-out', seconds: 20 } as const
it.each<[string, WatchOutcome, object, string]>([
  ['not started', { kind: 'failed', reason: 'no sh' }, { kind: 'not-started', reason: 'no sh' }, 'failed'],
  ['not allowed', { kind: 'refused', why: 'no-consent' }, { kind: 'refused', why: 'no-consent' }, 'refused'],
  ['one of too many', { kind: 'refused', why: 'too-many' }, { why: 'too-many-jobs' }, 'refused'],
  ['never sent', { kind: 'stopped', state: timedOut }, { why: 'not-reached' }, 'refused'],
  [
    'without answer',
    { kind: 'stopped', state: { ...timedOut, mayRun: true } },
    { kind: 'unknown' },
    'unknown',
  ],
  ['cut off', { kind: 'stopped', state: { kind: 'lost' } }, { kind: 'unknown' }, 'unknown'],
  [
    'answered by something else',
    { kind: 'stopped', state: { kind: 'exited', code: 0 } },
    { kind: 'unknown' },
    'unknown',
  ],
])('a command that is %s is answered and remembered as such', async (_, started, answer, result) => {
  const { act, last } = await open(started)
  expect(await act({ kind: 'run', machine: 'm1', command: 'make' })).toMatchObject(answer)
  expect(last()?.result).toBe(result)
})

it('an automatic stop without notice is refused as a stop is, if the look finds work', async () => {
  const { act, sent } = await open()
  const stopAt = (seconds: number): AgentOrder => ({
    kind: 'set-end',
    machine: 'm1',
    name: 'train',
    action: 'stop',
    when: { kind: 'at', at: now + seconds },
  })
  expect(await act({ kind: 'stop', machine: 'm1' })).toMatchObject({ why: 'would-lose' })
  expect(await act(stopAt(1))).toMatchObject({ why: 'would-lose' })
  expect(await act(stopAt(endNoticeSeconds - 1))).toMatchObject({ why: 'would-lose' })
  expect(sent).toEqual([])
  expect(await act(stopAt(endNoticeSeconds))).toMatchObject({ kind: 'done' })
  expect(sent).toEqual(['arm'])
})

it('a command is remembered without values that look secret, and cut', async () => {
  const { act, last } = await open()
  const secret = 'hf_abcdefghijklmnopqrstuvwxyz'
  await act({ kind: 'run', machine: 'm1', command: `HF_TOKEN=${secret} python train.py\nls` })
  expect(last()?.command).toBe('HF_TOKEN=••• python train.py\nls')
  // Masked before it is cut: the start of a secret must not stay at the end.
  const long = `${'x'.repeat(maxAgentCommand - 10)} ${secret}`
  await act({ kind: 'run', machine: 'm1', command: long })
  expect(last()?.command).toBe(`${'x'.repeat(maxAgentCommand - 10)} •••`)
  await act({ kind: 'run', machine: 'm1', command: 'y'.repeat(3 * maxAgentCommand) })
  expect(last()?.command).toHaveLength(maxAgentCommand)
  await act({ kind: 'start', machine: 'm1' })
  expect(last()?.command).toBeNull()
})

it.each<AgentOrder>([
  { kind: 'set-end', machine: 'm1', name: 'train', action: 'stop', when: { kind: 'idle', seconds: 7_200 } },
  { kind: 'cancel-end', machine: 'm1' },
])('$kind is refused if the agent did not arm the automatic end of the machine', async (order) => {
  const { act, last, sent } = await open(undefined, false)
  expect(await act(order)).toMatchObject({ kind: 'refused', why: 'not-its-end' })
  expect(last()).toMatchObject({ kind: order.kind, result: 'refused', why: 'not-its-end' })
  expect(sent).toEqual([])
})
