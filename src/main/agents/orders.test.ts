import { expect, it } from 'vitest'
import { AgentAccess, type AgentOrder } from '#shared/bridge/agent'
import { endNoticeSeconds } from '#shared/bridge/end-rule'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { looked } from '../../../test/fixtures/last-look'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { openSettings } from '../store/settings'
import { openAgentBook } from './book'
import { createAgentOrders } from './orders'

const agent = 'coder'
const account = 'abcdefghijkl'
const now = 1_700_000_000

/** Orders of an agent with every permission, about a machine whose look finds a session. */
async function open() {
  const sent: string[] = []
  const clock = fakeClock(now)
  const book = openAgentBook(openSettings(temporaryFolder()), clock, () => undefined)
  await book.visit(agent)
  await book.setAccess(agent, AgentAccess.parse({ power: true, delete: true }))
  const send = (kind: string) => () => {
    sent.push(kind)
    return Promise.resolve({ kind: 'done' as const })
  }
  const orders = createAgentOrders(
    {
      clock,
      flavors: () => Promise.resolve([]),
      create: () => Promise.reject(new Error('not expected')),
      fleet: { view: () => undefined },
      actions: { power: send('power'), remove: send('delete') },
      ends: { arm: send('arm'), cancelOf: () => Promise.resolve() },
      look: () => Promise.resolve(looked({ sessions: [{ tool: 'tmux', name: 'train' }] })),
      report: () => undefined,
    },
    book,
    () => Promise.resolve(),
  )
  const act = async (order: AgentOrder) => orders.act({ agent, account, order })
  return { act, sent }
}

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
