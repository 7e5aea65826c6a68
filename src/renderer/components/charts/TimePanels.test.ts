// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { h, ref } from 'vue'
import { en } from '#shared/messages/en/index'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { addMessages, setLocale, t } from '../../platform/i18n'
import type { TimePanel, TimeRange } from './time-line'
import TimePanels from './TimePanels.vue'

const range: TimeRange = { from: 1_000_000, to: 1_001_000 }
const panel = (key: string, values: readonly number[]): TimePanel => ({
  key,
  label: key,
  format: (value) => `${String(value)} %`,
  axisFormat: String,
  lines: [
    {
      name: texts.html,
      times: Float64Array.from(values, (_, at) => range.from + at * 100),
      values: Float64Array.from(values),
    },
  ],
})

let window: Mounted
const cursor = ref<number | null>(null)
const zooms: (TimeRange | null)[] = []
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  cursor.value = null
  zooms.length = 0
})
afterEach(() => {
  window.unmount()
  vi.useRealTimers()
})

async function open(panels: readonly TimePanel[], others: object = {}) {
  window = await mounted(() =>
    h(TimePanels, {
      source: { panels: () => panels, range: () => range },
      height: 96,
      initialWidth: 600,
      lineName: 'Line',
      empty: 'Nothing recorded',
      cursor: cursor.value,
      'onUpdate:cursor': (at: number | null | undefined) => (cursor.value = at ?? null),
      onZoom: (chosen: TimeRange | null) => zooms.push(chosen),
      ...others,
    }),
  )
}
const overlays = () => window.all('[role=img]')
const overlay = () => overlays()[0] ?? document.body

describe('TimePanels', () => {
  it('moves one cursor through all panels with the arrows and removes it with Escape', async () => {
    await open([panel('CPU', [1, 2, 3]), panel('Disk', [4, 5, 6])])
    await window.press(overlay(), 'ArrowRight')
    expect(cursor.value).toBe(range.from)
    expect(overlays().map((one) => one.textContent)).toEqual([
      expect.stringContaining('1 %'),
      expect.stringContaining('4 %'),
    ])
    expect(window.all('img')).toEqual([])
    await window.press(overlay(), 'ArrowRight')
    expect(cursor.value).toBe(range.from + 10)
    await window.press(overlay(), 'Escape')
    expect(cursor.value).toBeNull()
  })

  it('zooms around the cursor with + and −, pans with Shift, and shows everything with 0', async () => {
    await open([panel('CPU', [1, 2, 3])])
    for (const [key, more] of [
      ['+', {}],
      ['-', {}],
      ['ArrowRight', { shiftKey: true }],
      ['0', {}],
    ] as const)
      await window.press(overlay(), key, more)
    expect(zooms).toEqual([
      { from: 1_000_250, to: 1_000_750 },
      { from: 999_500, to: 1_001_500 },
      { from: 1_000_100, to: 1_001_100 },
      null,
    ])
  })

  it("ignores the application's shortcuts", async () => {
    await open([panel('CPU', [1])])
    const event = await window.press(overlay(), '0', { ctrlKey: true })
    expect([event.defaultPrevented, zooms]).toEqual([false, []])
  })

  it('names a panel without data and shows no cursor there', async () => {
    cursor.value = range.from
    await open([panel('CPU', [])])
    expect(overlay().textContent).toBe('Nothing recorded')
  })

  it('draws nothing while the data is loading', async () => {
    await open([panel('CPU', [1])], { waiting: true })
    expect(overlays()).toEqual([])
  })

  it('updates the table for screen readers after the zoom', async () => {
    await open([panel('CPU', [1, 2, 3]), panel('Disk', [])])
    expect(window.all('table')).toEqual([])
    vi.advanceTimersByTime(200)
    await window.settled()
    const rows = window.all('tbody tr').map((row) => [...row.children].map((cell) => cell.textContent))
    const none = t('common.none')
    expect(rows).toEqual([
      [texts.html, '1 %', '2 %', '3 %'],
      [texts.html, none, none, none],
    ])
  })

  it('translates its table when the language changes', async () => {
    const messages = structuredClone(en)
    Reflect.set(messages.charts, 'lowest', 'Tiefster Wert')
    addMessages('de', messages)
    await open([panel('CPU', [1])])
    vi.advanceTimersByTime(200)
    setLocale('de')
    await window.settled()
    expect(window.find('thead').textContent).toContain('Tiefster Wert')
    setLocale('en')
  })
})
