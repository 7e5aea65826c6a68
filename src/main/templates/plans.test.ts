import { describe, expect, it } from 'vitest'
import type { Creation, CreationState, SetUp } from '#shared/bridge/creation'
import type { FleetChange } from '#shared/bridge/fleet'
import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import type { MachinePlan } from '#shared/bridge/template'
import type { JobView, WatchOutcome } from '#shared/bridge/job'
import { createEmitter } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { planFixture } from '../../../test/fixtures/template'
import type { GoneMachines } from '../fleet/index'
import { machineView } from '../fleet/machine-view'
import { openPlans } from './plan-book'
import { createMachinePlans } from './plans'

const account = 'abcdefghijkl'
const request = '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a11'
const now = 1_000_000
const created: CreationState = { kind: 'created', machine: 'm-1', found: false }
const ready = {
  kind: 'ready',
  machine: 'm-1',
  found: false,
  setUp: 'done',
  detail: null,
  log: null,
} as const
const endedAs = (setUp: SetUp): CreationState => ({ ...ready, setUp })
const begun: CreationState = { kind: 'setting-up', machine: 'm-1', found: false, hasBegun: true }
const silent: CreationState = { kind: 'running', machine: 'm-1', found: false, ssh: 'silent', stop: null }
const noSsh = { user: null, port: null, jumpHost: null, forwardAgent: null, options: null }
const lost: ActionOutcome = { kind: 'unknown', failure: { kind: 'timed-out', host: 'x', seconds: 30 } }

const creationOf = (state: CreationState): Creation => ({
  id: 'c',
  request,
  account,
  kind: 'machine',
  name: 'train-1',
  sentAt: now,
  flavor: 'f',
  cause: null,
  state,
  connect: 'none',
  services: 'none',
  usualSeconds: null,
  link: null,
})
const job: JobView = {
  id: 'j',
  account,
  machine: 'm-1',
  machineName: 'train-1',
  name: 'python',
  subject: {
    kind: 'command',
    process: { pid: 1, start: '1', user: 'anna' },
    command: 'python train.py',
    id: 'j',
    isInTmux: true,
  },
  boot: 'b',
  since: now,
  state: { kind: 'running' },
  link: null,
  isAllowed: true,
}

interface Answers {
  state: CreationState | null
  status: string | undefined
  isArmed: boolean
  isFollowed: boolean
  existing: boolean
  rule: ActionOutcome | Promise<ActionOutcome>
  found: LookUp
  started: () => Promise<WatchOutcome>
}

function world() {
  const documents = flakySettings()
  const creations = createEmitter<{ account: string }>()
  const fleetChanges = createEmitter<FleetChange>()
  const gone = createEmitter<GoneMachines>()
  /** Questions about the creations of the account. */
  const asked = { count: 0 }
  const done: string[] = []
  const notices: string[] = []
  const answers: Answers = {
    state: null,
    status: undefined,
    isArmed: false,
    isFollowed: false,
    existing: false,
    rule: { kind: 'done' },
    found: 'unknown',
    started: async () => ({ kind: 'watching', job }),
  }
  const reports: string[] = []
  const start = () => {
    const plans = createMachinePlans({
      book: openPlans(documents),
      clock: { now: () => now },
      fleet: {
        view: (_, id) =>
          answers.status === undefined
            ? undefined
            : machineView({ id, name: 'train-1', status: answers.status }),
        onChange: fleetChanges.on,
        onGone: gone.on,
      },
      machine: () =>
        Promise.reject(new FailureError({ kind: 'refused-by-service', message: '', status: 404 })),
      isFollowed: () => answers.isFollowed,
      creations: () => {
        asked.count += 1
        return answers.state ? [creationOf(answers.state)] : []
      },
      onCreations: creations.on,
      isArmed: () => answers.isArmed,
      showNotification: (_kind, { title }) => notices.push(title),
      report: (action, error) => reports.push(`${action}: ${String(error)}`),
      configureSsh: async (_account, machine, { user }) => done.push(`ssh ${machine} ${String(user)}`),
      allowSsh: async (_account, _machine, allowed) =>
        void done.push(`allow ${Object.keys(allowed).join(' ')}`),
      armEnd: async ({ name, action, when }) => {
        done.push(`arm ${name} ${action} ${JSON.stringify(when)}`)
        throw new FailureError({ kind: 'cancelled' })
      },
      hasRule: async () => answers.existing,
      addRule: async ({ rule }) => {
        done.push(`rule ${String(rule.port_range_min)}`)
        return answers.rule
      },
      findRule: async () => answers.found,
      attach: async ({ volumes }) => {
        done.push(`attach ${volumes.join(' ')}`)
        return { kind: 'done' }
      },
      findVolumes: async () => 'unknown',
      startJob: async (_account, _machine, command, use) => {
        done.push(`job ${command}, ${use}`)
        return answers.started()
      },
    })
    plans.start()
    return plans
  }
  let plans = start()
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    answers,
    asked,
    done,
    notices,
    reports,
    documents,
    prepare: (
      plan: MachinePlan = planFixture({ end: null, isEndArmed: false }),
      confirmedName: string | null = null,
      of = request,
    ) =>
      Promise.resolve(
        plans.handlers['plans.prepare']({ account, request: of, name: 'train-1', plan, confirmedName }),
      ),
    async become(state: CreationState | null, status?: string): Promise<void> {
      answers.state = state
      answers.status = status
      creations.emit({ account })
      await settle()
    },
    steps: async () => {
      const [plan] = await plans.handlers['plans.list']({ account })
      return plan?.steps
    },
    states: async () => {
      const [plan] = await plans.handlers['plans.list']({ account })
      return plan?.steps.map(({ step, state }) => `${step} ${state.kind}`)
    },
    /** A complete list without machines is read. */
    lists: async (asOf: number) => {
      const status = { asOf, reading: false, total: 0, failure: null }
      fleetChanges.emit({ account, revision: asOf, upserts: [], removes: [], status })
      await settle()
    },
    runHeld: async () => {
      await plans.handlers['plans.runHeld']({ account, request })
      await settle()
    },
    retry: async () => {
      await plans.handlers['plans.retry']({ account, request })
      await settle()
    },
    async restart(): Promise<void> {
      // A killed application waits for nothing.
      void plans.close()
      plans = start()
      await settle()
    },
  }
}

describe('the work of a template', () => {
  it('runs in order, each step when the machine allows it, and is forgotten when all is done', async () => {
    const { prepare, become, done, states, notices, reports } = world()
    await prepare()
    expect(done).toEqual([])
    await become(created, 'building')
    expect(done).toEqual(['allow startup jobs', 'ssh m-1 anna'])
    await become({ kind: 'booting', machine: 'm-1', found: false }, 'running')
    expect(done.slice(2)).toEqual(['rule 8888', 'attach v-1'])
    expect(await states()).toEqual(['ssh done', 'firewall done', 'volumes done', 'commands waiting'])
    await become(ready, 'running')
    expect(done.slice(4)).toEqual(['job python train.py, ordered'])
    expect(await states()).toBeUndefined()
    expect(notices).toEqual([])
    expect(reports).toEqual([])
  })

  it('of several machines comes to rest while all of them wait', async () => {
    const { prepare, become, asked } = world()
    const others = ['a', 'b', 'c'].map((digit) => request.replace('3', digit))
    for (const of of [request, ...others]) await prepare(undefined, null, of)
    // Two changes at once: the second comes during the first run of each plan.
    await Promise.all([become(null), become(null)])
    const { count } = asked
    expect(count).toBeGreaterThan(0)
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(asked.count).toBe(count)
  })

  it('adds no rule that the machine has already', async () => {
    const { prepare, become, answers, done } = world()
    await prepare()
    answers.existing = true
    await become(created, 'running')
    expect(done.some((one) => one.startsWith('rule'))).toBe(false)
  })

  it('arms no end that the user did not arm', async () => {
    const { prepare, become, done } = world()
    await prepare(planFixture({ isEndArmed: false }))
    await become(ready, 'running')
    expect(done.some((one) => one.startsWith('arm'))).toBe(false)
  })

  it('arms a deletion only with the typed name, counted from the creation', async () => {
    const { prepare, become, done } = world()
    await expect(prepare(planFixture(), 'train')).rejects.toMatchObject({
      failure: { kind: 'invalid-input', field: 'name', reason: 'not-the-name' },
    })
    await prepare(planFixture(), 'train-1')
    await become(created, 'building')
    expect(done.slice(-2)).toEqual([
      'allow look',
      `arm train-1 delete ${JSON.stringify({ kind: 'at', at: now + 28_800 })}`,
    ])
  })

  it('never adds a rule again whose outcome is unknown, also not after a retry', async () => {
    const { prepare, become, answers, done, states, retry, notices } = world()
    await prepare()
    answers.rule = lost
    await become(created, 'running')
    expect(await states()).toContain('firewall unknown')
    await retry()
    expect(done.filter((one) => one === 'rule 8888')).toHaveLength(1)
    expect(notices).toHaveLength(1)
  })

  it('counts a rule as added if a lost answer is found, and retries a refused rule', async () => {
    const { prepare, become, answers, done, states, retry } = world()
    await prepare()
    answers.rule = lost
    answers.found = 'not-done'
    await become(created, 'running')
    expect(await states()).toContain('firewall failed')
    answers.found = 'done'
    await retry()
    expect(await states()).toContain('firewall done')
    expect(done.filter((one) => one === 'rule 8888')).toHaveLength(2)
  })

  it('marks an interrupted step as unknown after a restart', async () => {
    const { prepare, become, answers, done, states, restart } = world()
    await prepare()
    // The application is killed during the request, which never gets an answer.
    answers.rule = new Promise(() => undefined)
    await become(created, 'running')
    expect(await states()).toContain('firewall running')
    await restart()
    expect(await states()).toContain('firewall unknown')
    expect(done.filter((one) => one === 'rule 8888')).toHaveLength(1)
  })

  it('sends nothing if a step cannot be stored', async () => {
    const { prepare, become, documents, done, states } = world()
    await prepare(planFixture({ end: null, isEndArmed: false, ssh: noSsh, volumes: [], commands: '' }))
    await become(created, 'building')
    documents.fail(1)
    await become(created, 'running')
    expect(done.some((one) => one.startsWith('rule'))).toBe(false)
    expect(await states()).toEqual(['firewall failed'])
  })

  it('runs no commands if SSH does not get ready, until the user retries', async () => {
    const { prepare, become, done, states, retry, notices } = world()
    await prepare()
    await become(created, 'building')
    await become(silent, 'running')
    expect(await states()).toContain('commands failed')
    expect(notices).toEqual(['train-1: part of the template wasn’t done'])
    await retry()
    expect(done).toContain('job python train.py, attended')
  })

  it.each<[string, Answers['started'], number]>([
    ['lost', () => Promise.resolve({ kind: 'stopped', state: { kind: 'lost' } }), 0],
    ['not readable', () => Promise.resolve({ kind: 'stopped', state: { kind: 'exited', code: 0 } }), 0],
    ['not stored', () => Promise.reject(new FailureError({ kind: 'disk-full' })), 1],
  ])(
    'never starts commands again whose start is %s, also not after a retry',
    async (_, started, reported) => {
      const { prepare, become, answers, done, states, retry, reports } = world()
      await prepare()
      answers.started = started
      await become(ready, 'running')
      expect(await states()).toContain('commands unknown')
      await retry()
      expect(done.filter((one) => one.startsWith('job'))).toHaveLength(1)
      expect(reports).toHaveLength(reported)
    },
  )

  it('starts commands again that never reached the machine, if the user retries', async () => {
    const { prepare, become, answers, done, states, retry } = world()
    await prepare()
    answers.started = () =>
      Promise.resolve({ kind: 'stopped', state: { kind: 'not-reached', reason: 'ECONNREFUSED' } })
    await become(ready, 'running')
    expect(await states()).toContain('commands failed')
    await retry()
    expect(done.filter((one) => one.startsWith('job'))).toHaveLength(2)
  })

  it.each([
    ['failed', 'set-up-failed'],
    ['too-long', 'set-up-unfinished'],
  ] as const)(
    'holds its commands after a set-up that is %s, until the user runs them',
    async (setUp, why) => {
      const { prepare, become, done, steps, retry, restart, runHeld } = world()
      await prepare()
      const held = { step: 'commands', state: { kind: 'held', why } }
      await become(endedAs(setUp), 'running')
      expect(await steps()).toContainEqual(held)
      await retry()
      await become(endedAs(setUp), 'running')
      // The creation is over after a restart.
      await become(null, 'running')
      await restart()
      await become(null, 'running')
      await retry()
      expect(await steps()).toContainEqual(held)
      expect(done.some((one) => one.startsWith('job'))).toBe(false)
      await Promise.all([runHeld(), runHeld()])
      expect(done.filter((one) => one.startsWith('job'))).toEqual(['job python train.py, attended'])
      expect(await steps()).toBeUndefined()
    },
  )

  it('holds its commands if the failed set-up was stored, and the application was killed before the step', async () => {
    const { prepare, become, answers, done, steps, restart } = world()
    await prepare()
    answers.rule = new Promise(() => undefined)
    await become(endedAs('failed'), 'running')
    expect(await steps()).toContainEqual({ step: 'commands', state: { kind: 'waiting' } })
    answers.state = null
    await restart()
    expect(await steps()).toContainEqual({
      step: 'commands',
      state: { kind: 'held', why: 'set-up-failed' },
    })
    expect(done.some((one) => one.startsWith('job'))).toBe(false)
  })

  it('holds its commands if the set-up failed during a request, and the application was killed', async () => {
    const { prepare, become, answers, done, steps, restart, retry } = world()
    await prepare()
    answers.rule = new Promise(() => undefined)
    await become({ kind: 'booting', machine: 'm-1', found: false }, 'running')
    await become(endedAs('failed'), 'running')
    answers.state = null
    await restart()
    await retry()
    expect(await steps()).toContainEqual({
      step: 'commands',
      state: { kind: 'held', why: 'set-up-failed' },
    })
    expect(done.some((one) => one.startsWith('job'))).toBe(false)
  })

  it('holds its commands if a failed set-up is read after SSH was not ready at first', async () => {
    const { prepare, become, done, states, retry, runHeld } = world()
    await prepare()
    await become(silent, 'running')
    expect(await states()).toContain('commands failed')
    await become(endedAs('failed'), 'running')
    await retry()
    expect(await states()).toContain('commands held')
    expect(done.some((one) => one.startsWith('job'))).toBe(false)
    await runHeld()
    // The creation still reports the failed set-up.
    await become(endedAs('failed'), 'running')
    expect(done.filter((one) => one.startsWith('job'))).toHaveLength(1)
  })

  it('tries the commands again that the user ran anyway and that never reached the machine', async () => {
    const { prepare, become, answers, done, states, retry, runHeld } = world()
    await prepare()
    await become(endedAs('failed'), 'running')
    answers.started = () =>
      Promise.resolve({ kind: 'stopped', state: { kind: 'not-reached', reason: 'ECONNREFUSED' } })
    await runHeld()
    expect(await states()).toContain('commands failed')
    await retry()
    expect(done.filter((one) => one.startsWith('job'))).toHaveLength(2)
  })

  it.each([
    'done',
    'degraded',
    'not-allowed',
    'silent',
    'not-started',
    'no-cloud-init',
    'unreadable',
  ] as const)('starts its commands after a set-up that is %s', async (setUp) => {
    const { prepare, become, done } = world()
    await prepare()
    await become(endedAs(setUp), 'running')
    expect(done.filter((one) => one.startsWith('job'))).toEqual(['job python train.py, ordered'])
  })

  it.each(['silent', 'not-allowed', 'not-started', 'unreadable'] as const)(
    'holds its commands if cloud-init ran and its end is not read (%s), also after a restart',
    async (setUp) => {
      for (const restarts of [false, true]) {
        const { prepare, become, done, steps, restart } = world()
        await prepare()
        await become(begun, 'running')
        if (restarts) await restart()
        if (restarts) await become({ kind: 'booting', machine: 'm-1', found: false }, 'running')
        await become(endedAs(setUp), 'running')
        expect(await steps()).toContainEqual({
          step: 'commands',
          state: { kind: 'held', why: 'set-up-unfinished' },
        })
        expect(done.some((one) => one.startsWith('job'))).toBe(false)
      }
    },
  )

  it.each(['done', 'degraded'] as const)(
    'starts its commands once cloud-init has run (%s)',
    async (setUp) => {
      const { prepare, become, done, states, retry } = world()
      await prepare()
      // The user checks SSH again, and retries.
      await become(silent, 'running')
      await become(begun, 'running')
      await retry()
      expect(await states()).toContain('commands waiting')
      expect(done.some((one) => one.startsWith('job'))).toBe(false)
      await become(endedAs(setUp), 'running')
      expect(done.filter((one) => one.startsWith('job'))).toHaveLength(1)
    },
  )

  it('waits again after a restart while the set-up is still followed', async () => {
    const { prepare, become, done, states, retry, restart } = world()
    await prepare()
    await become(silent, 'running')
    await become(begun, 'running')
    await retry()
    await restart()
    await become({ kind: 'booting', machine: 'm-1', found: false }, 'running')
    await become({ kind: 'setting-up', machine: 'm-1', found: false, hasBegun: false }, 'running')
    expect(await states()).toContain('commands waiting')
    await become(endedAs('done'), 'running')
    expect(done.filter((one) => one.startsWith('job'))).toHaveLength(1)
  })

  it('starts held commands once the set-up is known to be done', async () => {
    const { prepare, become, done, states } = world()
    await prepare()
    await become(begun, 'running')
    await become(endedAs('silent'), 'running')
    expect(await states()).toContain('commands held')
    await become(endedAs('done'), 'running')
    expect(done.filter((one) => one.startsWith('job'))).toHaveLength(1)
  })

  it('is kept while its machine is not listed yet, and dropped if its creation is over', async () => {
    const { prepare, become, answers, lists, states } = world()
    await prepare()
    answers.isFollowed = true
    await become(created)
    for (const asOf of [1, 2, 3]) await lists(asOf)
    expect(await states()).toContain('commands waiting')
    answers.isFollowed = false
    for (const asOf of [4, 5]) await lists(asOf)
    expect(await states()).toBeUndefined()
  })

  it('is dropped at a start if its creation was never sent, and kept while it waits for stock', async () => {
    const { prepare, become, answers, done, restart } = world()
    await prepare()
    answers.isArmed = true
    await restart()
    answers.isArmed = false
    await become(created, 'building')
    expect(done).toContain('ssh m-1 anna')

    const other = world()
    await other.prepare()
    await other.restart()
    await other.become(created, 'building')
    expect(other.done).toEqual([])
  })
})
