import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import { highestPrice } from '#shared/money/highest-price'
import {
  account,
  type Answer,
  armedWorld,
  ids,
  orderOf,
  type Slow,
  usd,
} from '../../../test/fixtures/armed-world'
import { settled } from '../../../test/fixtures/end-rules-world'

const id = fc.constantFrom(...ids)
const terms = {
  cap: fc.integer({ min: 1, max: 20 }).map((amount) => usd(amount * 1_000_000)),
  seconds: fc.oneof(fc.integer({ min: 30, max: 200 }), fc.integer({ min: 30, max: 6_000 })),
}
const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('arm' as const), id, ...terms }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('change' as const), id, ...terms }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), id }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('pass' as const, 'pass' as const, 'sleep' as const),
      seconds: fc.integer({ min: 1, max: 2_000 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 110 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('market' as const),
      inStock: fc.constantFrom(true, true, false, null),
      amount: fc.option(fc.integer({ min: 1, max: 20 }), { freq: 8 }),
      gpuCount: fc.constantFrom(null, 0, 1, 1, 8),
      currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'crash' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('clock' as const),
      seconds: fc.integer({ min: -4_000, max: 4_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      answer: fc.constantFrom<Answer>('done', 'done', 'lost', 'refused', 'unread'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('slow' as const),
      slow: fc.constantFrom<Slow>('nothing', 'list', 'list', 'request'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disk' as const), isFull: fc.boolean() }) },
)
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never

/** A creation that the user armed and did not cancel, as the test expects it. */
interface Expected {
  cap: number
  expiresAt: number
  /** Requests that the user has allowed so far. */
  allowed: number
  sends: number
}

/** Plays the commands. Returns how many machines were ordered. */
async function play(commands: readonly Command[]): Promise<number> {
  const world = armedWorld()
  const { clock, sent, alter } = world
  let armed = world.open()
  armed.start()
  const expected = new Map<string, Expected>()
  const list = async () => armed.handlers['armedCreations.list']({ account })
  let checked = 0

  /** Compares new requests with the creations that were armed when they were sent. */
  function inspect(): void {
    for (const { id, at, read, outcome } of sent.slice(checked)) {
      const wanted = expected.get(id) ?? expect.fail(`${id} was created without being armed`)
      // A refused request creates nothing, and may be sent again if the flavor is sold out again.
      if (outcome !== 'refused') wanted.sends += 1
      expect(wanted.sends).toBeLessThanOrEqual(wanted.allowed)
      expect(at).toBeLessThan(wanted.expiresAt)
      expect(read.flavor.inStock).toBe(true)
      const price = highestPrice(read.flavor) ?? expect.fail('ordered without a price')
      expect(price.currency).toBe('USD')
      expect(price.millionths).toBeLessThanOrEqual(wanted.cap)
      expect(Math.abs(at - read.at)).toBeLessThanOrEqual(120)
    }
    checked = sent.length
  }
  /** Every creation that was neither sent nor cancelled is listed, and none that was not armed. */
  async function compare(): Promise<void> {
    await settled()
    inspect()
    const known = await list()
    for (const [id, { sends }] of expected) if (sends === 0) expect(known.map((one) => one.id)).toContain(id)
    for (const { id, state } of known) {
      const wanted = expected.get(id) ?? expect.fail(`${id} is listed without being armed`)
      if (state.kind === 'waiting') expect(wanted.sends).toBeLessThan(wanted.allowed)
    }
  }

  async function perform(step: Command): Promise<void> {
    switch (step.do) {
      case 'arm': {
        const expiresAt = Math.floor(clock.now()) + step.seconds
        const { cap } = step
        const view = await armed.handlers['armedCreations.arm']({ ...orderOf(step.id), cap, expiresAt })
        const known = expected.get(step.id)
        // It was armed already.
        if (view.expiresAt === known?.expiresAt && view.cap.millionths === known.cap) return
        const sends = known?.sends ?? 0
        expected.set(step.id, { cap: cap.millionths, expiresAt, allowed: sends + 1, sends })
        return
      }
      case 'change': {
        const expiresAt = Math.floor(clock.now()) + step.seconds
        await armed.handlers['armedCreations.change']({ account, armed: step.id, cap: step.cap, expiresAt })
        const sends = expected.get(step.id)?.sends ?? 0
        expected.set(step.id, { cap: step.cap.millionths, expiresAt, allowed: sends + 1, sends })
        return
      }
      case 'cancel':
        await armed.handlers['armedCreations.cancel']({ account, armed: step.id, keepsDraft: true })
        inspect()
        expected.delete(step.id)
        return
      case 'pass':
        for (let left = step.seconds; left > 0; left -= 30) {
          clock.advance(Math.min(30, left))
          await settled()
          inspect()
        }
        return
      case 'sleep':
        clock.set(clock.now() + step.seconds)
        armed.wakeChanged(true)
        return
      case 'clock':
        clock.set(clock.now() + step.seconds)
        return
      case 'market': {
        const price =
          step.amount === null ? null : { currency: step.currency, millionths: step.amount * 1_000_000 }
        alter.flavor({ inStock: step.inStock, gpuCount: step.gpuCount, price })
        return
      }
      case 'restart':
      case 'crash': {
        const earlier = armed
        if (step.do === 'restart') {
          alter.slow('nothing')
          const closed = earlier.close()
          await settled()
          inspect()
          await closed
        }
        armed = world.open()
        armed.start()
        return
      }
      case 'answer':
        alter.answer(step.answer)
        return
      case 'slow':
        alter.slow(step.slow)
        return
      case 'disk':
        alter.disk(step.isFull)
    }
  }

  for (const step of commands) {
    await perform(step).catch((error: unknown) => {
      // The user’s act came too late or early, or could not be stored.
      if (!(error instanceof FailureError)) throw error
    })
    await compare()
  }
  alter.slow('nothing')
  await armed.close()
  return sent.length
}

it(
  'creates only armed machines, once, at most at the cap and before the expiry, and forgets none',
  { timeout: 120_000 },
  async () => {
    let ordered = 0
    const property = fc.asyncProperty(
      fc.array(command, { minLength: 10, maxLength: 60 }),
      async (commands) => {
        ordered += await play(commands)
      },
    )
    await fc.assert(property, { numRuns: 300 })
    expect(ordered).toBeGreaterThan(25)
  },
)
