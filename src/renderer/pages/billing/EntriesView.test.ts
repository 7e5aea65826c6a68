// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h, ref } from 'vue'
import type { BilledResource, StatementView, UsageView } from '#shared/bridge/billing'
import type { Handlers } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, accountView, now, usd } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import EntriesView from './EntriesView.vue'
import { type FilterDraft, noFilter, type TableName } from './filter'

let window: Mounted
afterEach(() => window.unmount())

const resource: BilledResource = { id: 'm-train', name: 'train-llama-01', type: 'vm', ended: false }
const amount = { money: usd(12.5), assumed: false }
const statement = (id: string): StatementView => ({
  id,
  resource,
  startedAt: now - 7_200,
  dueAt: now - 3_600,
  type: 'lease_fee',
  status: 'paid',
  amount,
})
const usage: UsageView = {
  id: 'u-1',
  resource,
  createdAt: now - 7_200,
  terminatedAt: null,
  minutes: 120,
  perHour: amount,
  total: amount,
  status: 'active',
}
const total = {
  entries: 2,
  amounts: [amount],
  unreadable: 0,
  complete: true,
  source: { kind: 'service' as const },
}

async function open(handlers: Partial<Handlers> = {}, draft: FilterDraft = noFilter) {
  const table = ref<TableName>('statements')
  const filter = ref(draft)
  const { seen, on } = emissions('show')
  window = await mounted(
    () =>
      h(EntriesView, {
        table: table.value,
        filter: filter.value,
        ...on,
        'onUpdate:filter': (next: FilterDraft) => (filter.value = next),
      }),
    {
      'billing.statements': () => ({ items: [statement('s-1'), statement('s-2')], total: 2 }),
      'billing.usage': () => ({ items: [usage], total: 1 }),
      'billing.total': () => total,
      'billing.resources': () => [],
      ...handlers,
    },
  )
  return { table, seen }
}
const asked = (call: string) => window.main.calls.flatMap(([name, input]) => (name === call ? [input] : []))
const rows = () => window.all('[role=row][aria-selected]')
async function press(column: 'amount' | 'name'): Promise<void> {
  const heads = window.all('[role=columnheader] button')
  const head = heads.find((one) => one.textContent?.includes(t(`billing.columns.${column}`)))
  await window.click(head ?? expect.fail(column))
}
const sorted = (descending: boolean, sort: string) => ({ query: { kind: 'statements', sort, descending } })

describe('a billing table', () => {
  it('starts with the newest entry and is sorted by the service', async () => {
    const { table } = await open()
    expect(asked('billing.statements')).toMatchObject([{ account, offset: 0, ...sorted(true, 'startedAt') }])
    expect(rows()).toHaveLength(2)
    // Numbers start descending and texts ascending; a second click reverses them.
    await press('amount')
    expect(asked('billing.statements').at(-1)).toMatchObject(sorted(true, 'amount'))
    await press('amount')
    expect(asked('billing.statements').at(-1)).toMatchObject(sorted(false, 'amount'))
    table.value = 'usage'
    await window.settled()
    await press('name')
    expect(asked('billing.usage').at(-1)).toMatchObject({ query: { sort: 'name', descending: false } })
  })

  it('closes its panel when the other table is chosen', async () => {
    const { table } = await open()
    await window.click(rows()[0] ?? expect.fail())
    expect(window.all('aside')).toHaveLength(1)
    table.value = 'usage'
    await window.settled()
    expect(window.all('aside')).toEqual([])
    expect(asked('billing.usage')).toMatchObject([
      { query: { kind: 'usage', sort: 'total', descending: true } },
    ])
    expect(rows()).toHaveLength(1)
  })

  it('distinguishes no entries from no matches', async () => {
    const none = { 'billing.statements': () => ({ items: [], total: 0 }) }
    await open(none)
    expect(window.text()).toContain(t('billing.empty.statements'))
    window.unmount()
    await open(none, { ...noFilter, status: 'paid' })
    expect(asked('billing.statements')).toMatchObject([{ query: { filter: { status: 'paid' } } }])
    expect(window.text()).toContain(t('billing.noMatch.title'))
    expect(window.text()).not.toContain(t('billing.empty.statements'))
  })

  it('shows a failure and reloads list and sum', async () => {
    let isRefused = true
    await open({
      'billing.statements': () => {
        if (isRefused) throw new FailureError({ kind: 'offline' })
        return { items: [statement('s-1')], total: 1 }
      },
    })
    expect(window.all('.failure')).toHaveLength(1)
    isRefused = false
    const sums = asked('billing.total').length
    await window.click(t('common.actions.retry'))
    expect(window.all('.failure')).toEqual([])
    expect(rows()).toHaveLength(1)
    expect(asked('billing.total').length).toBeGreaterThan(sums)
  })

  it('sends no request while signed out', async () => {
    await open({
      'accounts.list': () => ({ accounts: [accountView({ state: 'signed-out' })], selected: account }),
    })
    expect(window.text()).toContain(t('billing.signedOut.title', { account: accountView().label }))
    expect([...asked('billing.statements'), ...asked('billing.total')]).toEqual([])
  })
})
