// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h, nextTick, ref } from 'vue'
import type { Failure } from '#shared/failure'
import { failureText } from '#shared/messages/failure-text'
import { emissions, mounted, type Mounted } from '../../../test/gallery/mounted'
import { draw } from '../../../test/gallery/state'
import { texts } from '../../../test/gallery/texts'
import { machines } from '../../../test/gallery/world'
import { t, tPath } from '../platform/i18n'
import DataGrid from './DataGrid.vue'
import FailureNotice from './FailureNotice.vue'
import FilterBox from './FilterBox.vue'
import SelectionBar from './list/SelectionBar.vue'
import StaleNotice from './list/StaleNotice.vue'
import type { Selection } from './grid/selection'

let window: Mounted
afterEach(() => window.unmount())

describe('DataGrid', () => {
  const columns = [
    { key: 'name', label: 'Name', min: 100, grow: 1, dropOrder: 0 },
    { key: 'status', label: 'State', min: 100, grow: 1, dropOrder: 1, unsorted: true },
  ]
  const ids = machines.map(({ id }) => id)
  async function open() {
    const selection = ref<Selection>({ chosen: new Set(), anchor: null })
    const opened = ref<string | null>(null)
    const label = ref('Machines')
    const { seen, on } = emissions('sort', 'open', 'close', 'menu', 'key')
    window = await mounted(() =>
      draw(
        DataGrid,
        {
          label: label.value,
          rows: machines,
          columns,
          sorting: { key: 'name', descending: true },
          opened: opened.value,
          nameOf: ({ name }: { name: string }) => name,
          selection: selection.value,
          'onUpdate:selection': (next: Selection) => (selection.value = next),
          ...on,
        },
        {
          cell: ({ row, column }: { row: { name: string }; column: string }) =>
            column === 'name' ? h('span', row.name) : null,
        },
      ),
    )
    const grid = window.find('[role=grid]')
    grid.focus()
    const press = (key: string, more: KeyboardEventInit = {}) => window.press(grid, key, more)
    const active = () =>
      document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent
    return { grid, press, seen, selection, opened, label, active }
  }

  it('keeps the focus and names the active row of the arrow keys', async () => {
    const { press, active } = await open()
    await press('ArrowDown')
    expect(active()).toBe(machines[0]?.name)
    await press('End')
    expect(active()).toBe(machines.at(-1)?.name)
    await press('ArrowDown')
    expect(active()).toBe(machines.at(-1)?.name)
    await press('Home')
    expect(active()).toBe(machines[0]?.name)
  })

  it('starts another list at its top', async () => {
    const { grid, press, label, active } = await open()
    await press('End')
    grid.scrollTop = 100
    label.value = 'Other machines'
    await nextTick()
    expect([grid.scrollTop, active()]).toEqual([0, undefined])
    await press('ArrowDown')
    expect(active()).toBe(machines[0]?.name)
  })

  it('opens the active row with Enter and closes with Escape', async () => {
    const { press, seen } = await open()
    await press('Home')
    await press('Enter')
    await press('Escape')
    expect(seen).toEqual([['open', ids[0]], ['close']])
  })

  it('selects with Space, ranges with Shift, all with Ctrl+A, and deselects with Escape before closing', async () => {
    const { press, seen, selection } = await open()
    await press('Home')
    await press(' ')
    expect([...selection.value.chosen]).toEqual([ids[0]])
    await press('ArrowDown', { shiftKey: true })
    await press('ArrowDown', { shiftKey: true })
    expect([...selection.value.chosen]).toEqual(ids.slice(0, 3))
    await press('a', { ctrlKey: true })
    expect(selection.value.chosen.size).toBe(ids.length)
    await press('Escape')
    expect(selection.value.chosen.size).toBe(0)
    expect(seen).toEqual([])
  })

  it('opens the menu of the active row and emits keys that it does not handle', async () => {
    const { press, seen } = await open()
    await press('Home')
    await press('m')
    await press('F10', { shiftKey: true })
    const key = await press('r')
    expect(seen).toEqual([
      ['menu', ids[0], expect.any(HTMLElement)],
      ['menu', ids[0], expect.any(HTMLElement)],
      ['key', key, ids[0]],
    ])
    expect(key.defaultPrevented).toBe(false)
  })

  it('reports its sorting and emits another one', async () => {
    const { seen } = await open()
    expect(window.all('[role=columnheader][aria-sort]').map((one) => one.getAttribute('aria-sort'))).toEqual([
      'descending',
    ])
    window.find('[role=columnheader] button').click()
    expect(seen).toEqual([['sort', 'name']])
  })

  it('counts all rows for screen readers, including those not rendered', async () => {
    const { grid } = await open()
    expect(grid.getAttribute('aria-rowcount')).toBe(String(machines.length + 1))
    expect(grid.getAttribute('aria-multiselectable')).toBe('true')
  })
})

describe('FilterBox', () => {
  async function open(value: string) {
    const { seen, on } = emissions('down', 'update:modelValue')
    window = await mounted(() => h(FilterBox, { label: 'Filter', placeholder: '', modelValue: value, ...on }))
    return { seen, input: window.find('input') }
  }

  it('is focused by the slash key, but not from a field or with Ctrl', async () => {
    const { input } = await open('')
    await window.press(document.body, '/', { ctrlKey: true })
    expect(document.activeElement).not.toBe(input)
    const event = await window.press(document.body, '/')
    expect(document.activeElement).toBe(input)
    expect(event.defaultPrevented).toBe(true)
    expect((await window.press(input, '/')).defaultPrevented).toBe(false)
  })

  it('is cleared by Escape and left by a second Escape', async () => {
    const { seen, input } = await open('llama')
    await window.press(input, 'Escape')
    expect(seen).toEqual([['update:modelValue', '']])
    window.unmount()
    const empty = await open('')
    await window.press(empty.input, 'Escape')
    expect(empty.seen).toEqual([['down']])
  })

  it('moves to the list by the arrow down and Enter, but not during a composition', async () => {
    const { seen, input } = await open('llama')
    await window.press(input, 'Enter', { isComposing: true })
    expect(seen).toEqual([])
    await window.press(input, 'ArrowDown')
    await window.press(input, 'Enter')
    expect(seen).toEqual([['down'], ['down']])
  })

  it('is cleared by Enter on its button and keeps the focus when Escape removes the button', async () => {
    const text = ref('llama')
    const { seen, on } = emissions('down')
    window = await mounted(() =>
      h(FilterBox, {
        label: 'Filter',
        placeholder: '',
        modelValue: text.value,
        ...on,
        'onUpdate:modelValue': (next: string) => (text.value = next),
      }),
    )
    const clear = window.named(t('common.filter.clear'))
    clear.focus()
    const enter = await window.press(clear, 'Enter')
    expect([enter.defaultPrevented, seen]).toEqual([false, []])
    await window.press(clear, 'Escape')
    expect(text.value).toBe('')
    expect(document.activeElement).toBe(window.find('input'))
  })

  it('is focused by a press anywhere in the box', async () => {
    const { input } = await open('')
    window.find('.filter svg').dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
    expect(document.activeElement).toBe(input)
  })
})

describe('FailureNotice', () => {
  const show = async (failure: Failure, others: object = {}) => {
    const { seen, on } = emissions('retry', 'signIn', 'dismiss')
    window = await mounted(() => h(FailureNotice, { failure, ...others, ...on }))
    return seen
  }

  it('shows the failure, its reason and the next step as an alert', async () => {
    const failure: Failure = { kind: 'timed-out', host: 'api.example.com', seconds: 30 }
    const seen = await show(failure, { retryable: true, signInable: true })
    const { title, text, next } = failureText(failure, tPath)
    const notice = window.find('[role=alert]').textContent
    for (const words of [title, text, next]) expect(notice).toContain(words)
    await window.click(t('common.actions.retry'))
    expect(seen).toEqual([['retry']])
  })

  it('offers the sign-in if the user is signed out', async () => {
    const seen = await show(
      { kind: 'not-signed-in', reason: 'expired' },
      { retryable: true, signInable: true },
    )
    expect(window.all('button')).toHaveLength(1)
    await window.click(t('common.actions.signInAgain'))
    expect(seen).toEqual([['signIn']])
  })

  it('has no buttons without a next step', async () => {
    await show({ kind: 'offline' })
    expect(window.all('button')).toEqual([])
  })

  it('shows the service’s message as text and cuts it', async () => {
    await show({ kind: 'refused-by-service', message: texts.html, status: 500 })
    expect(window.find('[role=alert]').textContent).toContain(texts.html)
    expect(window.all('[role=alert] img, [role=alert] script')).toEqual([])
    window.unmount()
    await show({ kind: 'refused-by-service', message: texts.huge, status: 500 })
    expect(window.find('[role=alert]').textContent.length).toBeLessThan(2_000)
  })
})

describe('StaleNotice', () => {
  it('names the end of a requested pause and offers an immediate retry', async () => {
    const { seen, on } = emissions('retry')
    const failure: Failure = { kind: 'rate-limited', retryAfter: 40, until: 1_790_000_040 }
    const props = { failure, asOf: 1_790_000_000, incomplete: null, busy: false, ...on }
    window = await mounted(() => h(StaleNotice, props))
    const { title, next } = failureText(failure, tPath)
    for (const words of [title, next]) expect(window.find('[role=status]').textContent).toContain(words)
    await window.click(t('common.actions.tryNow'))
    expect(seen).toEqual([['retry']])
  })
})

describe('SelectionBar', () => {
  const items = [
    { id: 'stop', label: 'Stop' },
    { id: 'rename', label: 'Rename', disabledReason: 'One at a time.' },
  ]
  it('offers the actions and the reasons of disabled ones', async () => {
    const { seen, on } = emissions('choose', 'clear')
    window = await mounted(() => h(SelectionBar, { label: 'Chosen', count: 2, items, ...on }))
    const rename = window.named('Rename')
    expect([rename.hasAttribute('disabled'), rename.title]).toEqual([true, 'One at a time.'])
    await window.click('Stop')
    await window.click(t('common.selection.none'))
    expect(seen).toEqual([['choose', 'stop'], ['clear']])
  })
  it('is hidden without a selection', async () => {
    window = await mounted(() => h(SelectionBar, { label: 'Chosen', count: 0, items }))
    expect(window.all('[role=toolbar]')).toEqual([])
  })
})
