import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SshPurpose } from '#shared/bridge/ssh'
import type { FleetChange } from '#shared/bridge/fleet'
import { translate } from '#shared/messages/index'
import type { SshLink } from '#shared/bridge/ssh-link'
import { connectWithToken, control, runSandbox, setUp } from '../../../test/fixtures/account-harness'
import { openCreation } from '../../../test/fixtures/creation-harness'
import { orderFor } from '../../../test/fixtures/creation-order'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { scriptedLeases } from '../../../test/fixtures/scripted-leases'
import { machine as machineView } from '../../../test/fixtures/ssh-harness'
import { yieldToEventLoop } from '../core/clock'
import type { ExecOutcome } from '../ssh/client/transport'
import { settledText } from './notice'

const setUpIs = (text: string, status = 0, log = 'none'): ExecOutcome => ({
  kind: 'finished',
  stdout: `status: ${text}\n\nexit ${String(status)}\n${log}\n\nend\n`,
  stderr: '',
  status: 0,
})
const refused: SshLink = { kind: 'stopped', stop: { kind: 'key-refused', user: 'u', host: 'h', keys: [] } }
const unanswered: SshLink = { kind: 'waiting', until: 0, attempts: 1, reason: 'ECONNREFUSED' }

/** A machine that is being created. The test sets its status, its SSH link, its set-up and the user's consent. */
async function created() {
  const sandbox = await runSandbox()
  const office = await setUp()
  const { id: account } = await connectWithToken(office, sandbox)
  const service = office.accounts.service(account)
  const order = orderFor(await service.flavors.list(), await service.images.list(), 'train-1')
  const clock = fakeClock(1_800_000_000)
  let outcome = setUpIs('running')
  let status: string | null = 'creating'
  let isAllowed = false
  const leases = scriptedLeases(() => outcome)
  const listeners = new Set<(change: FleetChange) => void>()
  const consentListeners = new Set<() => void>()
  const view = () => (status === null ? undefined : machineView({ status }))
  const consents = {
    has: (_: string, __: string, purpose: SshPurpose) => isAllowed && purpose === 'startup',
    hasAll: () => isAllowed,
    onChange(
      listener: (change: { account: string; machines: null; purposes: readonly SshPurpose[] }) => void,
    ) {
      consentListeners.add(() => listener({ account, machines: null, purposes: ['startup'] }))
      return () => undefined
    },
  }
  const bench = await openCreation({
    accounts: office.accounts,
    clock,
    sshMachines: leases,
    consents,
    machine: view,
    fleet: {
      view,
      known: () => [],
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      refresh: () => Promise.resolve(),
    },
  })
  const request = { request: randomUUID(), account, again: [], identityFile: null, machine: order }
  const { id } = await bench.harness.handlers['machine.create'](request)
  let asOf = 0
  const creation = () => bench.harness.list(account).find((candidate) => candidate.id === id)
  const one = { account, creation: id }
  return {
    ...bench,
    sandbox,
    account,
    clock,
    leases,
    creation,
    order,
    one,
    state: () => creation()?.state,
    connect: () => creation()?.connect,
    call: bench.harness.handlers,
    answerSetUp: (next: ExecOutcome) => void (outcome = next),
    allow(allowed: boolean) {
      isAllowed = allowed
      for (const listener of consentListeners) listener()
    },
    /** Reads the list of machines; null: the machine is not listed. */
    async read(next: string | null) {
      status = next
      asOf += 1
      const list = { asOf, reading: false, total: 1, failure: null }
      const change = { account, revision: asOf, upserts: [], removes: [], status: list }
      for (const listener of listeners) listener(change)
      await new Promise(setImmediate)
    },
  }
}
const wishOf = (
  bench: Awaited<ReturnType<typeof created>>,
  isWanted = true,
  wish: 'connect' | 'services' = 'connect',
) => bench.call['creation.wish']({ ...bench.one, wish, isWanted })

describe('with consent, a created machine', () => {
  it('boots until SSH answers, is set up until cloud-init is done, and is reported once', async () => {
    const bench = await created()
    bench.allow(true)
    await bench.read('running')
    expect(bench.state()).toMatchObject({ kind: 'booting' })
    bench.leases.follow(unanswered)
    expect(bench.creation()).toMatchObject({ state: { kind: 'booting' }, link: unanswered })
    bench.leases.follow({ kind: 'connecting' })
    expect(bench.creation()?.link).toEqual(unanswered)
    expect(bench.settled).toEqual([])
    bench.leases.follow({ kind: 'connected' })
    expect(bench.state()).toMatchObject({ kind: 'setting-up' })
    await expect.poll(bench.clock.waits).toContain(10)
    bench.answerSetUp(setUpIs('done'))
    bench.clock.advance(10)
    await expect.poll(bench.state).toMatchObject({ kind: 'ready', setUp: 'done' })
    expect(bench.settled.map(({ state }) => state.kind)).toEqual(['ready'])
    expect(bench.leases.purposes()).toEqual([])
  })

  it('has the error of a failed set-up', async () => {
    const bench = await created()
    bench.allow(true)
    await bench.read('running')
    bench.answerSetUp(setUpIs('error\ndetail:\nRunparts: 1 failures', 1))
    bench.leases.follow({ kind: 'connected' })
    await expect
      .poll(bench.state)
      .toMatchObject({ kind: 'ready', setUp: 'failed', detail: 'Runparts: 1 failures' })
  })

  it('shows the log of its set-up while it runs, with the state of the same reading', async () => {
    const bench = await created()
    bench.allow(true)
    await bench.read('running')
    bench.answerSetUp(setUpIs('not started'))
    bench.leases.follow({ kind: 'connected' })
    await expect.poll(bench.clock.waits).toContain(10)
    expect(bench.state()).toMatchObject({ kind: 'setting-up', hasBegun: false })
    const log = () => bench.call['creation.log'](bench.one)
    bench.answerSetUp(setUpIs('running', 0, 'log 3\napt'))
    expect(await log()).toEqual({ kind: 'log', text: 'apt', isCut: false })
    expect(bench.state()).toMatchObject({ kind: 'setting-up', hasBegun: true })
    expect(bench.clock.waits().filter((seconds) => seconds === 10)).toHaveLength(1)
    bench.leases.lose(unanswered)
    expect(await log()).toMatchObject({ kind: 'stopped' })
    bench.leases.follow({ kind: 'connected' })
    bench.answerSetUp(setUpIs('error', 1, 'log 4\nboom'))
    expect(await log()).toMatchObject({ kind: 'log', text: 'boom' })
    expect(bench.state()).toMatchObject({ kind: 'ready', setUp: 'failed', log: 'boom' })
    expect(await log()).toEqual({ kind: 'none' })
  })

  it('keeps waiting if its keys arrive after its SSH server, and needs the user if they never do', async () => {
    const bench = await created()
    bench.allow(true)
    await bench.read('running')
    bench.leases.follow(refused)
    bench.clock.advance(140)
    expect(bench.state()).toMatchObject({ kind: 'booting' })
    bench.clock.advance(20)
    expect(bench.state()).toMatchObject({ kind: 'running', ssh: 'blocked' })
  })

  it('is reported as silent after 15 minutes, and can be checked again', async () => {
    const bench = await created()
    bench.allow(true)
    await bench.read('running')
    bench.clock.advance(15 * 60)
    expect(bench.state()).toMatchObject({ kind: 'running', ssh: 'silent' })
    await bench.call['creation.check'](bench.one)
    expect(bench.state()).toMatchObject({ kind: 'booting' })
  })

  it('ends with the set-up unread if the user withdraws the consent', async () => {
    const bench = await created()
    bench.allow(true)
    await bench.read('running')
    bench.leases.follow({ kind: 'connected' })
    bench.allow(false)
    expect(bench.state()).toMatchObject({ kind: 'ready', setUp: 'not-allowed' })
    expect(bench.leases.purposes()).toEqual([])
  })
})

describe('a set-up that is not read', () => {
  it.each([
    ['still runs after an hour', setUpIs('running'), 'too-long', 60],
    ['does not start for 2 minutes', setUpIs('not started'), 'not-started', 2],
    ['is not reported for 6 minutes', { kind: 'timed-out' }, 'silent', 6],
    ['has no cloud-init', setUpIs('', 127), 'no-cloud-init', 0],
  ] as const)('is not reported as done if it %s', async (_, outcome, setUp, minutes) => {
    const bench = await created()
    bench.allow(true)
    await bench.read('running')
    bench.answerSetUp(outcome)
    bench.leases.follow({ kind: 'connected' })
    await yieldToEventLoop()
    const answeredAt = bench.clock.now()
    while (bench.state()?.kind === 'setting-up') {
      bench.clock.advance(10)
      await yieldToEventLoop()
    }
    expect(bench.state()).toMatchObject({ kind: 'ready', setUp })
    expect(bench.clock.now() - answeredAt).toBe(minutes * 60)
    const [notified, ...others] = bench.settled.map((creation) => settledText(creation, translate))
    expect(others).toEqual([])
    expect(notified).toEqual({
      title: translate('creation.states.answers', { name: 'train-1' }),
      body: translate(`creation.texts.setUp.${setUp}`),
      isGoodNews: false,
    })
  })
})

describe('a set-up whose connection is lost', () => {
  const hostKey: SshLink = {
    kind: 'stopped',
    stop: { kind: 'host-key-changed', host: 'h', known: 'SHA256:a', offered: 'SHA256:b' },
  }
  it.each([
    ['is silent at once if the host key changed', 'running', hostKey, 0, 'silent'],
    ['is silent after an hour if it was not running', 'not started', unanswered, 60, 'silent'],
    ['runs too long after an hour if it was running', 'running', unanswered, 60, 'too-long'],
  ] as const)('%s', async (_, report, link, minutes, setUp) => {
    const bench = await created()
    bench.allow(true)
    await bench.read('running')
    bench.answerSetUp(setUpIs(report))
    bench.leases.follow({ kind: 'connected' })
    await expect.poll(bench.clock.waits).toContain(10)
    bench.leases.lose(link)
    bench.clock.advance(minutes * 60)
    expect(bench.state()).toMatchObject({ kind: 'ready', setUp })
    expect(bench.settled).toHaveLength(1)
    expect(bench.leases.purposes()).toEqual([])
  })
})

it('a set-up that ran runs too long after an hour, although a later report timed out', async () => {
  const bench = await created()
  bench.allow(true)
  await bench.read('running')
  bench.leases.follow({ kind: 'connected' })
  await expect.poll(bench.clock.waits).toContain(10)
  bench.answerSetUp({ kind: 'timed-out' })
  bench.clock.advance(10)
  await yieldToEventLoop()
  bench.leases.lose(unanswered)
  bench.clock.advance(60 * 60)
  expect(bench.state()).toMatchObject({ kind: 'ready', setUp: 'too-long' })
})

describe('without consent, a created machine', () => {
  it('is not connected to, until the user checks it', async () => {
    const bench = await created()
    await bench.read('running')
    expect(bench.state()).toMatchObject({ kind: 'running', ssh: 'unchecked' })
    expect(bench.settled).toHaveLength(1)
    expect(bench.leases.purposes()).toEqual([])
    await bench.call['creation.check'](bench.one)
    expect(bench.state()).toMatchObject({ kind: 'booting' })
    expect(bench.leases.purposes()).toEqual(['action'])
    bench.leases.follow({ kind: 'connected' })
    expect(bench.state()).toMatchObject({ kind: 'ready', setUp: 'not-allowed' })
    expect(bench.leases.purposes()).toEqual([])
  })

  it('answers with a host key that the user has not confirmed', async () => {
    const bench = await created()
    await bench.read('running')
    await bench.call['creation.check'](bench.one)
    bench.leases.follow({ kind: 'host-key-unknown', host: 'h', type: 'ssh-ed25519', fingerprint: 'SHA256:x' })
    expect(bench.state()).toMatchObject({ kind: 'ready', setUp: 'host-key' })
  })
})

describe('a wish to connect', () => {
  it('opens one terminal when SSH answers, and replaces the notification', async () => {
    const bench = await created()
    bench.harness.windowChanged(true)
    await wishOf(bench)
    await bench.read('running')
    expect(bench.leases.purposes()).toEqual(['action'])
    const take = () => bench.call['creation.takeWish']({ ...bench.one, wish: 'connect', isFocused: true })
    expect(await take()).toBe(false)
    bench.leases.follow({ kind: 'connected' })
    expect(bench.connect()).toBe('due')
    expect([await take(), await take()]).toEqual([true, false])
    expect(bench.settled).toEqual([])
  })

  it('is notified if the window that opens the terminal has no focus', async () => {
    const bench = await created()
    bench.harness.windowChanged(true)
    await wishOf(bench)
    await bench.read('running')
    bench.leases.follow({ kind: 'connected' })
    expect(await bench.call['creation.takeWish']({ ...bench.one, wish: 'connect', isFocused: false })).toBe(
      true,
    )
    expect(bench.settled.map(({ connect }) => connect)).toEqual(['due'])
  })

  it('is notified if no window can open the terminal', async () => {
    const bench = await created()
    bench.harness.windowChanged(false)
    await wishOf(bench)
    await bench.read('running')
    bench.leases.follow({ kind: 'connected' })
    expect(bench.settled.map(({ state }) => state.kind)).toEqual(['ready'])
  })

  it('can be cancelled, which ends the connection', async () => {
    const bench = await created()
    await wishOf(bench)
    await bench.read('running')
    await wishOf(bench, false)
    expect(bench.leases.purposes()).toEqual([])
    expect(bench.creation()).toMatchObject({ connect: 'none', state: { kind: 'running', ssh: 'unchecked' } })
  })

  it('opens the terminal if the server refuses the keys for good, since a terminal can ask', async () => {
    const bench = await created()
    await wishOf(bench)
    await bench.read('running')
    bench.leases.follow(refused)
    bench.clock.advance(150)
    expect(bench.creation()).toMatchObject({ connect: 'due', state: { kind: 'running', ssh: 'blocked' } })
  })

  it('ends if the user name is unknown, so that no server was asked', async () => {
    const bench = await created()
    await wishOf(bench)
    await bench.read('running')
    bench.leases.follow({ kind: 'stopped', stop: { kind: 'no-user' } })
    expect(bench.creation()).toMatchObject({ connect: 'ended', state: { kind: 'running', ssh: 'blocked' } })
  })

  it('continues after a restart', async () => {
    const bench = await created()
    await wishOf(bench)
    await bench.read('running')
    const harness = await bench.restart({})
    expect(harness.list(bench.account)).toMatchObject([{ connect: 'waiting', state: { kind: 'booting' } }])
    bench.leases.follow({ kind: 'connected' })
    expect(harness.list(bench.account)).toMatchObject([{ connect: 'due', state: { kind: 'ready' } }])
  })

  it('ends with the reason if the creation fails', async () => {
    const bench = await created()
    await wishOf(bench)
    await bench.read('error')
    expect(bench.creation()).toMatchObject({ connect: 'ended', state: { kind: 'failed', status: 'error' } })
  })

  it.each([
    ['stopped', 'stopped'],
    ['deleted', 'deleted'],
  ])('ends if the machine is %s while it boots', async (how, why) => {
    const bench = await created()
    await wishOf(bench)
    await bench.read('running')
    const state = bench.state()
    const machine = state && 'machine' in state ? state.machine : ''
    const status = how === 'deleted' ? null : how
    if (status === null) await control(bench.sandbox, 'DELETE', `/resources/${machine}`)
    await expect
      .poll(async () => {
        await bench.read(status)
        return bench.creation()
      })
      .toMatchObject({ connect: 'ended', state: { kind: 'gone', why } })
  })
})

describe('a wish to open services', () => {
  const services = (bench: Awaited<ReturnType<typeof created>>) => bench.creation()?.services
  const take = (bench: Awaited<ReturnType<typeof created>>) =>
    bench.call['creation.takeWish']({ ...bench.one, wish: 'services', isFocused: true })

  it('is due once, when the set-up is over, and replaces the notification', async () => {
    const bench = await created()
    bench.harness.windowChanged(true)
    bench.allow(true)
    await bench.read('running')
    await wishOf(bench, true, 'services')
    bench.leases.follow({ kind: 'connected' })
    await expect.poll(bench.clock.waits).toContain(10)
    expect([services(bench), bench.connect(), await take(bench)]).toEqual(['waiting', 'none', false])
    bench.answerSetUp(setUpIs('done'))
    bench.clock.advance(10)
    await expect.poll(() => services(bench)).toBe('due')
    expect([await take(bench), await take(bench)]).toEqual([true, false])
    expect(bench.settled).toEqual([])
  })

  it('connects without consent, and is due together with a wish to connect if the set-up is not read', async () => {
    const bench = await created()
    await wishOf(bench, true, 'services')
    await wishOf(bench)
    await bench.read('running')
    await wishOf(bench, false)
    expect(bench.leases.purposes()).toEqual(['action'])
    await wishOf(bench)
    bench.leases.follow({ kind: 'connected' })
    expect(bench.creation()).toMatchObject({
      connect: 'due',
      services: 'due',
      state: { setUp: 'not-allowed' },
    })
  })

  it('ends if SSH does not answer or the machine is stopped, and can be cancelled', async () => {
    const bench = await created()
    await bench.read('running')
    await wishOf(bench, true, 'services')
    expect(bench.state()).toMatchObject({ kind: 'booting' })
    await wishOf(bench, false, 'services')
    expect(bench.state()).toMatchObject({ kind: 'running', ssh: 'unchecked' })
    await wishOf(bench, true, 'services')
    bench.clock.advance(15 * 60)
    expect(bench.creation()).toMatchObject({ services: 'ended', state: { ssh: 'silent' } })
    await wishOf(bench, true, 'services')
    await bench.read('stopped')
    expect(bench.creation()).toMatchObject({ services: 'ended', state: { kind: 'gone', why: 'stopped' } })
  })
})

it.each([
  ['failed', 'error', 'failed'],
  ['was stopped', 'stopped', 'gone'],
])('ends a wish that is due if the machine %s, and fulfils none', async (_, status, kind) => {
  const bench = await created()
  bench.harness.windowChanged(false)
  bench.allow(true)
  await wishOf(bench)
  await wishOf(bench, true, 'services')
  await bench.read('running')
  bench.leases.follow({ kind: 'connected' })
  expect(bench.creation()).toMatchObject({ connect: 'due', services: 'waiting' })
  await bench.read(status)
  expect(bench.creation()).toMatchObject({ connect: 'ended', services: 'ended', state: { kind } })
  expect(bench.settled.map(({ connect }) => connect)).toEqual(['ended'])
  for (const wish of ['connect', 'services'] as const)
    expect(await bench.call['creation.takeWish']({ ...bench.one, wish, isFocused: true })).toBe(false)
})

it('a failed creation keeps its reason over a restart, until its machine runs', async () => {
  const bench = await created()
  await bench.read('error')
  const harness = await bench.restart({})
  expect(harness.list(bench.account)).toMatchObject([{ state: { kind: 'failed', status: 'error' } }])
  await bench.read('running')
  expect(harness.list(bench.account)).toEqual([])
})

it.each([
  ['the end of the set-up', true, 130],
  ['the first answer of SSH', false, 120],
])(
  'the usual time until %s follows from earlier creations of the flavor',
  async (_, isSetUpRead, seconds) => {
    const bench = await created()
    expect(bench.creation()?.usualSeconds).toBeNull()
    bench.allow(true)
    bench.clock.advance(100)
    await bench.read('running')
    expect(bench.creation()?.usualSeconds).toBeNull()
    bench.clock.advance(20)
    bench.leases.follow({ kind: 'connected' })
    const state = () => bench.state()?.kind
    if (isSetUpRead) {
      await expect.poll(bench.clock.waits).toContain(10)
      bench.answerSetUp(setUpIs('done'))
      bench.clock.advance(10)
      await expect.poll(state).toBe('ready')
    }
    await bench.read('creating')
    const again = { request: randomUUID(), account: bench.account, again: [], identityFile: null }
    const { id } = await bench.call['machine.create']({
      ...again,
      machine: { ...bench.order, name: 'train-2' },
    })
    const usual = () => bench.harness.list(bench.account).find((next) => next.id === id)?.usualSeconds
    expect(usual()).toBe(seconds)
    bench.allow(false)
    expect(usual()).toBe(100)
  },
)

it('a list that shows the progress replaces the notification', async () => {
  const bench = await created()
  const list = { account: bench.account, kind: 'machine' as const }
  await bench.call['creation.shown']({ ...list, isShown: true })
  await bench.read('running')
  expect(bench.settled).toEqual([])
})
