import { expect, it } from 'vitest'
import type { Alert, AlertCause } from '#shared/bridge/alert'
import { translate } from '#shared/messages/index'
import { alertNotices } from './notice'

const account = 'abcdefghijkl'
const since = Date.parse('2026-11-20T18:20:00Z') / 1000
const now = since + 52 * 3_600
const usd = (dollars: number) => ({ currency: 'USD', millionths: dollars * 1_000_000 })
const alert = (cause: AlertCause): Alert => ({ id: cause.kind, account, cause, since, snoozedUntil: null })
const running = (name: string): AlertCause => ({
  kind: 'long-running',
  machine: `id-${name}`,
  name,
  hours: 24,
  perHour: usd(14.8),
  cost: usd(769.6),
})
const noticesOf = (...causes: AlertCause[]) =>
  alertNotices(account, 'research-lab', causes.map(alert), translate, now)

it.each([
  [
    { kind: 'budget-reached', month: '2026-11', spent: usd(12_034.1), budget: usd(12_000) },
    'November budget used up',
    '12,034.10 USD spent of 12,000.00 USD',
  ],
  [
    { kind: 'budget-forecast', month: '2026-11', forecast: usd(12_001), budget: usd(12_000) },
    'Forecast at 101 % of budget',
    '12,001.00 USD expected by the end of November; budget 12,000.00 USD',
  ],
  [
    { kind: 'hourly-limit', perHour: usd(24.87), limit: usd(20) },
    'Hourly spending is over your limit',
    '24.87 USD per hour; limit 20.00 USD',
  ],
  [
    running('train-llama-01'),
    'train-llama-01 has been running for 2 d 4 h',
    '769.60 USD so far at 14.80 USD per hour; over your limit of 24 h',
  ],
  [
    { kind: 'balance-low', balance: usd(48), perHour: usd(2), left: 86_400, days: 3 },
    'Balance runs out in 1 d',
    '48.00 USD left at 2.00 USD per hour',
  ],
  [
    { kind: 'balance-low', balance: usd(-1), perHour: usd(2), left: 0, days: 3 },
    'Balance used up',
    '-1.00 USD left at 2.00 USD per hour',
  ],
  [
    { kind: 'idle', machine: 'id', name: 'notebook-anna', cost: usd(3.39), use: 'idle' },
    'notebook-anna has been idle for 2 d 4 h',
    '3.39 USD wasted; GPU idle',
  ],
] satisfies [AlertCause, string, string][])(
  'names the cause, the amount, the time and the account: %#',
  (cause, title, text) => {
    const [notice] = noticesOf(cause)
    expect(notice?.words.title).toBe(title)
    expect(notice?.words.body).toMatch(/\. Since .*2026.*\. research-lab$/)
    expect(notice?.words.body.startsWith(`${text}.`)).toBe(true)
    expect(notice?.destination).toMatchObject(
      'machine' in cause ? { page: 'machines', machine: cause.machine } : { page: 'overview', account },
    )
  },
)

it('combines many alerts into one notice that opens all of them', () => {
  expect(noticesOf(running('a'), running('b'), running('c'))).toHaveLength(3)
  expect(noticesOf(...['a', 'b', 'c', 'd'].map(running))).toEqual([
    {
      kind: 'running',
      words: {
        title: '4 alerts for research-lab',
        body: ['a', 'b', 'c', 'd'].map((name) => `${name} has been running for 2 d 4 h`).join('\n'),
      },
      destination: { page: 'overview', account },
    },
  ])
})
