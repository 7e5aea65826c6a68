// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { FlavorView, RegionRef } from '#shared/bridge/catalog'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { usd } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { placesOf } from './gpu-groups'
import RegionChoice from './RegionChoice.vue'

let window: Mounted
afterEach(() => window.unmount())
const oslo = { id: 'o', name: 'Oslo' }
const flavor = (name: string, changes: Partial<FlavorView> = {}): FlavorView => ({
  id: name,
  name,
  region: oslo,
  price: usd(1),
  cpu: 8,
  ram: 64,
  disk: 200,
  ephemeral: 0,
  gpu: null,
  gpuCount: null,
  bandwidth: null,
  inStock: true,
  cycle: 'hourly',
  ...changes,
})
const radios = () => window.all('input[type=radio]')
const linesOf = (selector: string) =>
  window.all(selector).map((line) => (line.textContent ?? '').replace(/\s+/g, ' ').trim())

describe('RegionChoice', () => {
  const { seen, on } = emissions('update:modelValue')
  async function open(regions: readonly RegionRef[], offers: readonly FlavorView[], invalid = false) {
    seen.length = 0
    window = await mounted(() =>
      h(RegionChoice, { places: placesOf({ offers }, regions), invalid, modelValue: 'o', ...on }),
    )
  }
  const stock = (kind: 'in-stock' | 'unknown' | 'sold-out', price = '1.00 USD') =>
    `${t('creation.region.price', { price })} · ${t(`creation.gpu.stock.${kind}`)}`
  const dallas = { id: 'd', name: 'Dallas' }

  it('shows price and stock of each region, in stock first, sold out last but available', async () => {
    await open(
      [oslo, dallas, { id: 'p', name: 'Paris' }],
      [
        flavor('a', { inStock: false, price: usd(0.5) }),
        flavor('a', { region: dallas, inStock: null }),
        flavor('a', { region: { id: 'p', name: 'Paris' }, price: usd(2) }),
      ],
    )
    expect(linesOf('label')).toEqual([
      `Paris${stock('in-stock', '2.00 USD')}`,
      `Dallas${stock('unknown')}`,
      `Oslo${stock('sold-out', '0.50 USD')}`,
    ])
    expect(radios().map((radio) => radio.hasAttribute('disabled'))).toEqual([false, false, false])
  })

  it('matches a region by its name and skips an unknown region', async () => {
    await open(
      [
        { id: null, name: texts.html },
        { id: null, name: null },
      ],
      [flavor('a', { region: { id: null, name: texts.html } })],
    )
    expect(linesOf('label')).toEqual([`${texts.html}${stock('in-stock')}`])
    expect(window.all('label img')).toEqual([])
  })

  it('names a region by its id without a name, and offers flavors without a region', async () => {
    await open([{ id: 'r-7', name: null }], [flavor('a', { region: { id: null, name: null }, price: null })])
    expect(linesOf('.name')).toEqual(['r-7'])
    expect(window.text()).toContain(t('creation.gpu.unpriced'))
  })

  it("emits the region's key and marks a missing choice", async () => {
    await open([oslo, dallas], [flavor('a'), flavor('a', { region: dallas })], true)
    expect(window.find('[role=radiogroup]').getAttribute('aria-invalid')).toBe('true')
    radios()[0]?.dispatchEvent(new Event('change'))
    await window.settled()
    expect(seen).toEqual([['update:modelValue', 'd']])
  })
})
