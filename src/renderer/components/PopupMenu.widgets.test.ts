// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h, ref } from 'vue'
import { emissions, mounted, type Mounted } from '../../../test/gallery/mounted'
import { draw } from '../../../test/gallery/state'
import { texts } from '../../../test/gallery/texts'
import { withShortNames } from './middle-cut'
import PopupMenu from './PopupMenu.vue'
import SegmentedControl from './SegmentedControl.vue'
import SelectField from './SelectField.vue'
import SidePanel from './SidePanel.vue'
import AppDialog from './AppDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

const focused = () => document.activeElement?.textContent?.trim()

describe('PopupMenu', () => {
  const items = [
    { id: 'connect', label: 'Connect' },
    { id: 'stop', label: 'Stop', disabledReason: 'Not available while creating.' },
    { id: 'html', label: texts.html },
  ]
  const menu = ref<{ open(x: number, y: number): Promise<void> } | null>(null)
  async function open() {
    const { seen, on } = emissions('choose')
    window = await mounted(() => [
      h('button', { type: 'button' }, 'Opener'),
      h(PopupMenu, { ref: menu, label: 'Machine', items, ...on }),
    ])
    window.named('Opener').focus()
    await menu.value?.open(10, 10)
    return seen
  }

  it('focuses its first item and wraps around with the arrow keys', async () => {
    await open()
    const list = window.find('[role=menu]')
    expect(focused()).toBe('Connect')
    await window.press(list, 'ArrowUp')
    expect(focused()).toBe(texts.html)
    await window.press(list, 'ArrowDown')
    expect(focused()).toBe('Connect')
    await window.press(list, 'End')
    expect(focused()).toBe(texts.html)
    await window.press(list, 'Home')
    expect(focused()).toBe('Connect')
  })

  it('moves to the next item that begins with a typed letter', async () => {
    await open()
    const list = window.find('[role=menu]')
    await window.press(list, 's')
    expect(focused()).toContain('Stop')
    for (const [key, more] of [['x'], ['c', { ctrlKey: true }]] as const) await window.press(list, key, more)
    expect(focused()).toContain('Stop')
    await window.press(list, 'C')
    expect(focused()).toBe('Connect')
  })

  it('closes with Escape and restores the focus', async () => {
    await open()
    await window.press(window.find('[role=menu]'), 'Escape')
    expect(window.find('[role=menu]').matches(':popover-open')).toBe(false)
    expect(focused()).toBe('Opener')
  })

  it('emits the chosen item once and closes', async () => {
    const seen = await open()
    await window.click('Connect')
    expect(seen).toEqual([['choose', 'connect']])
    expect(window.find('[role=menu]').matches(':popover-open')).toBe(false)
  })

  it('shows the reason of a disabled item and does not choose it', async () => {
    const seen = await open()
    const stop = window.named(/^Stop/)
    expect(stop.getAttribute('aria-disabled')).toBe('true')
    expect(stop.textContent).toContain('Not available while creating.')
    await window.click(stop)
    expect(seen).toEqual([])
    expect(window.find('[role=menu]').matches(':popover-open')).toBe(true)
  })

  it('shows markup as text', async () => {
    await open()
    expect(window.all('[role=menu] img, [role=menu] b')).toEqual([])
  })
})

describe('SegmentedControl', () => {
  const options = [
    { value: 'all', label: 'All', count: 9 },
    { value: 'running', label: 'Running' },
    { value: 'stopped', label: 'Stopped' },
  ]
  const draws = (value: string) => {
    const chosen = ref(value)
    return {
      chosen,
      render: () =>
        draw(SegmentedControl, {
          label: 'State',
          options,
          modelValue: chosen.value,
          'onUpdate:modelValue': (next: string) => (chosen.value = next),
        }),
    }
  }

  it('is one tab stop: the chosen option or the first', async () => {
    const { chosen, render } = draws('running')
    window = await mounted(render)
    const stops = () => window.all('[role=radio]').map((one) => one.tabIndex)
    expect(stops()).toEqual([-1, 0, -1])
    chosen.value = 'nothing of it'
    await window.settled()
    expect(stops()).toEqual([0, -1, -1])
  })

  it('moves choice and focus with the arrow keys and wraps around', async () => {
    const { chosen, render } = draws('running')
    window = await mounted(render)
    window.named('Running').focus()
    await window.press(window.named('Running'), 'ArrowRight')
    expect([chosen.value, focused()]).toEqual(['stopped', 'Stopped'])
    await window.press(window.named('Stopped'), 'ArrowDown')
    expect(chosen.value).toBe('all')
    await window.press(window.named(/^All/), 'ArrowLeft')
    expect(chosen.value).toBe('stopped')
  })

  it('marks the chosen option for screen readers', async () => {
    window = await mounted(draws('running').render)
    expect(window.find('[role=radiogroup]').getAttribute('aria-label')).toBe('State')
    expect(window.all('[aria-checked=true]').map((one) => one.textContent.trim())).toEqual(['Running'])
  })
})

describe('SelectField', () => {
  it('is a native select that emits the chosen value', async () => {
    const { seen, on } = emissions('choose')
    window = await mounted(() =>
      h(SelectField, { label: 'Region', value: 'DALLAS', ...on }, () =>
        ['DALLAS', texts.html].map((value) => h('option', { value }, value)),
      ),
    )
    const select = window.find('select')
    if (!(select instanceof HTMLSelectElement)) throw new Error('no select')
    expect([select.value, select.getAttribute('aria-label')]).toEqual(['DALLAS', 'Region'])
    select.value = texts.html
    select.dispatchEvent(new Event('change'))
    expect(seen).toEqual([['choose', texts.html]])
  })
})

describe('SidePanel', () => {
  const tabs = ['Connection', 'Metrics', 'GPU'].map((label) => ({ id: label, label }))
  async function open() {
    const tab = ref('Connection')
    const { seen, on } = emissions('close')
    window = await mounted(() =>
      draw(
        SidePanel,
        {
          label: 'Machine a',
          title: texts.huge,
          summary: 'DALLAS',
          closeLabel: 'Close the machine',
          tabs,
          tabsLabel: 'Machine details',
          tab: tab.value,
          'onUpdate:tab': (next: string) => (tab.value = next),
          ...on,
        },
        { default: () => h('input', { 'aria-label': 'Inside' }) },
      ),
    )
    return { tab, seen }
  }

  it('selects and focuses a tab with the arrow keys, Home and End', async () => {
    const { tab } = await open()
    const list = window.find('[role=tablist]')
    for (const [key, wanted] of [
      ['ArrowLeft', 'GPU'],
      ['ArrowRight', 'Connection'],
      ['End', 'GPU'],
      ['Home', 'Connection'],
    ] as const) {
      await window.press(list, key)
      expect([tab.value, focused()], key).toEqual([wanted, wanted])
    }
    expect(window.all('[role=tab]').map((one) => one.tabIndex)).toEqual([0, -1, -1])
  })

  it('labels its content by the tab', async () => {
    await open()
    const named = window.find('[role=tabpanel]').getAttribute('aria-labelledby')
    expect(document.getElementById(named ?? '')?.textContent?.trim()).toBe('Connection')
  })

  it('closes with Escape unless its content handled the key', async () => {
    const { seen } = await open()
    const input = window.find('[aria-label=Inside]')
    input.addEventListener('keydown', (event) => event.preventDefault(), { once: true })
    await window.press(input, 'Escape')
    expect(seen).toEqual([])
    await window.press(input, 'Escape')
    expect(seen).toEqual([['close']])
  })

  it('cuts a title of a megabyte', async () => {
    await open()
    expect(window.find('h2').textContent.length).toBeLessThan(1_000)
  })
})

describe('AppDialog', () => {
  async function open() {
    const { seen, on } = emissions('close')
    window = await mounted(() =>
      h(AppDialog, { title: texts.html, ...on }, () => [
        h('button', { type: 'button' }, 'First'),
        h('div', { 'data-autofocus': true }, [h('input', { 'aria-label': 'Name' })]),
      ]),
    )
    return seen
  }

  it('is modal, labelled by its title, and focuses the marked element', async () => {
    await open()
    const dialog = window.find('dialog')
    expect(dialog.hasAttribute('open')).toBe(true)
    const title = document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')
    expect(title?.textContent).toBe(withShortNames(texts.html))
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Name')
  })

  it('closes once with Escape and once with its button', async () => {
    const seen = await open()
    await window.press(window.find('input'), 'Escape')
    await window.click('Close')
    expect(seen).toEqual([['close'], ['close']])
  })

  it('stays open during a composition', async () => {
    const seen = await open()
    await window.press(window.find('input'), 'Escape', { isComposing: true })
    expect(seen).toEqual([])
  })
})
