import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AlertCause } from '#shared/bridge/alert'
import { deep } from '../../../test/fixtures/counts'
import { alertsShown, Episode, follow, type FoundAlert } from './episodes'

const account = 'abcdefghijkl'
const other = 'mnopqrstuvwx'
const running = (machine: string, hours = 8): FoundAlert => ({
  cause: { kind: 'long-running', machine, name: machine, hours, perHour: null, cost: null },
})
const look = (episodes: readonly Episode[], found: readonly FoundAlert[], now: number, of = account) =>
  follow(episodes, { account: of, source: 'machines', found }, now)

describe('an alert', () => {
  it('is notified when its cause begins, remains while the cause holds, and ends with it', () => {
    const first = look([], [running('a')], 100)
    expect(first.due.map(({ cause, since }) => [cause.kind, since])).toEqual([['long-running', 100]])
    const second = look(first.episodes, [running('a'), running('b')], 160)
    expect(second.due.map(({ since }) => since)).toEqual([160])
    expect(alertsShown(second.episodes, account).map(({ since }) => since)).toEqual([160, 100])
    const third = look(second.episodes, [running('b')], 220)
    expect(third.due).toEqual([])
    expect(alertsShown(third.episodes, account)).toHaveLength(1)
    expect(look(third.episodes, [running('a'), running('b')], 280).due).toHaveLength(1)
  })

  it('has the beginning that its source reports, and the amounts of the last check', () => {
    const cause = (millionths: number): AlertCause => ({
      kind: 'hourly-limit',
      perHour: { currency: 'USD', millionths },
      limit: { currency: 'USD', millionths: 1 },
    })
    const spending = (episodes: readonly Episode[], millionths: number, now: number) =>
      follow(episodes, { account, source: 'rate', found: [{ cause: cause(millionths), since: 7 }] }, now)
    const first = spending([], 5, 100)
    const second = spending(first.episodes, 6, 160)
    expect(second.due).toEqual([])
    expect(alertsShown(second.episodes, account)).toMatchObject([{ since: 7, cause: cause(6) }])
  })

  it('is a new alert at another limit', () => {
    const first = look([], [running('a', 8)], 100)
    expect(look(first.episodes, [running('a', 12)], 160).due).toMatchObject([{ cause: { hours: 12 } }])
  })

  it('is not affected by a check of another account or source', () => {
    const mine = look([], [running('a')], 100).episodes
    const both = look(mine, [running('a')], 110, other).episodes
    const idle = follow(both, { account, source: 'idle', found: [] }, 120).episodes
    expect(idle).toHaveLength(2)
    expect(alertsShown(look(idle, [], 130).episodes, other)).toHaveLength(1)
  })

  it('is last in the list while snoozed, and is notified once more afterwards', () => {
    const [first] = look([], [running('a'), running('b')], 100).episodes
    if (!first) throw new Error('it began')
    const snoozed = [...look([], [running('b')], 100).episodes, { ...first, snoozedUntil: 200 }]
    const during = look(snoozed, [running('a'), running('b')], 199)
    expect(during.due).toEqual([])
    expect(alertsShown(during.episodes, account).map(({ snoozedUntil }) => snoozedUntil)).toEqual([null, 200])
    const over = look(during.episodes, [running('a'), running('b')], 200)
    expect(over.due.map(({ id }) => id)).toEqual([first.id])
    expect(look(over.episodes, [running('a'), running('b')], 260).due).toEqual([])
  })

  it('is hidden after dismissal until its cause begins again', () => {
    const [first] = look([], [running('a')], 100).episodes
    if (!first) throw new Error('it began')
    const still = look([{ ...first, dismissed: true }], [running('a')], 160)
    expect(still.due).toEqual([])
    expect(alertsShown(still.episodes, account)).toEqual([])
    const gone = look(still.episodes, [], 220)
    expect(look(gone.episodes, [running('a')], 280).due).toHaveLength(1)
  })

  it('is notified once per period of its cause, whatever is checked and stored', () => {
    const aLook = fc.record({
      account: fc.constantFrom(account, other),
      machines: fc.subarray(['a', 'b', 'c']),
      restart: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(aLook, { maxLength: 60 }), (looks) => {
        let episodes: readonly Episode[] = []
        const count = new Map<string, number>()
        const begun = new Map<string, number>()
        const holding = new Map<string, ReadonlySet<string>>()
        looks.forEach(({ account: of, machines, restart }, index) => {
          const before = holding.get(of) ?? new Set<string>()
          for (const machine of machines)
            if (!before.has(machine)) begun.set(`${of}${machine}`, (begun.get(`${of}${machine}`) ?? 0) + 1)
          holding.set(of, new Set(machines))
          const step = look(
            episodes,
            machines.map((machine) => running(machine)),
            index,
            of,
          )
          for (const { cause } of step.due)
            if (cause.kind === 'long-running')
              count.set(`${of}${cause.machine}`, (count.get(`${of}${cause.machine}`) ?? 0) + 1)
          // Stored facts replace those in memory.
          episodes = restart
            ? z.array(Episode).parse(JSON.parse(JSON.stringify(step.episodes)))
            : step.episodes
          expect(alertsShown(episodes, of)).toHaveLength(machines.length)
        })
        expect(count).toEqual(begun)
      }),
      { numRuns: deep(100, 2_000) },
    )
  })
})
