import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import { deep } from '../../../../test/fixtures/counts'
import { fakeClock } from '../../../../test/fixtures/fake-clock'
import {
  emptyDataFile,
  type EmptyWorld,
  ledgerBooks,
  type Quirks,
  startEmptyWorld,
  withQuirks,
} from '../../../../test/fixtures/ledger-harness'
import { openStore } from '../../../../test/fixtures/store'
import { accountLedger } from './account-ledger'

/** Event at the service. */
const anEvent = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('machine' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('volume' as const), size: fc.integer({ min: 1, max: 4_000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), index: fc.nat(9) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      seconds: fc.oneof(fc.integer({ min: 30, max: 5_000 }), fc.integer({ min: 5_000, max: 150_000 })),
    }),
  },
)
type WorldEvent = typeof anEvent extends fc.Arbitrary<infer Value> ? Value : never

/** Event after a number of requests of a reading. */
const aDisturbance = fc.record({
  after: fc.integer({ min: 0, max: 12 }),
  /** Null: the connection breaks. */
  event: fc.option(anEvent, { nil: null }),
})

const aLimit = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(20, 1_000))

const aStep = fc.oneof(
  { weight: 3, arbitrary: anEvent },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      disturbed: fc.array(aDisturbance, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('limit' as const), limit: aLimit }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

const aHistory = fc.record({
  limit: aLimit,
  order: fc.constantFrom('as-asked' as const, 'as-asked' as const, 'oldest-first' as const, 'by-id' as const),
  countsRows: fc.boolean(),
  /** Seconds. A fast second reading would hide mistakes of the reading of the head. */
  rollEvery: fc.constantFrom(600, Infinity, Infinity),
  /** Resources at the beginning, by the seconds between their creations. */
  fleet: fc.array(fc.integer({ min: 20, max: 5_000 }), { maxLength: 5 }),
  steps: fc.array(aStep, { minLength: 4, maxLength: 14 }),
})
type History = typeof aHistory extends fc.Arbitrary<infer Value> ? Value : never

const happen = (world: EmptyWorld, event: WorldEvent): Promise<void> => {
  switch (event.do) {
    case 'machine':
      return world.createMachine()
    case 'volume':
      return world.createVolume(event.size)
    case 'end':
      return world.end(event.index)
    case 'pass':
      return world.pass(event.seconds)
  }
}

it('after a completed sweep the ledger equals the books, whatever happened, was interrupted or paged how', async () => {
  const { store, database } = await openStore()
  const empty = await emptyDataFile()
  let histories = 0

  const live = async ({ fleet, steps, rollEvery, ...initial }: History): Promise<void> => {
    const world = await startEmptyWorld(empty)
    try {
      const account = `history-${String((histories += 1))}`
      let quirks: Quirks = initial
      const clock = fakeClock(0)
      let waiting: { after: number; event: WorldEvent | null }[] = []
      const disturb = async (): Promise<void> => {
        const due = waiting.filter(({ after }) => after <= 0)
        waiting = waiting.filter(({ after }) => after > 0).map((one) => ({ ...one, after: one.after - 1 }))
        for (const { event } of due) {
          if (event === null) throw new FailureError({ kind: 'offline' })
          await happen(world, event)
        }
      }
      const billing = withQuirks(world.billing, () => quirks, disturb)
      const open = () =>
        accountLedger({
          account,
          billing: () => billing,
          database: store.database,
          timeZone: () => 'UTC',
          now: clock.now,
          publish: () => undefined,
          rollEvery,
        })
      for (const seconds of fleet) {
        await world.createMachine()
        await world.pass(seconds)
      }
      let ledger = open()
      for (const step of steps) {
        clock.set(await world.now())
        switch (step.do) {
          case 'read':
            waiting = step.disturbed
            await ledger.refresh()
            waiting = []
            break
          case 'limit':
            quirks = { ...quirks, limit: step.limit }
            break
          case 'restart':
            ledger = open()
            break
          case 'machine':
          case 'volume':
          case 'end':
          case 'pass':
            await happen(world, step)
        }
      }
      clock.set(await world.now())
      await ledger.refresh()
      expect(ledger.state()).toMatchObject({ complete: true, failure: null })
      const books = await world.books()
      // The sandbox settles a day's statements at its end, so only the newest statements change.
      if (quirks.order === 'as-asked') {
        const charged = (all: typeof books) =>
          Object.entries(all).map(([id, { fee: _, ...rest }]) => [id, rest])
        expect(charged(ledgerBooks(database, account))).toEqual(charged(books))
      }
      await ledger.readAll()
      expect(ledgerBooks(database, account)).toEqual(books)
    } finally {
      await world.close()
    }
  }

  await fc.assert(fc.asyncProperty(aHistory, live), {
    numRuns: deep(100, 1_000),
    seed: 4,
    endOnFailure: false,
  })
}, 900_000)
