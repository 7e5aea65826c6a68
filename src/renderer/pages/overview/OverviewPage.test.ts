// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { SpendingView } from '#shared/bridge/cost'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { unpricedSpending, unpricedView } from '../../../../test/gallery/unknown-costs'
import { account, accountView, now, sandboxAccount, wasteView } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import OverviewPage from './OverviewPage.vue'

let window: Mounted
afterEach(() => window.unmount())

it('one notice names all accounts whose currency is assumed', async () => {
  const view = (assumed: boolean): SpendingView => ({
    ...unpricedView,
    currencies: [{ ...unpricedSpending, assumed }],
  })
  const open = (accounts: readonly string[]) =>
    mounted(() => h(OverviewPage), {
      'accounts.list': () => ({ accounts: [accountView(), sandboxAccount], selected: account }),
      'cost.spending': (input) => ({ ...view(accounts.includes(input.account)), account: input.account }),
      'waste.list': (input) => wasteView([], input.account),
      'cost.days': () => ({
        account,
        asOf: now,
        timeZone: 'UTC',
        history: 'complete',
        end: now,
        starts: Float64Array.of(now - 86_400),
        currencies: [{ currency: 'USD', assumed: true, series: [] }],
      }),
    })
  const notices = () => window.text().match(/Currency not reported[^.]*\./g)
  window = await open([account, sandboxAccount.id])
  expect(notices()).toEqual([t('overview.assumed', { currency: 'USD' })])
  window.unmount()
  window = await open([account])
  expect(notices()).toEqual([t('overview.assumedOf', { accounts: accountView().label, currency: 'USD' })])
})

it('remarks are in the line of the account’s name, so that they move no card', async () => {
  window = await mounted(() => h(OverviewPage), {
    'accounts.list': () => ({ accounts: [accountView(), sandboxAccount], selected: account }),
    'cost.spending': (input) => ({ ...unpricedView, account: input.account }),
    'waste.list': (input) => wasteView([], input.account),
  })
  const remarks = window.all('p').filter((line) => line.textContent?.includes(t('overview.partial')))
  expect(remarks.map((line) => line.parentElement?.className)).toEqual(['whose', 'whose'])
})
