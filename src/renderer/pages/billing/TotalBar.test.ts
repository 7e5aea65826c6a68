// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { BillingTotal } from '#shared/bridge/billing'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { now, usd } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import TotalBar from './TotalBar.vue'

let window: Mounted
afterEach(() => window.unmount())

describe('TotalBar', () => {
  const total: BillingTotal = {
    entries: 2,
    amounts: [
      { money: usd(12.5), assumed: false },
      { money: { currency: 'EUR', millionths: 3_000_000 }, assumed: true },
    ],
    unreadable: 1,
    complete: false,
    source: { kind: 'ledger', asOf: now },
  }
  const show = async (others: object) => {
    const { seen, on } = emissions('all', 'stop')
    window = await mounted(() =>
      h(TotalBar, {
        table: 'statements',
        count: 2,
        total: null,
        waits: false,
        failure: null,
        job: null,
        ...others,
        ...on,
      }),
    )
    return seen
  }

  it('amounts are separate per currency, with notes on assumed and missing parts', async () => {
    await show({ total })
    const words = window.find('[role=status]').textContent
    for (const part of [
      '12.50 USD',
      '3.00 EUR',
      t('billing.total.assumed', { currency: 'EUR' }),
      t('billing.total.unreadable', {}, 1),
      t('billing.total.incomplete'),
      t('billing.total.fromLedger'),
    ])
      expect(words).toContain(part)
  })

  it('a long sum starts on request, shows its progress and can be stopped', async () => {
    const seen = await show({ waits: true, failure: { kind: 'offline' } })
    expect(window.text()).toContain(t('failures.offline.title'))
    await window.click(t('billing.total.action'))
    window.unmount()
    const stopped = await show({ job: { id: 'j', done: 1_200, total: 4_000 } })
    expect(window.text()).toContain('1,200')
    await window.click(t('billing.total.stop'))
    expect([seen, stopped]).toEqual([[['all']], [['stop']]])
  })
})
