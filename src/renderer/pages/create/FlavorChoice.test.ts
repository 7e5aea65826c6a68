// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import type { FlavorView } from '#shared/bridge/catalog'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { usd } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import FlavorChoice from './FlavorChoice.vue'
import { gpuGroups } from './gpu-groups'

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

describe('FlavorChoice', () => {
  const { seen, on } = emissions('update:modelValue')
  const keyOf = (flavors: readonly FlavorView[], name: string): string =>
    gpuGroups(flavors)
      .flatMap(({ sizes }) => sizes)
      .find(({ best }) => best.name === name)?.key ?? expect.fail()
  async function open(flavors: readonly FlavorView[], chosen: string | null = null, others: object = {}) {
    seen.length = 0
    const modelValue = chosen === null ? null : keyOf(flavors, chosen)
    window = await mounted(() =>
      h(FlavorChoice, {
        groups: gpuGroups(flavors),
        kind: 'machine',
        invalid: false,
        modelValue,
        ...on,
        ...others,
      }),
    )
  }
  const names = () => linesOf('td.flavor')
  const tiles = () => linesOf('.tile .name')
  const fleet = [
    flavor('h100.1x', { gpu: 'H100', gpuCount: 1, price: usd(2.5) }),
    flavor('h100.8x', { gpu: 'NVIDIA H100 80GB SXM', gpuCount: 8, price: usd(20) }),
    flavor('a100.1x', { gpu: 'NVIDIA A100 80GB', gpuCount: 1, price: usd(1.4) }),
    flavor('b200.8x', { gpu: 'NVIDIA B200', gpuCount: 8, price: usd(1), inStock: false }),
    flavor('cpu-4', { gpu: '', gpuCount: 0, price: usd(0.1) }),
  ]

  it('lists GPUs with memory, counts, lowest price and stock, sold out ones and CPUs last', async () => {
    await open(fleet)
    expect(tiles()).toEqual(['A100', 'H100 SXM', 'B200', t('creation.gpu.no-gpu')])
    expect(linesOf('.tile')[1]).toBe(
      `H100 SXM${t('creation.gpu.from', { price: '2.50 USD' })}80 GB · ${t('creation.gpu.counts', { counts: '1 or 8' }, 8)}${t('creation.gpu.stock.in-stock')}`,
    )
    expect(names()).toEqual([])
  })

  it('chooses the cheapest size of a GPU and lists its sizes', async () => {
    await open(fleet, 'a100.1x')
    expect(names()).toEqual(['a100.1x'])
    radios()[1]?.dispatchEvent(new Event('change'))
    await window.settled()
    expect(seen).toEqual([['update:modelValue', keyOf(fleet, 'h100.1x')]])
  })

  it('chooses the first match with Enter, in the typed count', async () => {
    await open(fleet, 'a100.1x')
    await window.type(window.find('.filter input'), 'h100 8x')
    await window.press(window.find('.filter input'), 'Enter')
    expect(seen).toEqual([['update:modelValue', keyOf(fleet, 'h100.8x')]])
  })

  it('lists sizes by price, unpriced ones last by name', async () => {
    await open([
      flavor('z', { price: null }),
      flavor('dear', { price: usd(20) }),
      flavor('cheap', { price: usd(0.1) }),
      flavor('y', { price: null }),
    ])
    expect(names()).toEqual(['cheap', 'dear', 'y', 'z'])
  })

  it('filters by words of name and GPU in any order and keeps the chosen size', async () => {
    await open(
      [
        flavor('gpu-8', { gpu: 'H100' }),
        flavor('gpu-1', { gpu: 'A100' }),
        flavor('cpu-4'),
        flavor(texts.html),
      ],
      'cpu-4',
    )
    await window.type(window.find('.filter input'), ' h100  GPU ')
    expect([tiles(), names()]).toEqual([['H100', t('creation.gpu.unknown')], ['cpu-4']])
    await window.type(window.find('.filter input'), '<img')
    expect(names()).toEqual([texts.html, 'cpu-4'])
    expect(window.all('table img')).toEqual([])
  })

  it('names a size by its flavor without a reported GPU', async () => {
    await open([flavor('s-1'), flavor('h100', { gpu: 'H100', gpuCount: 2 })], 's-1')
    expect(linesOf('td.count')).toEqual(['s-1'])
  })

  it('hides sold out sizes on request, but not unknown stock', async () => {
    await open([flavor('a'), flavor('b', { inStock: false }), flavor('c', { inStock: null })])
    await window.click(window.find('[role=checkbox]'))
    expect(names()).toEqual(['a', 'c'])
    expect(linesOf('td.stock')).toEqual([t('creation.flavor.inStock'), t('creation.flavor.stockUnknown')])
  })

  it('distinguishes no match from no offer', async () => {
    await open([flavor('a')])
    await window.type(window.find('.filter input'), 'b200')
    expect(window.text()).toContain(t('creation.flavor.none'))
    window.unmount()
    await open([])
    expect(window.text()).toContain(t('creation.gpu.noFlavors'))
  })

  it('chooses by a click anywhere in the row, sold out sizes and GPUs too', async () => {
    const flavors = [flavor('a'), flavor('b', { inStock: false })]
    await open(flavors)
    for (const row of window.all('tbody tr')) await window.click(row)
    expect(seen).toEqual(['a', 'b'].map((name) => ['update:modelValue', keyOf(flavors, name)]))
    window.unmount()
    await open(fleet)
    seen.length = 0
    radios()[2]?.dispatchEvent(new Event('change'))
    expect(seen).toEqual([['update:modelValue', keyOf(fleet, 'b200.8x')]])
  })

  it('names the cheapest region of a size whose price differs between regions', async () => {
    const elsewhere = { id: 'd', name: 'Dallas' }
    const offers = (price: number, inStock = true) => [
      flavor('a', { price: usd(2) }),
      flavor('a', { region: elsewhere, price: usd(price), inStock }),
    ]
    const line = () => window.all('.cheapest').map((one) => one.textContent)
    await open(offers(1.5), 'a')
    expect(line()).toEqual([t('creation.flavor.cheapest', { region: 'Dallas', price: '1.50 USD' })])
    window.unmount()
    await open(offers(1.5, false), 'a')
    expect(line()).toEqual([t('creation.flavor.cheapestSoldOut', { region: 'Dallas', price: '1.50 USD' })])
    window.unmount()
    await open(offers(2), 'a')
    expect(line()).toEqual([])
  })

  it('shows the temporary disk for machines but not for bare metal', async () => {
    await open([flavor('a')])
    expect(linesOf('th')).toContain(t('creation.flavor.columns.ephemeral'))
    window.unmount()
    await open([flavor('a')], null, { kind: 'bare-metal' })
    expect(linesOf('th')).not.toContain(t('creation.flavor.columns.ephemeral'))
  })
})
