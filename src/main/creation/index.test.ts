import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  connect,
  connectWithToken,
  control,
  requestsTo,
  runSandbox,
  setUp,
} from '../../../test/fixtures/account-harness'
import { openCreation, when } from '../../../test/fixtures/creation-harness'
import { draft, orderFor } from '../../../test/fixtures/creation-order'
import { eagerClock, fakeClock } from '../../../test/fixtures/fake-clock'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { createFleet } from '../fleet/index'

const open = async () => {
  const sandbox = await runSandbox()
  const office = await setUp()
  const { id: account } = await connectWithToken(office, sandbox)
  const service = office.accounts.service(account)
  const order = orderFor(await service.flavors.list(), await service.images.list(), 'train-1')
  const wish = (name = order.name) => ({
    request: randomUUID(),
    account,
    again: [],
    identityFile: null,
    machine: { ...order, name },
  })
  return { sandbox, office, account, service, wish }
}
it('a creation ends with its machine if that is deleted before it runs', async () => {
  const { sandbox, office, account, wish } = await open()
  await control(sandbox, 'POST', '/clock', { held: true })
  const clock = fakeClock(Date.now() / 1000)
  const { accounts } = office
  const fleet = createFleet({ accounts, clock, online: () => true })
  const { harness } = await openCreation({
    accounts,
    clock,
    fleet: { view: fleet.view, known: () => [], onChange: fleet.onChange, refresh: fleet.refresh },
  })
  const { state } = await harness.handlers['machine.create'](wish())
  const machine = 'machine' in state ? state.machine : ''
  await expect.poll(() => fleet.view(account, machine)?.status).toBe('creating')
  await control(sandbox, 'DELETE', `/resources/${machine}`)
  for (let reading = 0; reading < 4; reading += 1) {
    clock.set(clock.now() + 60)
    await fleet.refresh(account)
  }
  await expect.poll(() => harness.list(account)).toEqual([])
  fleet.close()
})

const posts = async (sandbox: Parameters<typeof requestsTo>[0]) =>
  (await requestsTo(sandbox)).filter((request) => request.startsWith('POST /virtual-machines'))

describe('creating a machine', () => {
  it('is followed until it runs, notified once, and lets Connect use its key', async () => {
    const { office, account, wish } = await open()
    const clock = eagerClock()
    const { accounts } = office
    const fleet = createFleet({ accounts, clock, online: () => true })
    const identities: string[] = []
    const { harness, settled } = await openCreation({
      accounts,
      clock,
      fleet: {
        view: fleet.view,
        known: () => [],
        onChange: fleet.onChange,
        refresh: fleet.refresh,
      },
      useIdentity: (_, machine, identityFile) => {
        identities.push(`${machine} ${identityFile}`)
        return Promise.resolve()
      },
    })
    const order = { ...wish(), identityFile: '/home/ada/.ssh/key' }
    const kept = { ...draft('train-1'), request: order.request }
    await harness.handlers['creation.keepDraft']({ account, kind: 'machine', draft: kept })
    const sent = await harness.handlers['machine.create'](order)
    expect(sent.state).toMatchObject({ kind: 'created', found: false })
    const { state } = await when(harness, account, sent.id, 'running')
    const machine = 'machine' in state ? state.machine : ''
    expect(fleet.view(account, machine)).toMatchObject({ name: 'train-1', status: 'running' })
    fleet.close()
    // The notice follows once the last state is stored.
    await expect.poll(() => settled.map(({ name }) => name)).toEqual(['train-1'])
    await expect.poll(() => identities).toEqual([`${machine} /home/ada/.ssh/key`])
    expect(await harness.handlers['creation.draft']({ account, kind: 'machine' })).toBeNull()
  })

  it('reports a refusal unchanged, and leaves nothing to confirm', async () => {
    const { office, account, wish } = await open()
    const { harness } = await openCreation({ accounts: office.accounts, clock: eagerClock() })
    const order = wish()
    await expect(
      harness.handlers['machine.create']({ ...order, machine: { ...order.machine, image_id: 'nowhere' } }),
    ).rejects.toMatchObject({ failure: { kind: 'refused-by-service', field: 'image_id' } })
    expect(harness.list(account)).toEqual([])
    expect((await harness.handlers['machine.create'](order)).state.kind).toBe('created')
  })

  it('sends one draft once, however soon it is submitted again, and asks about the first outcome', async () => {
    const { sandbox, office, account, wish } = await open()
    const { harness } = await openCreation({ accounts: office.accounts, clock: eagerClock() })
    const order = wish()
    const create = harness.handlers['machine.create']
    const question = { failure: { kind: 'invalid-input', field: 'name', reason: 'outcome-open' } }
    const first = create(order)
    expect(harness.list(account)).toMatchObject([{ request: order.request, state: { kind: 'sending' } }])
    await expect(create(order)).rejects.toMatchObject(question)
    await expect(create(wish())).rejects.toMatchObject(question)
    const { id, state } = await first
    expect(state.kind).toBe('created')
    const renamed = { ...order, machine: { ...order.machine, name: 'renamed' } }
    await expect(create(renamed)).rejects.toMatchObject(question)
    await expect(create(wish())).rejects.toMatchObject(question)
    expect(await posts(sandbox)).toHaveLength(1)
    expect((await create({ ...order, again: [id] })).state.kind).toBe('created')
    expect(await posts(sandbox)).toHaveLength(2)
  })

  it('accepts one confirmation for one machine, however often it is pressed and in however many windows', async () => {
    const { sandbox, office, account, wish } = await open()
    const { harness } = await openCreation({ accounts: office.accounts, clock: eagerClock() })
    const create = harness.handlers['machine.create']
    const order = wish()
    const { id } = await create(order)
    const yes = { ...order, again: [id] }
    const answers = await Promise.allSettled([create(yes), create(yes), create({ ...wish(), again: [id] })])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await posts(sandbox)).toHaveLength(2)
    const both = harness.list(account).map((creation) => creation.id)
    expect((await create({ ...order, again: both })).state.kind).toBe('created')
    expect(await posts(sandbox)).toHaveLength(3)
  })

  it('drops its own draft, and no other of the same name', async () => {
    const { office, account, wish } = await open()
    const { harness } = await openCreation({ accounts: office.accounts, clock: eagerClock() })
    const { 'creation.draft': read, 'creation.keepDraft': keep, 'machine.create': create } = harness.handlers
    const order = wish()
    const kept = { ...draft('train-1'), request: order.request }
    await keep({ account, kind: 'machine', draft: draft('train-1') })
    const { id } = await create(order)
    expect(await read({ account, kind: 'machine' })).not.toBeNull()
    await keep({ account, kind: 'machine', draft: kept })
    await create({ ...order, again: [id] })
    expect(await read({ account, kind: 'machine' })).toBeNull()
  })

  it('finds the machine of a lost answer among others of the same time', async () => {
    const { sandbox, office, account, service, wish } = await open()
    const { harness } = await openCreation({ accounts: office.accounts, clock: eagerClock() })
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
    const [lost, other] = await Promise.all([
      harness.handlers['machine.create'](wish('lost')),
      harness.handlers['machine.create'](wish('other')),
    ])
    expect(lost).toMatchObject({ state: { kind: 'looking' }, cause: { kind: 'cannot-connect' } })
    expect(other.state).toMatchObject({ kind: 'created', found: false })
    const { state } = await when(harness, account, lost.id, 'created')
    const filters = [{ key: 'name', op: 'eq' as const, val: 'lost' }]
    const { items } = await service.machines.list({ filters })
    expect(state).toEqual({ kind: 'created', machine: items[0]?.id, found: true })
    expect(items).toHaveLength(1)
  })

  it.each(['not-json', 'status'] as const)(
    'does not treat a gateway’s %s answer as a refusal',
    async (kind) => {
      const { sandbox, office, account, wish } = await open()
      const { harness } = await openCreation({ accounts: office.accounts, clock: eagerClock() })
      await control(sandbox, 'POST', '/faults', {
        kind,
        method: 'POST',
        ...(kind === 'status' && { status: 504 }),
      })
      const { id } = await harness.handlers['machine.create'](wish())
      const { state } = await when(harness, account, id, 'created', 'absent')
      expect(state.kind).toBe(kind === 'status' ? 'absent' : 'created')
    },
  )

  it('waits while the machines cannot be read, and reports why', async () => {
    const { sandbox, office, account, wish } = await open()
    const { harness } = await openCreation({ accounts: office.accounts, clock: eagerClock() })
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
    const sent = harness.handlers['machine.create'](wish())
    const fault = { kind: 'status', status: 503, method: 'GET', path: '/virtual-machines', count: 3 }
    const { id } = await sent
    await control(sandbox, 'POST', '/faults', fault)
    const seen: string[] = []
    harness.onChange(({ creations }) => {
      for (const { state } of creations)
        seen.push(state.kind === 'looking' ? `looking ${state.failure?.kind ?? ''}` : state.kind)
    })
    await when(harness, account, id, 'created')
    expect(seen.filter((state) => state === 'absent')).toEqual([])
  })

  it('remembers an open outcome over a restart', async () => {
    const { sandbox, office, account, service, wish } = await open()
    const bench = await openCreation({
      accounts: office.accounts,
      // The application ends before the first look.
      clock: fakeClock(),
    })
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
    const { id } = await bench.harness.handlers['machine.create'](wish())
    const harness = await bench.restart({ clock: eagerClock() })
    const { state } = await when(harness, account, id, 'created')
    expect(state).toMatchObject({ found: true })
    expect(
      (await service.machines.list({ filters: [{ key: 'name', op: 'eq', val: 'train-1' }] })).items,
    ).toHaveLength(1)
  })

  it('looks for the machine as often while the clock is set back', async () => {
    const { sandbox, office, account, wish } = await open()
    const hasty = eagerClock()
    let setBack = 0
    const pauses: number[] = []
    const after = (seconds: number, task: () => void) => {
      pauses.push(seconds)
      return hasty.after(seconds, task)
    }
    const clock = { ...hasty, now: () => hasty.now() - setBack, after }
    const { harness } = await openCreation({ accounts: office.accounts, clock })
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'before', method: 'POST' })
    const { id } = await harness.handlers['machine.create'](wish())
    setBack = 3_600
    await when(harness, account, id, 'absent')
    expect(pauses.filter((seconds) => seconds === 1).length).toBeLessThanOrEqual(4)
    expect(pauses.filter((seconds) => seconds === 8).length).toBeLessThanOrEqual(8)
  })

  it('can be dismissed while its machine is looked for', async () => {
    const { sandbox, office, account, wish } = await open()
    const clock = fakeClock()
    const { harness } = await openCreation({ accounts: office.accounts, clock })
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'after', method: 'POST' })
    const { id, state } = await harness.handlers['machine.create'](wish())
    expect(state.kind).toBe('looking')
    await harness.handlers['creation.dismiss']({ account, creation: id })
    expect(harness.list(account)).toEqual([])
  })

  it('sends nothing if the disk refuses to store it, and leaves nothing behind', async () => {
    const { sandbox, office, account, wish } = await open()
    const settings = flakySettings()
    const { harness } = await openCreation({
      accounts: office.accounts,
      clock: eagerClock(),
      documents: settings,
    })
    settings.fail(1)
    await expect(harness.handlers['machine.create'](wish())).rejects.toMatchObject({
      failure: { kind: 'disk-full' },
    })
    expect(await posts(sandbox)).toEqual([])
    expect(harness.list(account)).toEqual([])
    expect((await harness.handlers['machine.create'](wish())).state.kind).toBe('created')
  })

  it('continues to look if the disk refuses the result', async () => {
    const { sandbox, office, account, wish } = await open()
    const settings = flakySettings()
    const { harness, reports } = await openCreation({
      accounts: office.accounts,
      clock: eagerClock(),
      documents: settings,
    })
    await control(sandbox, 'POST', '/faults', { kind: 'drop', when: 'before', method: 'POST' })
    // Writes of the open outcome and of the first results.
    settings.fail(3, 4, 5)
    const { id, cause } = await harness.handlers['machine.create'](wish())
    expect(cause).toMatchObject({ kind: 'cannot-connect' })
    await when(harness, account, id, 'absent')
    await expect.poll(() => reports.length).toBe(3)
  })

  it('sends nothing if the account is not signed in', async () => {
    const { sandbox, office, account, wish } = await open()
    const { harness } = await openCreation({ accounts: office.accounts, clock: eagerClock() })
    await office.accounts.handlers['accounts.signOut']({ account })
    await expect(harness.handlers['machine.create'](wish())).rejects.toMatchObject({
      failure: { kind: 'not-signed-in' },
    })
    expect(await posts(sandbox)).toEqual([])
    expect(harness.list(account)).toEqual([])
    await connect(office, sandbox)
  })
})
