import { describe, expect, it } from 'vitest'
import type { EndRule, EndState, EndWhen } from '#shared/bridge/end-rule'
import { decide, dueAt, type EndFacts } from './decide'

const now = 1_000_000
const rule = (when: EndWhen, state: EndState = { kind: 'armed' }, notBefore = 0): EndRule => ({
  id: 'r',
  account: 'abcdefghijkl',
  machine: 'm',
  name: 'm',
  action: 'delete',
  when,
  armedAt: 0,
  agent: null,
  notBefore,
  state,
})
const usd = (millionths: number) => ({ currency: 'USD', millionths })
const facts = (changes: Partial<EndFacts> = {}): EndFacts => ({
  idleSince: null,
  cost: null,
  perHour: null,
  jobEnd: null,
  ...changes,
})
const at = (time: number): EndWhen => ({ kind: 'at', at: time })
const idle: EndWhen = { kind: 'idle', seconds: 3_600 }
const job: EndWhen = { kind: 'job', job: 'j', name: 'train' }
const budget: EndWhen = { kind: 'budget', budget: usd(10_000_000) }
const warned: EndState = { kind: 'warned', endsAt: now }

describe('the time at which a rule ends a machine', () => {
  it.each<[string, EndRule, EndFacts, number | null]>([
    ['a time', rule(at(now + 5)), facts(), now + 5],
    ['an extended time', rule(at(now + 5), undefined, now + 99), facts(), now + 99],
    ['an unknown idle time', rule(idle), facts(), null],
    ['an idle time', rule(idle), facts({ idleSince: now - 600 }), now + 3_000],
    ['a running job', rule(job), facts(), null],
    ['a job that ended', rule(job), facts({ jobEnd: now - 60 }), now - 60],
    ['a lost job', rule(job), facts({ jobEnd: 'lost' }), null],
    ['an unknown cost', rule(budget), facts({ perHour: usd(1) }), null],
    ['a cost in another currency', rule(budget), facts({ cost: { currency: 'EUR', millionths: 1e9 } }), null],
    ['a cost without a price', rule(budget), facts({ cost: usd(9_000_000) }), null],
    ['a growing cost', rule(budget), facts({ cost: usd(9_000_000), perHour: usd(2_000_000) }), now + 1_800],
    ['a budget that is used up', rule(budget), facts({ cost: usd(10_000_000) }), now],
  ])('follows %s', (_name, given, known, expected) => expect(dueAt(given, known, now)).toBe(expected))
})

describe('the next step of a rule', () => {
  it.each<[string, EndRule, EndFacts, boolean, unknown]>([
    ['waits before the notice', rule(at(now + 901)), facts(), false, { kind: 'none' }],
    [
      'gives notice 15 minutes before',
      rule(at(now + 900)),
      facts(),
      false,
      { kind: 'become', state: { kind: 'warned', endsAt: now + 900 } },
    ],
    ['ends at the time', rule(at(now), warned), facts(), false, { kind: 'end' }],
    [
      'asks after a sleep',
      rule(at(now), warned),
      facts(),
      true,
      { kind: 'become', state: { kind: 'held', why: 'missed', at: now, failure: null, found: null } },
    ],
    [
      'asks if it is late',
      rule(at(now - 121)),
      facts(),
      false,
      { kind: 'become', state: { kind: 'held', why: 'missed', at: now, failure: null, found: null } },
    ],
    ['waits without readings', rule(idle), facts(), false, { kind: 'none' }],
    [
      'gives full notice of a long idle time',
      rule(idle),
      facts({ idleSince: now - 9_000 }),
      false,
      { kind: 'become', state: { kind: 'warned', endsAt: now + 900 } },
    ],
    [
      'withdraws the notice when the machine works again',
      rule(idle, warned),
      facts(),
      false,
      { kind: 'become', state: { kind: 'armed' } },
    ],
    [
      'starts again if the machine worked in between',
      rule(idle, warned),
      facts({ idleSince: now - 60 }),
      false,
      { kind: 'become', state: { kind: 'armed' } },
    ],
    [
      'ends a machine that stayed idle',
      rule(idle, warned),
      facts({ idleSince: now - 3_600 }),
      false,
      { kind: 'end' },
    ],
    [
      'waits for a budget that lasts longer',
      rule(budget, warned),
      facts({ cost: usd(9_900_000), perHour: usd(1_000_000) }),
      false,
      { kind: 'become', state: { kind: 'warned', endsAt: now + 360 } },
    ],
    [
      'gives full notice when a job has ended',
      rule(job),
      facts({ jobEnd: now - 9_000 }),
      false,
      { kind: 'become', state: { kind: 'warned', endsAt: now + 900 } },
    ],
    [
      'asks if the end of a job can’t be known',
      rule(job),
      facts({ jobEnd: 'lost' }),
      false,
      { kind: 'become', state: { kind: 'held', why: 'job-lost', at: now, failure: null, found: null } },
    ],
    [
      'asks about a lost job again only after an extension',
      rule(job, undefined, now + 3_600),
      facts({ jobEnd: 'lost' }),
      false,
      { kind: 'none' },
    ],
    [
      'does nothing while it waits for the user',
      rule(at(now), { kind: 'held', why: 'loss', at: 0, failure: null, found: null }),
      facts(),
      false,
      { kind: 'none' },
    ],
  ])('%s', (_name, given, known, hasSlept, expected) =>
    expect(decide(given, known, now, hasSlept)).toEqual(expected),
  )
})
