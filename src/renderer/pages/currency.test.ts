// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { defineComponent, h, onMounted, ref } from 'vue'
import type { FlavorView } from '#shared/bridge/catalog'
import type { CostDays } from '#shared/bridge/cost'
import { FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../test/gallery/mounted'
import { account, sandboxAccount } from '../../../test/gallery/world'
import { t } from '../platform/i18n'
import CurrencyNote from './billing/costs/CurrencyNote.vue'
import CostSummary from './create/CostSummary.vue'
import { useOffer } from './create/use-offer'
import RunningMachines from './overview/RunningMachines.vue'
import SpendingPerDay from './overview/SpendingPerDay.vue'

let window: Mounted
afterEach(() => window.unmount())
const assumed = t('overview.assumed', { currency: 'USD' })

it('an open form for a machine names the currency of its prices once the balance has named it', async () => {
  const flavor: FlavorView = {
    id: 'f1',
    name: 'h100.1x',
    region: { id: 'o', name: 'Oslo' },
    price: { currency: 'USD', millionths: 2_100_000 },
    cpu: 8,
    ram: 64,
    disk: 100,
    ephemeral: null,
    gpu: 'H100',
    gpuCount: 1,
    bandwidth: null,
    inStock: true,
    cycle: 'hourly',
  }
  const Form = defineComponent(() => {
    const { offer, currencyAssumed, load } = useOffer(account, 'machine')
    onMounted(load)
    return () =>
      h(CostSummary, { flavor: offer.value.flavors[0] ?? null, currencyAssumed: currencyAssumed.value })
  })
  window = await mounted(() => h(Form), {
    'catalog.regions': () => ({ asOf: 1, items: [] }),
    'catalog.flavors': () => ({ asOf: 1, items: [flavor], currencyAssumed: true }),
    'catalog.images': () => ({ asOf: 1, items: [] }),
    'creation.keys': () => [],
  })
  expect([window.text().includes('2.10 USD'), window.text().includes(assumed)]).toEqual([true, true])
  const known = { currency: 'EUR', currencyAssumed: false }
  window.main.emit('catalog.currencyChanged', { account: 'abcdefghij99', ...known, currency: 'CHF' })
  window.main.emit('catalog.currencyChanged', { account, ...known })
  await window.settled()
  expect([window.text().includes('2.10 EUR'), window.text().includes(assumed)]).toEqual([true, false])
})

it('spending per day says where its currency is assumed', async () => {
  const days = (isAssumed: boolean): CostDays => ({
    account,
    timeZone: 'UTC',
    asOf: 1,
    history: 'complete',
    starts: Float64Array.of(1_700_000_000),
    end: 1_700_086_400,
    currencies: [{ currency: 'USD', assumed: isAssumed, series: [] }],
  })
  for (const isAssumed of [true, false]) {
    window = await mounted(() => h(SpendingPerDay), { 'cost.days': () => days(isAssumed) })
    expect(window.text().includes(assumed)).toBe(isAssumed)
    if (isAssumed) window.unmount()
  }
})

it('a machine that is charged in two currencies shows both among what runs', async () => {
  const cost = { id: 'm-train', name: 'train-llama-01', type: 'vm', createdAt: 1, soFar: null }
  window = await mounted(() => h(RunningMachines), {
    'cost.active': (input) =>
      input.account === account
        ? [
            { ...cost, currency: 'USD', perHour: 19_920_000 },
            { ...cost, currency: 'EUR', perHour: 3_000_000 },
          ]
        : [],
  })
  const row = window.all('tr').find((one) => one.textContent.includes('train-llama-01'))
  expect(row?.textContent).toMatch(/19\.92 USD.*3\.00 EUR/)
})

it('the question for a currency is about the account that it was asked of, and its failure goes', async () => {
  const shown = ref(account)
  const set: unknown[] = []
  window = await mounted(() => h(CurrencyNote, { account: shown.value }), {
    'cost.currency': ({ account: id }) => ({ currency: id === account ? 'USD' : 'EUR', chosen: true }),
    'cost.setCurrency': (input) => {
      set.push(input)
      throw new FailureError({ kind: 'disk-full' })
    },
  })
  await window.click(t('billing.costs.change'))
  await window.submit()
  expect([set, window.all('dialog [role=alert]').length]).toEqual([[{ account, currency: 'USD' }], 1])
  await window.type(window.find('dialog input'), 'CHF')
  expect(window.all('dialog [role=alert]')).toEqual([])
  shown.value = sandboxAccount.id
  await window.settled()
  expect(window.all('dialog')).toEqual([])
  expect(window.text()).toContain('EUR')
})
