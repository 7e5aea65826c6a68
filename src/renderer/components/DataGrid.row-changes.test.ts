// @vitest-environment happy-dom
import { emissions, mounted, type Mounted } from '../../../test/gallery/mounted'
import { afterEach, expect, it } from 'vitest'
import { h, nextTick, ref, shallowRef } from 'vue'
import { draw } from '../../../test/gallery/state'
import { keepFocus } from '../platform/focus'
import { guardClicks } from '../platform/click-guard'
import CopyButton from './CopyButton.vue'
import DataGrid from './DataGrid.vue'
import type { Selection } from './grid/selection'

let window: Mounted
const ends: (() => void)[] = []
afterEach(() => {
  ends.splice(0).forEach((end) => end())
  window.unmount()
})

const rowOf = (id: string) => ({ id, name: `machine ${id}` })
async function open(...first: readonly string[]) {
  const rows = shallowRef(first.map(rowOf))
  const selection = ref<Selection>({ chosen: new Set(), anchor: null })
  const opened = ref<string | null>(null)
  const { seen, on } = emissions('open', 'menu')
  window = await mounted(() =>
    h('main', { id: 'page', tabindex: -1 }, [
      draw(
        DataGrid,
        {
          label: 'Machines',
          rows: rows.value,
          opened: opened.value,
          ...on,
          columns: [{ key: 'name', label: 'Name', min: 100, grow: 1, dropOrder: 0 }],
          sorting: { key: 'name', descending: false },
          nameOf: ({ name }: { name: string }) => name,
          end: { label: 'Menu', width: 40 },
          selection: selection.value,
          'onUpdate:selection': (next: Selection) => (selection.value = next),
        },
        {
          cell: ({ row }: { row: { id: string; name: string } }) => [
            h('span', row.name),
            h(CopyButton, { key: row.id, what: row.name, copy: () => Promise.resolve(true) }),
          ],
          end: ({ row }: { row: { name: string } }) => h('button', { tabindex: -1 }, `Menu of ${row.name}`),
        },
      ),
    ]),
  )
  const line = (id: string): HTMLElement => {
    const found = window.all('.body > [role=row]').find((row) => row.id.endsWith(`-${id}`))
    if (!found) throw new Error(`no row ${id}`)
    return found
  }
  const show = async (...ids: readonly string[]) => {
    rows.value = ids.map(rowOf)
    await nextTick()
    await nextTick()
  }
  return { line, show, selection, opened, seen, grid: window.find('[role=grid]') }
}

it('reuses the elements of removed rows with all their attributes', async () => {
  const { line, show, selection, opened } = await open('a', 'b', 'c')
  selection.value = { chosen: new Set(['b']), anchor: 'b' }
  opened.value = 'a'
  await nextTick()
  const [a, b] = [line('a'), line('b')]
  const end = a.querySelector('.ends button')
  expect([a.ariaSelected ?? a.getAttribute('aria-selected'), b.getAttribute('aria-selected')]).toEqual([
    'false',
    'true',
  ])
  await show('x', 'y', 'z')
  expect([line('x'), line('y')]).toEqual([a, b])
  expect(line('x').textContent).toContain('machine x')
  expect(line('x').textContent).not.toContain('machine a')
  expect(line('x').querySelector('.ends button')).toBe(end)
  expect(end?.textContent).toBe('Menu of machine x')
  const said = ['x', 'y'].map((id) =>
    ['aria-selected', 'aria-current', 'aria-rowindex'].map((name) => line(id).getAttribute(name)),
  )
  expect(said).toEqual([
    ['false', null, '2'],
    ['false', null, '3'],
  ])
  expect(line('x').querySelector('[role=checkbox]')?.getAttribute('aria-label')).toContain('machine x')
})

it('keeps the element of a row that moves', async () => {
  const { line, show } = await open('a', 'b', 'c')
  const b = line('b')
  await show('x', 'y', 'z', 'b')
  expect(line('b')).toBe(b)
  expect(b.getAttribute('aria-rowindex')).toBe('5')
  const order = window.all('.body > [role=row]').map((one) => one.getAttribute('aria-rowindex'))
  expect(order).toEqual(['2', '3', '4', '5'])
})

it('names the active row at its new place, and none after its removal', async () => {
  const { line, show, grid } = await open('a', 'b')
  grid.focus()
  await window.press(grid, 'End')
  const named = () => document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')
  expect(named()).toBe(line('b'))
  await show('x', 'y', 'b')
  expect([named(), line('b').classList.contains('active')]).toEqual([line('b'), true])
  await show('x', 'y', 'z')
  expect([named(), window.all('.row.active')]).toEqual([null, []])
})

it('keeps the focus in a row that moves, and focuses the list when the row is removed', async () => {
  const { line, show, grid } = await open('a', 'b')
  ends.push(keepFocus())
  const button = line('b').querySelector<HTMLElement>('.ends button')
  button?.focus()
  await show('x', 'b')
  expect(document.activeElement).toBe(button)
  const element = line('b')
  await show('x', 'y')
  expect([button?.isConnected, element.isConnected]).toEqual([false, false])
  await window.settled()
  expect(document.activeElement).toBe(grid)
})

it('does not transfer the check mark of a copy button', async () => {
  const { line, show } = await open('a')
  line('a').querySelector<HTMLElement>('.cell button')?.click()
  await window.settled()
  expect(line('a').querySelectorAll('.done')).toHaveLength(1)
  await show('x')
  expect(window.all('.done')).toEqual([])
})

it('ignores a click whose row changed between press and release', async () => {
  const { line, show, seen } = await open('a')
  ends.push(guardClicks(document))
  const element = line('a')
  const mouse = (kind: string, detail: number) =>
    element.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true, detail }))
  mouse('mousedown', 1)
  await show('x')
  expect(line('x')).toBe(element)
  mouse('click', 1)
  expect(seen).toEqual([])
  mouse('mousedown', 1)
  mouse('click', 1)
  expect(seen).toEqual([['open', 'x']])
  await show('y')
  mouse('mousedown', 2)
  mouse('click', 2)
  expect(seen).toEqual([['open', 'x']])
})
