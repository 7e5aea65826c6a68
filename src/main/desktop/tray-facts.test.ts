import { expect, it } from 'vitest'
import type { EndRuleView } from '#shared/bridge/end-rule'
import { endRule } from '../../../test/fixtures/tray-menu'
import { createTrayFacts } from './tray-facts'
import { menuLabel } from './tray-item'

const now = 1_000_000
const rule = (changes: Partial<EndRuleView>): EndRuleView => endRule(now, changes)
const factsWith = (end: EndRuleView | undefined) =>
  createTrayFacts({
    costsOf: (_account, machines) =>
      Promise.resolve(
        new Map(
          machines.map((id) => [
            id,
            {
              perHour: { currency: 'USD', millionths: 2_500_000 },
              cost: { currency: 'USD', millionths: 40_000_000 },
            },
          ]),
        ),
      ),
    gpus: () => [{ utilization: 40 }, { utilization: 60 }],
    cpu: () => 12,
    end: () => end,
    now: () => now,
  })

it('an armed end comes first, with its countdown, then the load and the costs', async () => {
  const facts = factsWith(rule({}))
  await facts.read('abcdefghijkl', ['m'])
  expect(facts.of('abcdefghijkl', 'm')).toEqual([
    'Deleted in 1 h',
    'GPU 50%',
    '2.50 USD/h',
    '40.00 USD so far',
  ])
})

it('an armed stop has the hint that the machine is still billed, also after a long name', () => {
  const lineOf = (changes: Partial<EndRuleView>) =>
    menuLabel(
      [
        `${'x'.repeat(60)} (running)`,
        ...factsWith(rule({ action: 'stop', ...changes })).of('abcdefghijkl', 'm'),
      ].join(' · '),
    )
  expect(lineOf({})).toContain(' · Stops in 1 h, still billed · GPU 50%')
  expect(lineOf({ when: { kind: 'idle', seconds: 7_200 } })).toContain(
    ' · Stops in 1 h, still billed unless deleted · ',
  )
})

it('costs that the next reading lacks are not shown, and those before a failed reading are', async () => {
  const cost = { perHour: { currency: 'USD', millionths: 2_500_000 }, cost: null }
  let answer = new Map([['m', cost]])
  const facts = createTrayFacts({
    costsOf: () => Promise.resolve(answer),
    gpus: () => [],
    cpu: () => null,
    end: () => undefined,
    now: () => now,
  })
  await facts.read('abcdefghijkl', ['m'])
  expect(facts.of('abcdefghijkl', 'm')).toEqual(['2.50 USD/h'])
  answer = new Map()
  await facts.read('abcdefghijkl', ['m'])
  expect(facts.of('abcdefghijkl', 'm')).toEqual(['2.50 USD/h'])
  answer = new Map([['other', cost]])
  await facts.read('abcdefghijkl', ['m', 'other'])
  expect(facts.of('abcdefghijkl', 'm')).toEqual([])
})

it('a machine without an expected end has its load only', () => {
  expect(factsWith(rule({ dueAt: null })).of('abcdefghijkl', 'm')).toEqual(['GPU 50%'])
  expect(factsWith(undefined).of('abcdefghijkl', 'm')).toEqual(['GPU 50%'])
})
