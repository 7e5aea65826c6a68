// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h } from 'vue'
import { FailureError } from '#shared/failure'
import type { Handlers } from '#shared/bridge/index'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import ColumnChooser from './ColumnChooser.vue'
import CostCell from './CostCell.vue'

let window: Mounted
afterEach(() => window.unmount())

describe('the choice of columns', () => {
  const open = async (hiddenColumns: readonly string[], handlers: Partial<Handlers> = {}) => {
    window = await mounted(() => h(ColumnChooser), {
      'settings.read': () => ({
        theme: 'system',
        terminal: null,
        terminalFontSize: 13,
        locale: 'system',
        hiddenColumns: [...hiddenColumns],
      }),
      ...handlers,
    })
  }
  const address = { column: t('machines.columns.address') }
  const changes = () => window.main.calls.filter(([name]) => name === 'settings.change')

  it('hides a column that is shown, and shows one that is hidden, by keyboard alone', async () => {
    await open(['region'], {
      'settings.change': ({ hiddenColumns = [] }) => ({
        theme: 'system',
        terminal: null,
        terminalFontSize: 13,
        locale: 'system',
        hiddenColumns,
      }),
    })
    const button = window.named(t('machines.columns.choose'))
    button.focus()
    await window.click(button)
    expect(document.activeElement?.getAttribute('role')).toBe('menuitem')
    expect(window.all('[role=menuitem]').map((one) => one.textContent.trim())).toContain(
      t('machines.columns.show', { column: t('machines.columns.region') }),
    )
    await window.click(t('machines.columns.hide', address))
    expect(changes().at(-1)?.[1]).toEqual({ hiddenColumns: ['region', 'address'] })
    expect(document.activeElement).toBe(button)
  })

  it('never offers to hide the name or the state', async () => {
    await open([])
    await window.click(t('machines.columns.choose'))
    const labels = window.all('[role=menuitem]').map((one) => one.textContent.trim())
    for (const column of [t('machines.columns.name'), t('machines.columns.state')])
      expect(labels).not.toContain(t('machines.columns.hide', { column }))
  })

  it('says why a choice could not be kept', async () => {
    await open([], {
      'settings.change': () => {
        throw new FailureError({ kind: 'disk-full' })
      },
    })
    await window.click(t('machines.columns.choose'))
    await window.click(t('machines.columns.hide', address))
    expect(window.text()).toContain(t('failures.disk-full.title'))
  })
})

it('a small price per hour is shown with the digits that say something, in each currency', async () => {
  const small = { id: 'a', name: 'a', type: 'vm', createdAt: 1, currency: 'USD', perHour: 4_200, soFar: null }
  window = await mounted(() => h(CostCell, { account, machine: 'a', which: 'perHour' }), {})
  const { useActiveCosts } = await import('../../stores/active-costs')
  useActiveCosts().values.set(
    account,
    new Map([['a', [small, { ...small, currency: 'EUR', perHour: 3_000_000 }]]]),
  )
  await window.settled()
  expect(window.text()).toContain('0.0042 USD + 3.00 EUR')
})
