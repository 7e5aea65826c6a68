import { expect, it } from 'vitest'
import {
  columnsThatFit,
  columnWidths,
  countNextToPanel,
  type GridColumn,
  gridTemplate,
  gridTemplateNextToPanel,
} from './grid-columns'

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

it('columns share the width as a CSS grid divides it', () => {
  const columns = [
    { ...column('name', 100, 1), grow: 3 },
    column('state', 100, 2),
    { ...column('size', 60, 3), grow: 0 },
  ]
  expect(columnWidths(columns, 660)).toEqual([450, 150, 60])
  expect(columnWidths(columns, 300)).toEqual([140, 100, 60])
  expect(columnWidths(columns, 100)).toEqual([100, 100, 60])
})

it('a panel hides the columns that it would cut, and no other column changes its width', () => {
  expect(countNextToPanel([140, 100, 60], 300)).toBe(3)
  expect(countNextToPanel([140, 100, 60], 299)).toBe(2)
  expect(countNextToPanel([140, 100, 60], 100)).toBe(2)
  expect(gridTemplateNextToPanel([140, 100], 32, 92)).toBe('32px 140px minmax(100px, 1fr) 92px')
  expect(gridTemplateNextToPanel([140, 100])).toBe('140px minmax(100px, 1fr)')
})
