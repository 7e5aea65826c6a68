import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { AgentAccess, type AgentOrder, maxAgentActions, maxAgentCommand } from '#shared/bridge/agent'
import { endNoticeSeconds } from '#shared/bridge/end-rule'
import type { FlavorView } from '#shared/bridge/catalog'
import type { WatchOutcome } from '#shared/bridge/job'
import { FailureError } from '#shared/failure'
import { creationOf, flavorOf } from '../../../test/fixtures/armed-world'
import { publicKey } from '../../../test/fixtures/creation-order'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { looked } from '../../../test/fixtures/last-look'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { planFixture } from '../../../test/fixtures/template'
import { NotItsRule } from '../end-rules/orders'
import { openSettings } from '../store/settings'
import { newPlan, openPlans } from '../templates/plan-book'
import { openAgentBook } from './book'
import { createAgentOrders } from './orders'

const agent = 'coder'
const account = 'abcdefghijkl'
const now = 1_700_000_000

const perHour = { currency: 'USD', millionths: 1_000_000 }
const access = AgentAccess.parse({
  create: true,
  power: true,
  run: true,
  delete: true,
  cap: { ...perHour, millionths: 1_000_000_000 },
})
const creation = (): Extract<AgentOrder, { readonly kind: 'create' }> => ({
  kind: 'create',
  request: randomUUID(),
  identityFile: null,
  machine: { name: 'train', flavor_id: 'f1', image_id: 'i1', ssh_key: { name: 'k', public_key: publicKey } },
})

/** Orders of an agent with every permission, about a machine whose look finds a session. */
async function open(started: WatchOutcome = { kind: 'refused', why: 'no-consent' }) {
  const sent: string[] = []
  const reports: string[] = []
  const clock = fakeClock(now)
  const documents = openSettings(temporaryFolder())
  const book = openAgentBook(documents, clock, () => undefined)
  const plans = openPlans(documents)
  await book.visit(agent)
  await book.setAccess(agent, access)
  const world = {
    /** Whether the agent armed the automatic end. */
    mayChangeEnd: true,
    flavors: (): Promise<readonly FlavorView[]> => Promise.resolve([flavorOf({ id: 'f1', price: perHour })]),
    /** Runs before a creation is sent. */
    beforeCreate: (): Promise<void> => Promise.resolve(),
    /** Runs once it was sent. */
    created: (): Promise<void> => Promise.resolve(),
    dropPlan: plans.drop,
  }
  const send = (kind: string) => () => {
    sent.push(kind)
    return Promise.resolve({ kind: 'done' as const })
  }
  const arm = (): Promise<void> => {
    if (!world.mayChangeEnd) return Promise.reject(new NotItsRule())
    sent.push('arm')
    return Promise.resolve()
  }
  const orders = createAgentOrders(
    {
      clock,
      flavors: () => world.flavors(),
      create: async ({ request }, beforeSending) => {
        await world.beforeCreate()
        beforeSending()
        sent.push('create')
        await world.created()
        return creationOf(request, { kind: 'created', machine: 'm2', found: false })
      },
      fleet: { view: () => undefined },
      actions: { power: send('power'), remove: send('delete') },
      plans: { ...plans, drop: (request) => world.dropPlan(request) },
      ends: { armFor: arm, cancelFor: arm },
      jobs: { watch: () => Promise.resolve(started) },
      look: () => Promise.resolve(looked({ sessions: [{ tool: 'tmux', name: 'train' }] })),
      report: (step) => void reports.push(step),
    },
    book,
    () => Promise.resolve(),
    () => Promise.resolve(true),
  )
  const act = async (order: AgentOrder, gone = new AbortController().signal) =>
    orders.act({ agent, account, order }, gone)
  const actions = () => book.find(agent)?.actions ?? []
  const last = () => actions().at(-1)
  /** A creation with the plan of a template. */
  const planned = async () => {
    const order = creation()
    await plans.change(() => [newPlan(account, order.request, 'train', planFixture({ commands: '' }))])
    return order
  }
  return { act, actions, book, last, planned, plans, reports, sent, world }
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
  await act({ kind: 'run', machine: 'm1', command: 'y '.repeat(2 * maxAgentCommand) })
  expect(last()?.command).toHaveLength(maxAgentCommand)
  // Only whole words are read of a long one, also in quotes.
  const tail = ' z'.repeat(2 * maxAgentCommand)
  await act({ kind: 'run', machine: 'm1', command: `make PASSWORD="abc def${tail}"` })
  expect(last()?.command).toBe('make …')
  await act({ kind: 'run', machine: 'm1', command: 'y'.repeat(3 * maxAgentCommand) })
  expect(last()?.command).toBe('…')
  await act({ kind: 'start', machine: 'm1' })
  expect(last()?.command).toBeNull()
})

it.each<AgentOrder>([
  { kind: 'set-end', machine: 'm1', name: 'train', action: 'stop', when: { kind: 'idle', seconds: 7_200 } },
  { kind: 'cancel-end', machine: 'm1' },
])('$kind is refused if the agent did not arm the automatic end of the machine', async (order) => {
  const { act, last, sent, world } = await open()
  world.mayChangeEnd = false
  expect(await act(order)).toMatchObject({ kind: 'refused', why: 'not-its-end' })
  expect(last()).toMatchObject({ kind: order.kind, result: 'refused', why: 'not-its-end' })
  expect(sent).toEqual([])
})

it.each([
  ['withdrawn', 'withdrawn'],
  ['blocked', 'blocked'],
  ['not allowed', 'not-allowed'],
  ['above the cap', 'above-cap'],
  ['forgotten', 'not-allowed'],
])('a creation that is %s while it waits is not sent, and its plan is dropped', async (how, why) => {
  const { act, book, last, planned, plans, sent, world } = await open()
  const gone = new AbortController()
  world.beforeCreate = async () => {
    expect(last()).toMatchObject({ result: 'sending' })
    if (how === 'withdrawn') gone.abort()
    else if (how === 'blocked') await book.setAccess(agent, { ...access, isBlocked: true })
    else if (how === 'not allowed') await book.setAccess(agent, { ...access, create: false })
    else if (how === 'above the cap') await book.setAccess(agent, { ...access, cap: perHour })
    else await book.drop(agent)
  }
  expect(await act(await planned(), gone.signal)).toMatchObject({ kind: 'refused', why })
  expect(sent).toEqual([])
  expect(plans.all()).toEqual([])
  if (how !== 'forgotten') expect(last()).toMatchObject({ result: 'refused', why })
})

it('a creation that the user allowed is sent although its agent is gone by then', async () => {
  const { act, book, sent, world } = await open()
  await book.setAccess(agent, { ...access, askAbove: { ...perHour, millionths: 1 } })
  const gone = new AbortController()
  world.beforeCreate = () => Promise.resolve(gone.abort())
  expect(await act(creation(), gone.signal)).toMatchObject({ kind: 'done' })
  expect(sent).toEqual(['create'])
})

const offline = new FailureError({ kind: 'offline' })
const forbidden = new FailureError({ kind: 'forbidden' })
it('a plan is dropped if its creation is refused, or fails without effect', async () => {
  const { act, book, planned, plans, world } = await open()
  await book.setAccess(agent, { ...access, create: false })
  await act(await planned())
  expect(plans.all()).toEqual([])
  await book.setAccess(agent, access)
  const { flavors } = world
  world.flavors = () => Promise.reject(offline)
  await expect(act(await planned())).rejects.toBe(offline)
  expect(plans.all()).toEqual([])
  world.flavors = flavors
  world.created = () => Promise.reject(forbidden)
  await expect(act(await planned())).rejects.toBe(forbidden)
  expect(plans.all()).toEqual([])
  world.created = () => Promise.reject(offline)
  await expect(act(await planned())).rejects.toBe(offline)
  expect(plans.all()).toHaveLength(1)
})

it('a refused order keeps the plan of the creation that was sent under its request', async () => {
  const { act, book, planned, plans } = await open()
  const order = await planned()
  await act(order)
  await book.setAccess(agent, { ...access, create: false })
  expect(await act(order)).toMatchObject({ why: 'not-allowed' })
  expect(plans.all()).toHaveLength(1)
})

it('a refusal is listed even if its plan cannot be dropped', async () => {
  const { act, book, last, planned, reports, world } = await open()
  await book.setAccess(agent, { ...access, create: false })
  world.dropPlan = () => Promise.reject(new Error('disk full'))
  expect(await act(await planned())).toMatchObject({ why: 'not-allowed' })
  expect(last()).toMatchObject({ kind: 'create', result: 'refused' })
  expect(reports).toEqual(['agents.save'])
})

it('refused orders push out no action that was carried out, and equal ones count as one', async () => {
  const { act, actions, book, world } = await open()
  for (let at = 0; at < maxAgentActions; at += 1)
    await act({ kind: 'delete', machine: `m${String(at)}`, name: 'train' })
  await book.changeActions((action) => ({ ...action, result: 'done', why: null }))
  const carriedOut = actions()
  const rest = () => actions().slice(carriedOut.length)
  for (let at = 0; at < 5; at += 1) await act({ kind: 'run', machine: 'm1', command: `make ${String(at)}` })
  expect(rest()).toMatchObject([{ why: 'no-consent', command: 'make 4', times: 5 }])
  world.mayChangeEnd = false
  for (let at = 0; at < 5; at += 1) await act({ kind: 'cancel-end', machine: 'm1' })
  await book.setAccess(agent, { ...access, isBlocked: true })
  const hostile = '"'.repeat(16_384)
  for (let at = 0; at < 5; at += 1) await act({ kind: 'run', machine: 'm1', command: hostile + String(at) })
  expect(rest()).toMatchObject([
    { times: 5 },
    { why: 'not-its-end', times: 5 },
    { why: 'blocked', command: null, times: 5 },
  ])
  for (let at = 0; at < 60; at += 1) await act({ kind: 'start', machine: `m${String(at)}` })
  expect(actions().slice(0, carriedOut.length)).toEqual(carriedOut)
  expect(rest()).toHaveLength(50)
  expect(rest().at(-1)).toMatchObject({ kind: 'start', machine: 'm59' })
})
