import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AgentAccess, type AgentOrder, maxAgents } from '#shared/bridge/agent'
import { agent, cap, openAgents } from '../../../test/fixtures/agents-harness'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { planFixture } from '../../../test/fixtures/template'
import { startModules } from '../../../test/fixtures/modules-harness'

it('a new agent only reads', async () => {
  const { act, creation, creations, machines, seen } = await openAgents()
  const [machine] = machines()
  const target = { machine: machine?.id ?? '', name: machine?.name ?? '' }
  const orders: readonly AgentOrder[] = [
    creation('train'),
    { kind: 'start', ...target },
    { kind: 'stop', ...target },
    { kind: 'delete', ...target },
    { kind: 'set-end', ...target, action: 'stop', when: { kind: 'idle', seconds: 7_200 } },
    { kind: 'cancel-end', ...target },
  ]
  for (const order of orders) expect(await act(order)).toMatchObject({ kind: 'refused', why: 'not-allowed' })
  expect(await creations()).toEqual([])
  const view = await seen()
  expect(view?.actions).toHaveLength(orders.length)
  expect(view?.actions.every(({ result }) => result === 'refused')).toBe(true)
})

it('100 parallel creations stay within the cap', async () => {
  const { act, calls, creation, creations, perHour, seen } = await openAgents()
  const access = AgentAccess.parse({
    create: true,
    cap: { ...perHour, millionths: perHour.millionths * 24 * 3 },
  })
  await calls['agents.allow']({ agent, access })
  const names = Array.from({ length: 100 }, (_, index) => `train-${String(index)}`)
  const answers = await Promise.all(names.map((name) => act(creation(name))))
  expect(answers.filter(({ kind }) => kind === 'done')).toHaveLength(3)
  const refused = answers.filter((answer) => answer.kind === 'refused')
  expect(refused).toHaveLength(97)
  expect(new Set(refused.map((answer) => answer.why))).toEqual(new Set(['above-cap']))
  expect(await creations()).toHaveLength(3)
  const view = await seen()
  expect(view?.counted).toEqual(access.cap)
  expect(view?.actions.filter(({ result }) => result === 'done')).toHaveLength(3)
  expect(
    view?.actions.reduce((sum, { result, times }) => (result === 'refused' ? sum + times : sum), 0),
  ).toBe(97)
})

it('a creation that is withdrawn while it waits for an earlier one of its account is not sent', async () => {
  const { act, calls, creation, creations, onRequest, seen } = await openAgents({
    create: true,
    cap: cap(10_000),
  })
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  let isReached = false
  onRequest((request) => {
    if (!request.startsWith('POST ')) return Promise.resolve()
    isReached = true
    return held
  })
  const first = act(creation('first'))
  await expect.poll(() => isReached).toBe(true)
  const order = creation('second')
  const second = act(order)
  await expect.poll(async () => (await seen())?.actions.length).toBe(2)
  await calls['agents.withdraw']({ request: order.request })
  release()
  expect(await first).toMatchObject({ kind: 'done' })
  expect(await second).toMatchObject({ kind: 'refused', why: 'withdrawn' })
  expect(await creations()).toHaveLength(1)
  expect((await seen())?.actions).toMatchObject([{ result: 'refused', why: 'withdrawn' }, { result: 'done' }])
})

describe('a creation above the limit for questions', () => {
  const asking = async () => {
    const opened = await openAgents()
    const { calls, perHour } = opened
    const limit = { ...perHour, millionths: perHour.millionths - 1 }
    const cap = { ...perHour, millionths: perHour.millionths * 24 }
    await calls['agents.allow']({ agent, access: AgentAccess.parse({ create: true, cap, askAbove: limit }) })
    const questions = () => calls['agents.questions']({})
    const asked = async (count: number): Promise<readonly string[]> => {
      await expect.poll(async () => (await questions()).length).toBe(count)
      return (await questions()).map(({ id }) => id)
    }
    return { ...opened, limit, cap, questions, asked }
  }

  it('is sent once the user allowed it', async () => {
    const { act, asked, calls, creation, creations, perHour, questions } = await asking()
    const answer = act(creation('train'))
    const [id = ''] = await asked(1)
    expect(await questions()).toMatchObject([{ agent, name: 'train', perHour }])
    expect(await creations()).toEqual([])
    await calls['agents.answer']({ id, isAllowed: true })
    expect(await answer).toMatchObject({ kind: 'done' })
    expect(await questions()).toEqual([])
    expect(await creations()).toHaveLength(1)
    await expect(async () => calls['agents.answer']({ id, isAllowed: true })).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'id' },
    })
  })

  it.each([
    ['refuses', false, 'denied'],
    ['does not answer in time', null, 'not-answered'],
  ])('is not sent if the user %s', async (_, isAllowed, why) => {
    const { act, asked, calls, creation, creations, deps, seen } = await asking()
    const answer = act(creation('train'))
    const [id = ''] = await asked(1)
    if (isAllowed === null) deps.clock.advance(120)
    else await calls['agents.answer']({ id, isAllowed })
    expect(await answer).toMatchObject({ kind: 'refused', why })
    expect(await creations()).toEqual([])
    expect((await seen())?.actions).toMatchObject([{ result: 'refused', why }])
  })

  it('is refused while another one of the agent waits for an answer', async () => {
    const { act, asked, calls, creation, creations } = await asking()
    const answer = act(creation('a'))
    const [id = ''] = await asked(1)
    expect(await act(creation('b'))).toMatchObject({ kind: 'refused', why: 'asking' })
    await calls['agents.answer']({ id, isAllowed: true })
    expect(await answer).toMatchObject({ kind: 'done' })
    expect(await creations()).toHaveLength(1)
  })

  it('is not sent if the cap no longer allows it after the answer', async () => {
    const { act, asked, calls, cap, creation, creations, limit } = await asking()
    const answer = act(creation('train'))
    const [id = ''] = await asked(1)
    const smaller = { ...cap, millionths: 1 }
    await calls['agents.allow']({
      agent,
      access: AgentAccess.parse({ create: true, cap: smaller, askAbove: limit }),
    })
    await calls['agents.answer']({ id, isAllowed: true })
    expect(await answer).toMatchObject({ kind: 'refused', why: 'above-cap' })
    expect(await creations()).toEqual([])
  })

  it.each(['blocked', 'forgotten', 'withdrawn', 'without its account'])(
    'is no longer asked about once the agent is %s',
    async (how) => {
      const { account, act, asked, calls, creation, creations, modules, questions } = await asking()
      const order = creation('train')
      const answer = act(order)
      await asked(1)
      if (how === 'blocked')
        await calls['agents.allow']({ agent, access: AgentAccess.parse({ isBlocked: true }) })
      else if (how === 'forgotten') await calls['agents.forget']({ agent })
      else if (how === 'withdrawn') await calls['agents.withdraw']({ request: order.request })
      else await modules.agents.forgetAccount(account)
      const why = how === 'withdrawn' ? how : 'not-answered'
      expect(await answer).toMatchObject({ kind: 'refused', why })
      expect(await questions()).toEqual([])
      expect(await creations()).toEqual([])
      const actions = (await calls['agents.list']({})).flatMap((one) => one.actions)
      if (how === 'without its account') expect(actions).toEqual([])
    },
  )

  it('is asked in another currency than the limit, and not at the limit itself', async () => {
    const { act, asked, calls, cap, creation, limit, perHour } = await asking()
    const access = { create: true, cap, askAbove: { ...limit, currency: 'XTS' } }
    await calls['agents.allow']({ agent, access: AgentAccess.parse(access) })
    const answer = act(creation('train'))
    const [id = ''] = await asked(1)
    await calls['agents.answer']({ id, isAllowed: false })
    await answer
    await calls['agents.allow']({ agent, access: AgentAccess.parse({ ...access, askAbove: perHour }) })
    expect(await act(creation('train'))).toMatchObject({ kind: 'done' })
  })
})

it('a cap survives a restart, and a deleted machine frees it', async () => {
  const first = await openAgents()
  const { account, act, calls, creation, deps, perHour, quit } = first
  const access = { create: true, delete: true, cap: { ...perHour, millionths: perHour.millionths * 24 } }
  await calls['agents.allow']({ agent, access: AgentAccess.parse(access) })
  const created = await act(creation('train'))
  expect(created).toMatchObject({ kind: 'done', machine: expect.any(String) })
  await quit()

  const { calls: later, modules } = startModules(deps)
  await modules.store.open()
  void modules.accounts.start()
  const again = async (order: AgentOrder) => later['agents.act']({ agent, account, order })
  expect(await later['agents.enter']({ agent })).toMatchObject(access)
  await expect
    .poll(() => modules.fleet.snapshot(account)?.machines.length, { timeout: 20_000 })
    .toBeGreaterThan(0)
  expect(await again(creation('other'))).toMatchObject({ kind: 'refused', why: 'above-cap' })
  const machine = created.kind === 'done' ? (created.machine ?? '') : ''
  // A machine of the agent itself needs no look.
  expect(await again({ kind: 'delete', machine, name: 'train' })).toMatchObject({ kind: 'done' })
  expect(await again(creation('other'))).toMatchObject({ kind: 'done' })
})

it('a machine whose creation was cut off by a crash is found, and counts as long as it exists', async () => {
  const first = await openAgents()
  const { account, calls, creation, deps, perHour } = first
  const access = { create: true, cap: { ...perHour, millionths: perHour.millionths * 24 } }
  await calls['agents.allow']({ agent, access: AgentAccess.parse(access) })
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-agents-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  first.onCreated(() => cp(deps.folder, folder, { recursive: true }))
  await first.act(creation('train'))
  // A start with the files as they were when the service had created the machine, but had not answered yet.
  const clock = fakeClock(deps.clock.now())
  const { calls: later, modules } = startModules({ ...deps, folder, clock })
  await modules.store.open()
  void modules.accounts.start()
  await modules.creation.start()
  await expect
    .poll(
      async () => {
        clock.advance(1)
        return (await later['agents.list']({}))[0]?.actions[0]
      },
      { timeout: 20_000 },
    )
    .toMatchObject({ kind: 'create', result: 'done', machine: expect.any(String) })
  expect((await later['agents.list']({}))[0]?.counted).toEqual(access.cap)
  expect(await later['agents.act']({ agent, account, order: creation('other') })).toMatchObject({
    why: 'above-cap',
  })
})

it('creations without a cap, a price or the currency of the cap are refused', async () => {
  const { act, calls, creation } = await openAgents({ create: true })
  expect(await act(creation('train'))).toMatchObject({ why: 'no-cap' })
  const other = AgentAccess.parse({ create: true, cap: { currency: 'XTS', millionths: 1_000_000_000 } })
  await calls['agents.allow']({ agent, access: other })
  expect(await act(creation('train'))).toMatchObject({ why: 'other-currency' })
  await calls['agents.allow']({ agent, access: AgentAccess.parse({ create: true, cap: cap(1_000) }) })
  const order = creation('train')
  const unknown = { ...order, machine: { ...order.machine, flavor_id: 'unknown' } }
  expect(await act(unknown)).toMatchObject({ why: 'no-price' })
})

it('a deletion needs its own permission, the name, and a look at machines of others', async () => {
  const { act, calls, machines } = await openAgents({ power: true })
  const machine = machines().find(({ status }) => /active|running/i.test(status ?? ''))
  const target = { machine: machine?.id ?? '', name: machine?.name ?? '' }
  const end = { kind: 'at', at: Math.floor(Date.now() / 1000) + 7_200 } as const
  expect(await act({ kind: 'delete', ...target })).toMatchObject({ why: 'not-allowed' })
  expect(await act({ kind: 'set-end', ...target, action: 'delete', when: end })).toMatchObject({
    why: 'not-allowed',
  })
  expect(await act({ kind: 'set-end', ...target, action: 'stop', when: end })).toMatchObject({ kind: 'done' })
  expect(await act({ kind: 'cancel-end', ...target })).toMatchObject({ kind: 'done' })
  await calls['agents.allow']({ agent, access: AgentAccess.parse({ delete: true }) })
  expect(await act({ kind: 'delete', ...target })).toMatchObject({ why: 'not-looked' })
})

it('an agent changes only automatic ends that it armed, and a stop changes none', async () => {
  const { account, act, calls, machines, seen } = await openAgents({ power: true })
  const machine = machines().find(({ status }) => /active|running/i.test(status ?? ''))
  const target = { machine: machine?.id ?? '', name: machine?.name ?? '' }
  const stopAfter = (seconds: number): AgentOrder => ({
    kind: 'set-end',
    ...target,
    action: 'stop',
    when: { kind: 'at', at: Math.floor(Date.now() / 1000) + seconds },
  })
  const rules = async () => calls['endRules.list']({ account })
  expect(await act(stopAfter(7_200))).toMatchObject({ kind: 'done' })
  expect(await act(stopAfter(3_600))).toMatchObject({ kind: 'done' })
  expect(await rules()).toMatchObject([{ machine: target.machine, agent }])

  const when = { kind: 'idle', seconds: 7_200 } as const
  await calls['endRules.arm']({ account, ...target, action: 'delete', when })
  const [armed] = await rules()
  expect(armed).toMatchObject({ action: 'delete', agent: null })
  for (const order of [stopAfter(3_600), { kind: 'cancel-end', ...target } as const])
    expect(await act(order)).toMatchObject({ kind: 'refused', why: 'not-its-end' })
  expect(await act({ kind: 'stop', machine: target.machine })).toMatchObject({ kind: 'done' })
  expect(await rules()).toEqual([armed])
  const { actions = [] } = (await seen()) ?? {}
  expect(actions.map(({ kind, result }) => `${kind} ${result}`)).toEqual([
    'stop done',
    'cancel-end refused',
    'set-end refused',
    'set-end done',
    'set-end done',
  ])
})

describe('a creation from a template', () => {
  const limit = { create: true, cap: cap(10_000) }

  it('does the work of the template on its machine, but arms no end and allows no SSH', async () => {
    const { account, act, calls, creation, deps, machines, seen } = await openAgents(limit)
    const end = { action: 'stop', when: { kind: 'after', seconds: 7_200 } } as const
    const plan = planFixture({ commands: '', volumes: [], end })
    const order = creation('train')
    const { request } = order
    await calls['plans.prepare']({ account, request, name: 'train', plan, confirmedName: null })
    const created = await act(order)
    const machine = created.kind === 'done' ? (created.machine ?? '') : ''
    await expect
      .poll(
        async () => {
          deps.clock.advance(5)
          await calls['fleet.refresh']({ account })
          const steps = (await calls['plans.list']({ account })).flatMap((each) => each.steps)
          return machines().some(({ id }) => id === machine) && steps.length === 0
        },
        { timeout: 20_000 },
      )
      .toBe(true)
    const page = { limit: 200, offset: 0, sortField: 'created_at', sortOrder: 'asc' } as const
    const { rules } = await calls['firewall.list']({ account, machine, ...page })
    expect(rules.some(({ portMin }) => portMin === 8888)).toBe(true)
    expect(await calls['endRules.list']({ account })).toEqual([])
    expect((await calls['ssh.connection']({ account, machine })).settings.user).toBe('anna')
    expect((await seen())?.actions).toMatchObject([{ kind: 'create', result: 'done', machine }])
  })

  it('with commands is refused without the permission to run commands, before the user is asked', async () => {
    const access = { ...limit, askAbove: { currency: 'USD', millionths: 1 } }
    const { account, act, calls, creation, creations, seen } = await openAgents(access)
    const order = creation('train')
    const { request } = order
    const plan = planFixture({ isEndArmed: false })
    const prepare = async () =>
      calls['plans.prepare']({ account, request, name: 'train', plan, confirmedName: null })
    await prepare()
    expect(await act(order)).toMatchObject({ kind: 'refused', why: 'template-commands' })
    expect(await calls['agents.questions']({})).toEqual([])
    expect(await creations()).toEqual([])
    expect((await seen())?.actions).toMatchObject([{ result: 'refused', why: 'template-commands' }])
    await calls['agents.allow']({ agent, access: AgentAccess.parse({ ...access, run: true }) })
    await prepare()
    const answer = act(order)
    await expect.poll(async () => calls['agents.questions']({})).toMatchObject([{ template: 'Training' }])
    const [question] = await calls['agents.questions']({})
    await calls['agents.answer']({ id: question?.id ?? '', isAllowed: true })
    expect(await answer).toMatchObject({ kind: 'done' })
  })
})

it('a blocked agent does nothing, and a forgotten one only reads', async () => {
  const { act, calls, creation, seen } = await openAgents({ create: true, cap: cap(10_000), isBlocked: true })
  expect(await calls['agents.enter']({ agent })).toMatchObject({ isBlocked: true })
  expect(await act(creation('train'))).toMatchObject({ why: 'blocked' })
  await calls['agents.forget']({ agent })
  expect(await seen()).toBeUndefined()
  expect(await calls['agents.enter']({ agent })).toEqual(AgentAccess.parse({}))
})

it('agents beyond the limit are not remembered, and equal refusals are counted', async () => {
  const { act, calls, creation, seen } = await openAgents()
  for (let at = 0; at < maxAgents + 5; at += 1) await calls['agents.enter']({ agent: `agent ${String(at)}` })
  expect(await calls['agents.list']({})).toHaveLength(maxAgents)
  for (let at = 0; at < 5; at += 1) await act(creation('train'))
  expect((await seen())?.actions).toMatchObject([{ times: 5, why: 'not-allowed' }])
})
