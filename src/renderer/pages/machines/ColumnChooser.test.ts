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
import type { MachineColumn } from './machine-rows'

let window: Mounted
afterEach(() => window.unmount())

describe('the choice of columns', () => {
  const open = async (
    hiddenColumns: readonly string[],
    handlers: Partial<Handlers> = {},
    fitting: readonly MachineColumn[] | null = null,
  ) => {
    window = await mounted(() => h(ColumnChooser, { fitting }), {
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
  const address = t('machines.columns.address')
  const items = () => window.all('[role=menuitemcheckbox]')
  const labelOf = (item: HTMLElement) => item.textContent.trim()
  const itemOf = (label: string) =>
    items().find((item) => labelOf(item).startsWith(label)) ?? expect.fail(`no ${label}`)
  const changes = () => window.main.calls.filter(([name]) => name === 'settings.change')

  it('hides and shows a column by keyboard', async () => {
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
    expect(document.activeElement?.getAttribute('role')).toBe('menuitemcheckbox')
    expect(itemOf(t('machines.columns.region')).getAttribute('aria-checked')).toBe('false')
    expect(itemOf(address).getAttribute('aria-checked')).toBe('true')
    await window.click(itemOf(address))
    expect(changes().at(-1)?.[1]).toEqual({ hiddenColumns: ['region', 'address'] })
    expect(document.activeElement).toBe(button)
  })

  it('does not offer to hide the name or the state', async () => {
    await open([])
    await window.click(t('machines.columns.choose'))
    const labels = items().map(labelOf)
    for (const column of [t('machines.columns.name'), t('machines.columns.state')])
      expect(labels).not.toContain(column)
  })

  it('names the chosen columns that do not fit', async () => {
    await open(['region'], {}, ['name', 'state', 'gpu'])
    await window.click(t('machines.columns.choose'))
    const hint = t('machines.columns.doesNotFit')
    expect(labelOf(itemOf(address))).toContain(hint)
    expect(labelOf(itemOf(t('machines.columns.gpu')))).not.toContain(hint)
    expect(labelOf(itemOf(t('machines.columns.region')))).not.toContain(hint)
  })

  it('shows why a choice could not be stored', async () => {
    await open([], {
      'settings.change': () => {
        throw new FailureError({ kind: 'disk-full' })
      },
    })
    await window.click(t('machines.columns.choose'))
    await window.click(itemOf(address))
    expect(window.text()).toContain(t('failures.disk-full.title'))
  })
})

it('a small price per hour is shown with its significant digits in each currency', async () => {
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
