import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { EndAction, EndRuleView, EndWhen } from '#shared/bridge/end-rule'
import { FailureError } from '#shared/failure'
import {
  account,
  type Answer,
  endRulesWorld,
  type Id,
  ids,
  lookNames,
  settled,
  type Slow,
  usd,
} from '../../../test/fixtures/end-rules-world'

const machineId = fc.constantFrom(...ids)
const arming = fc.record({
  do: fc.constant('arm' as const),
  id: machineId,
  action: fc.constantFrom('stop' as const, 'delete' as const),
  kind: fc.constantFrom('at' as const, 'idle' as const, 'budget' as const, 'job' as const),
  seconds: fc.integer({ min: 60, max: 3_000 }),
})
const passing = fc.record({
  do: fc.constantFrom('pass' as const, 'pass' as const, 'sleep' as const),
  seconds: fc.integer({ min: 1, max: 4_000 }),
})
const command = fc.oneof(
  { weight: 6, arbitrary: arming },
  { weight: 8, arbitrary: passing },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('extend' as const, 'cancel' as const, 'now' as const, 'now' as const),
      id: machineId,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'crash' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('back' as const), seconds: fc.integer({ min: 1, max: 4_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('look' as const), look: fc.constantFrom(...lookNames) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      answer: fc.constantFrom<Answer>('done', 'lost-done', 'lost', 'refused'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('slow' as const),
      slow: fc.constantFrom<Slow>('nothing', 'looks', 'requests'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('idle' as const),
      since: fc.option(fc.integer({ min: 2_000, max: 9_000 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('job' as const),
      is: fc.constantFrom('running' as const, 'ended' as const, 'lost' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('spend' as const),
      amount: fc.integer({ min: 0, max: 1_200_000_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('online' as const, 'costs' as const),
      is: fc.constantFrom(true, true, false),
    }),
  },
  // A new machine has the place of a deleted one.
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), id: machineId }) },
)
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never

/** Rule that the user armed and did not drop, as the test expects it. */
interface Expected {
  readonly id: string
  readonly action: EndAction
  readonly when: EndWhen
  /** Earliest time of a request; null if the user ended it at once. */
  due: number | null
  /** Requests that the user has allowed so far. */
  allowed: number
  sends: number
}

/** Plays the commands. Returns how many machines were ended by their rule, not by the user. */
async function play(commands: readonly Command[]): Promise<number> {
  const world = endRulesWorld()
  const { clock, sent, alter } = world
  let rules = world.open()
  rules.start()
  await settled()
  const expected = new Map<Id, Expected>()
  const call = () => rules.handlers
  const list = async (): Promise<readonly EndRuleView[]> => call()['endRules.list']({ account })
  let checked = 0
  let spent = 0
  let ended = 0

  /** Compares new requests with the rules that were armed when they were sent. */
  function inspect(): void {
    for (const { id, action, at, look } of sent.slice(checked)) {
      const rule = expected.get(id) ?? expect.fail(`${id} was ended without a rule`)
      expect(action).toBe(rule.action)
      rule.sends += 1
      expect(rule.sends).toBeLessThanOrEqual(rule.allowed)
      if (!look) return expect.fail(`${id} was ended without a look`)
      if (action === 'delete') expect(look.look).toBe('clean')
      expect(look.isOnline).toBe(true)
      if (rule.due === null) continue
      ended += 1
      expect(at).toBeGreaterThanOrEqual(rule.due)
      if (rule.when.kind === 'idle')
        expect(look.idleFor ?? expect.fail('unknown is not idle')).toBeGreaterThanOrEqual(rule.when.seconds)
      if (rule.when.kind === 'budget') expect(look.areCostsKnown).toBe(true)
    }
    checked = sent.length
  }
  /** Every rule that was neither dropped nor carried out is still there. */
  async function compare(): Promise<void> {
    await settled()
    inspect()
    const known = await list()
    for (const [id, rule] of expected) {
      const isOver =
        world.status.get(id) === 'gone' || (rule.action === 'stop' && world.status.get(id) === 'stopped')
      if (!isOver) expect(known.map((one) => one.id)).toContain(rule.id)
    }
    for (const one of known) expect([...expected.values()].map(({ id }) => id)).toContain(one.id)
  }

  async function perform(step: Command): Promise<void> {
    switch (step.do) {
      case 'arm': {
        const { id, action, kind, seconds } = step
        const at = Math.floor(clock.now()) + seconds
        const whens: Readonly<Record<typeof kind, EndWhen>> = {
          at: { kind: 'at', at },
          idle: { kind: 'idle', seconds: 1_800 + seconds },
          budget: { kind: 'budget', budget: usd(spent + 1_000_000_000) },
          job: { kind: 'job', job: 'j', name: 'train' },
        }
        const when = whens[kind]
        const armed = await call()['endRules.arm']({ account, machine: id, name: id, action, when })
        world.forgetLooks(id)
        expected.set(id, {
          id: armed.id,
          action,
          when,
          due: kind === 'at' ? at : clock.now() + 900,
          allowed: 1,
          sends: 0,
        })
        return
      }
      case 'extend':
      case 'cancel':
      case 'now': {
        const rule = expected.get(step.id)
        if (!rule) return
        const before = (await list()).find(({ id }) => id === rule.id)
        if (!before) return
        if (step.do === 'cancel') {
          await call()['endRules.cancel']({ account, rule: rule.id })
          inspect()
          expected.delete(step.id)
          world.forgetLooks(step.id)
          return
        }
        rule.allowed = rule.sends + 1
        if (step.do === 'now') {
          rule.due = null
          if (before.state.kind !== 'ending') world.forgetLooks(step.id)
          void Promise.resolve(call()['endRules.now']({ account, rule: rule.id })).catch(() => undefined)
          return
        }
        await call()['endRules.extend']({ account, rule: rule.id })
        rule.due = Math.max(clock.now(), rule.due ?? 0)
        world.forgetLooks(step.id)
        return
      }
      case 'pass':
        for (let left = step.seconds; left > 0; left -= 30) {
          clock.advance(Math.min(30, left))
          await settled()
          inspect()
        }
        return
      case 'sleep': {
        const until = clock.now() + step.seconds
        const waiting = (await list()).filter(
          ({ state }) => state.kind === 'armed' || state.kind === 'warned',
        )
        for (const rule of expected.values()) {
          const known = waiting.find(({ id }) => id === rule.id)
          // Shorter sleeps are within the delay of a busy computer.
          if (known?.when.kind === 'at' && step.seconds > 150 && (known.dueAt ?? 0) <= until - 121)
            rule.allowed = rule.sends
        }
        clock.set(until)
        rules.wakeChanged(true)
        return
      }
      case 'back': {
        // An end that has begun is not delayed by a clock that goes back.
        const ending = (await list()).filter(({ state }) => state.kind === 'ending').map(({ id }) => id)
        for (const rule of expected.values())
          if (rule.due !== null && (rule.when.kind !== 'at' || ending.includes(rule.id)))
            rule.due -= step.seconds
        clock.set(clock.now() - step.seconds)
        return
      }
      case 'restart':
      case 'crash': {
        const earlier = rules
        if (step.do === 'restart') {
          alter.slow('nothing')
          await settled()
          inspect()
          await earlier.close()
        }
        ids.forEach(world.forgetLooks)
        rules = world.open()
        rules.start()
        return
      }
      case 'look':
        alter.look(step.look)
        return
      case 'answer':
        alter.answer(step.answer)
        return
      case 'slow':
        alter.slow(step.slow)
        return
      case 'idle':
        alter.idle(step.since === null ? null : clock.now() - step.since)
        return
      case 'job':
        alter.job(step.is)
        return
      case 'online':
        alter.online(step.is)
        return
      case 'costs':
        alter.costs(step.is)
        return
      case 'create':
        // Only a machine without a rule is replaced.
        if (world.status.get(step.id) === 'running') return
        if ((await list()).some(({ machine }) => machine === step.id)) return
        expected.delete(step.id)
        world.status.set(step.id, 'running')
        return
      case 'spend':
        spent = alter.spend(step.amount)
    }
  }

  for (const step of commands) {
    await perform(step).catch((error: unknown) => {
      // The user’s act came too late or early.
      if (!(error instanceof FailureError)) throw error
    })
    await compare()
  }
  alter.slow('nothing')
  await rules.close().catch(() => undefined)
  return ended
}

it('ends only armed machines, once, after a look, and forgets no rule', { timeout: 120_000 }, async () => {
  let ended = 0
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 60 }), async (commands) => {
      ended += await play(commands)
    }),
    { numRuns: 200 },
  )
  // Otherwise the test would prove nothing.
  expect(ended).toBeGreaterThan(25)
})
