// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { defineComponent, h, onMounted } from 'vue'
import type { FlavorView } from '#shared/bridge/catalog'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import CostSummary from './CostSummary.vue'
import { useOffer } from './use-offer'

let window: Mounted
afterEach(() => window.unmount())
const assumed = t('overview.assumed', { currency: 'USD' })

it('prices get the account’s currency when the balance reports it', async () => {
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
