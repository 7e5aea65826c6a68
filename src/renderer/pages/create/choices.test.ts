// @vitest-environment happy-dom
import '../../../../test/gallery/fake-main'
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { FlavorView, RegionRef } from '#shared/bridge/catalog'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { usd } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import FlavorChoice from './FlavorChoice.vue'
import RegionChoice from './RegionChoice.vue'

let window: Mounted
afterEach(() => window.unmount())

const oslo = { id: 'o', name: 'Oslo' }
const flavor = (name: string, changes: Partial<FlavorView> = {}): FlavorView => ({
  ...{ id: name, name, region: oslo, price: usd(1), cpu: 8, ram: 64, disk: 200, ephemeral: 0 },
  ...{ gpu: null, gpuCount: null, bandwidth: null, inStock: true, cycle: 'hourly' },
  ...changes,
})
const radios = () => window.all('input[type=radio]')
const linesOf = (selector: string) =>
  window.all(selector).map((line) => (line.textContent ?? '').replace(/\s+/g, ' ').trim())

describe('RegionChoice', () => {
  const { seen, on } = emissions('update:modelValue')
  async function open(regions: readonly RegionRef[], flavors: readonly FlavorView[], invalid = false) {
    seen.length = 0
    window = await mounted(() =>
      h(RegionChoice, {
        ...{ offer: { regions, flavors, images: [], keys: [] }, invalid, modelValue: 'o', ...on },
      }),
    )
  }
  const counts = (inStock: number, count: number) => t('creation.region.counts', { inStock, count })

  it('counts the flavors of each region, and those in stock; where that is unknown they may be', async () => {
    await open(
      [oslo, { id: 'd', name: 'Dallas' }],
      [flavor('a'), flavor('b', { inStock: null }), flavor('c', { inStock: false })],
    )
    expect(linesOf('label')).toEqual([`Oslo${counts(2, 3)}`, `Dallas${counts(0, 0)}`])
  })

  it('takes a flavor whose region has a name alone, and leaves out a region of which nothing is known', async () => {
    await open(
      [
        { id: null, name: texts.html },
        { id: null, name: null },
      ],
      [flavor('a', { region: { id: null, name: texts.html } })],
    )
    expect(linesOf('label')).toEqual([`${texts.html}${counts(1, 1)}`])
    expect(window.all('label img')).toEqual([])
  })

  it('names a region by its id where it has no name', async () => {
    await open([{ id: 'r-7', name: null }], [])
    expect(linesOf('.name')).toEqual(['r-7'])
  })

  it('chooses by the key of the region, and says that one is missing', async () => {
    await open([oslo, { id: 'd', name: 'Dallas' }], [], true)
    expect(window.find('[role=radiogroup]').getAttribute('aria-invalid')).toBe('true')
    radios()[1]?.dispatchEvent(new Event('change'))
    await window.settled()
    expect(seen).toEqual([['update:modelValue', 'd']])
  })
})

describe('FlavorChoice', () => {
  const { seen, on } = emissions('update:modelValue')
  async function open(flavors: readonly FlavorView[], others: object = {}) {
    seen.length = 0
    window = await mounted(() =>
      h(FlavorChoice, { flavors, kind: 'machine', invalid: false, modelValue: null, ...on, ...others }),
    )
  }
  const names = () => linesOf('td.flavor')

  it('lists the cheapest first, and what has no price last, by name', async () => {
    await open([
      flavor('z', { price: null }),
      flavor('dear', { price: usd(20) }),
      flavor('cheap', { price: usd(0.1) }),
      flavor('y', { price: null }),
    ])
    expect(names()).toEqual(['cheap', 'dear', 'y', 'z'])
  })

  it('finds a flavor by words of its name and of its GPU, in any order, and keeps the chosen one', async () => {
    await open(
      [
        flavor('gpu-8', { gpu: 'H100' }),
        flavor('gpu-1', { gpu: 'A100' }),
        flavor('cpu-4'),
        flavor(texts.html),
      ],
      { modelValue: 'cpu-4' },
    )
    await window.type(window.find('.filter input'), ' h100  GPU ')
    expect(names()).toEqual(['cpu-4', 'gpu-8'])
    await window.type(window.find('.filter input'), '<img')
    expect(names()).toEqual([texts.html, 'cpu-4'])
    expect(window.all('table img')).toEqual([])
  })

  it('leaves out what is sold out where the person asks so, but not what may be in stock', async () => {
    await open([flavor('a'), flavor('b', { inStock: false }), flavor('c', { inStock: null })])
    await window.click(window.find('[role=checkbox]'))
    expect(names()).toEqual(['a', 'c'])
    expect(linesOf('td.stock')).toEqual([t('creation.flavor.inStock'), t('creation.flavor.stockUnknown')])
  })

  it('says that nothing fits', async () => {
    await open([flavor('a')])
    await window.type(window.find('.filter input'), 'b200')
    expect(window.text()).toContain(t('creation.flavor.none'))
  })

  it('chooses with a click anywhere in the row, and nothing that is sold out', async () => {
    await open([flavor('a'), flavor('b', { inStock: false })])
    const [first, second] = window.all('tbody tr')
    await window.click(second ?? document.body)
    expect(seen).toEqual([])
    expect(radios().map((radio) => radio.hasAttribute('disabled'))).toEqual([false, true])
    await window.click(first ?? document.body)
    expect(seen).toEqual([['update:modelValue', 'a']])
  })

  it('shows the temporary disk of machines alone: bare metal has none', async () => {
    await open([flavor('a')])
    expect(linesOf('th')).toContain(t('creation.flavor.columns.ephemeral'))
    window.unmount()
    await open([flavor('a')], { kind: 'bare-metal' })
    expect(linesOf('th')).not.toContain(t('creation.flavor.columns.ephemeral'))
  })
})
