// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h, ref } from 'vue'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import EntriesToolbar from './EntriesToolbar.vue'
import { type FilterDraft, noFilter, type TableName } from './filter'

let window: Mounted
afterEach(() => window.unmount())
const select = (label: string): HTMLSelectElement => {
  const found = window.find(`select[aria-label="${label}"]`)
  return found instanceof HTMLSelectElement ? found : expect.fail()
}
const values = (label: string) => [...select(label).options].map(({ value }) => value)
async function choose(label: string, value: string): Promise<void> {
  select(label).value = value
  select(label).dispatchEvent(new Event('change', { bubbles: true }))
  await window.settled()
}

describe('EntriesToolbar', () => {
  const filter = ref<FilterDraft>(noFilter)
  async function open(table: TableName, draft: FilterDraft = noFilter) {
    filter.value = draft
    const { seen, on } = emissions('refresh')
    window = await mounted(
      () =>
        h(EntriesToolbar, {
          account,
          table,
          timeZone: 'UTC',
          busy: false,
          ...on,
          seen: { status: ['odd'], type: ['licence'], charge: ['setup_fee'] },
          modelValue: filter.value,
          'onUpdate:modelValue': (next: FilterDraft) => (filter.value = next),
        }),
      { 'billing.resources': () => [] },
    )
    return seen
  }

  it('a filter offers known, seen and selected values once each', async () => {
    await open('statements', { ...noFilter, status: 'overdue', resourceType: 'vm' })
    expect(values(t('billing.filters.status'))).toEqual(['*', 'paid', 'odd', 'overdue'])
    expect(values(t('billing.filters.resourceType'))).toEqual(['*', 'vm', 'volume', 'licence'])
    expect(values(t('billing.filters.chargeType'))).toEqual(['*', 'lease_fee', 'setup_fee'])
    expect(select(t('billing.filters.status')).value).toBe('overdue')
  })

  it('the usage table has no filter for the kind of charge', async () => {
    await open('usage')
    expect(window.all(`select[aria-label="${t('billing.filters.chargeType')}"]`)).toEqual([])
  })

  it('a change of one filter keeps the other filters', async () => {
    await open('statements', { ...noFilter, status: 'paid' })
    await choose(t('billing.filters.resourceType'), 'volume')
    expect(filter.value).toEqual({ ...noFilter, status: 'paid', resourceType: 'volume' })
    await choose(t('billing.filters.status'), '*')
    expect(filter.value).toEqual({ ...noFilter, resourceType: 'volume' })
  })

  it('the period of dates shows two date fields that limit each other', async () => {
    await open('statements')
    expect(window.all('input[type=date]')).toEqual([])
    await choose(t('billing.filters.period'), 'dates')
    const [first, last] = window.all('input[type=date]')
    if (!(first instanceof HTMLInputElement && last instanceof HTMLInputElement)) expect.fail()
    first.value = '2026-03-02'
    first.dispatchEvent(new Event('change', { bubbles: true }))
    await window.settled()
    expect(filter.value).toEqual({ ...noFilter, period: 'dates', first: '2026-03-02' })
    expect(last.min).toBe('2026-03-02')
  })

  it('the clear button appears with a filter, and the refresh button reloads', async () => {
    const seen = await open('statements')
    expect(() => window.named(t('billing.filters.clear'))).toThrow()
    await choose(t('billing.filters.period'), 'month')
    await window.click(t('billing.filters.clear'))
    expect(filter.value).toEqual(noFilter)
    await window.click(t('common.actions.refresh'))
    expect(seen).toEqual([['refresh']])
  })
})
