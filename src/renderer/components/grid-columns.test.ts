import { expect, it } from 'vitest'
import { columnsThatFit, type GridColumn, gridTemplate } from './grid-columns'

const column = (key: string, min: number, dropOrder: number): GridColumn => ({
  key,
  label: key,
  min,
  grow: 1,
  dropOrder,
})
const all = [column('name', 100, 1), column('age', 80, 4), column('state', 100, 2), column('size', 60, 3)]
const keys = (width: number) => columnsThatFit(all, width).map(({ key }) => key)

it('the columns with the highest drop order hide first', () => {
  expect(keys(340)).toEqual(['name', 'age', 'state', 'size'])
  expect(keys(339)).toEqual(['name', 'state', 'size'])
  expect(keys(259)).toEqual(['name', 'state'])
  expect(keys(10)).toEqual(['name', 'state'])
})

it('the free width is shared', () => {
  expect(gridTemplate(columnsThatFit(all, 260), 0, 90)).toBe(
    'minmax(100px, 1fr) minmax(100px, 1fr) minmax(60px, 1fr) 90px',
  )
})

it('the first of two columns shrinks below its minimum', () => {
  expect(gridTemplate(columnsThatFit(all, 10), 32, 90)).toBe('32px minmax(0, 1fr) 100px 90px')
})
