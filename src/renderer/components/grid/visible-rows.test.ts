// @vitest-environment happy-dom
import { mounted } from '../../../../test/gallery/mounted'
import { afterEach, expect, it, vi } from 'vitest'
import { h, nextTick } from 'vue'
import { draw } from '../../../../test/gallery/state'
import DataGrid from '../DataGrid.vue'
import { rowsToDraw, scrollTopFor } from './visible-rows'

afterEach(() => vi.useRealTimers())

const view = { count: 1_000, rowHeight: 36, scrollTop: 0, height: 392, head: 32, beyond: 8 }

it('the rows in view and some more are drawn', () => {
  expect(rowsToDraw(view)).toEqual([0, 18])
  expect(rowsToDraw({ ...view, scrollTop: 360 })).toEqual([2, 28])
  expect(rowsToDraw({ ...view, scrollTop: 35_640 })).toEqual([982, 1_000])
  expect(rowsToDraw({ ...view, count: 3 })).toEqual([0, 3])
})

it('only the rows in view are drawn during a jump, including cut ones', () => {
  expect(rowsToDraw({ ...view, scrollTop: 360, beyond: 0 })).toEqual([10, 20])
  expect(rowsToDraw({ ...view, scrollTop: 378, beyond: 0 })).toEqual([10, 21])
})

it('no row is drawn without a height, and a shorter list shows its end at once', () => {
  expect(rowsToDraw({ ...view, height: 0 })).toEqual([0, 0])
  expect(rowsToDraw({ ...view, scrollTop: 35_640, count: 5 })).toEqual([0, 5])
})

it('scrolling makes a row just visible', () => {
  const from = { ...view, scrollTop: 360 }
  expect(scrollTopFor(12, from, 0)).toBe(360)
  expect(scrollTopFor(4, from, 0)).toBe(144)
  expect(scrollTopFor(20, from, 0)).toBe(20 * 36 + 36 - 360)
  // Notices over the end cover rows too.
  expect(scrollTopFor(19, from, 40)).toBe(19 * 36 + 36 - 320)
})

it('extra rows are drawn when the list rests after a jump', async () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => ({ id: String(at) }))
  const window = await mounted(() =>
    draw(
      DataGrid,
      {
        label: 'Machines',
        rows,
        opened: null,
        sorting: { key: 'name', descending: false },
        columns: [{ key: 'name', label: 'Name', min: 100, grow: 1, dropOrder: 0 }],
      },
      { cell: ({ row }: { row: { id: string } }) => h('span', row.id) },
    ),
  )
  const grid = window.find('[role=grid]')
  const elements = () => window.all('.body > [role=row]')
  const shown = () => elements().map((row) => Number(row.textContent))
  const from = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at)
  vi.useFakeTimers()
  const scroll = async (top: number) => {
    grid.scrollTop = top
    grid.dispatchEvent(new Event('scroll'))
    await nextTick()
    return shown()
  }
  // A row has 36 pixels, the list 600, 32 of which are its head.
  expect(shown()).toEqual(from(0, 24))
  const before = elements()
  // The extra rows from before the jump stay rendered.
  expect(await scroll(7_200)).toEqual([...from(200, 16), ...from(16, 8)])
  expect(await scroll(10_800)).toEqual([...from(300, 16), ...from(16, 8)])
  expect(elements()).toEqual(before)
  vi.advanceTimersByTime(1_000)
  await nextTick()
  expect(shown()).toEqual(from(292, 32))
  expect(before.every((row) => row.isConnected)).toBe(true)
  expect(await scroll(10_908)).toEqual(from(295, 32))
  window.unmount()
})
