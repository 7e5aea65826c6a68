import { expect, it } from 'vitest'
import { divideTabs } from './tab-row'

const tabs = (['connection', 'files', 'gpu', 'notes'] as const).map((id) => ({ id, width: 50 }))
const divided = (room: number, uses: Readonly<Record<string, number>> = {}) =>
  divideTabs(tabs, uses, { room, gap: 10, menuWidth: 20 })

it('all tabs stay in the row if they fit, and before the row is laid out', () => {
  const whole = { row: ['connection', 'files', 'gpu', 'notes'], menu: [] }
  expect([divided(230), divided(0)]).toEqual([whole, whole])
})

it('leaves space for the menu and its widest tab', () => {
  expect(divided(190)).toEqual({ row: ['connection', 'files'], menu: ['gpu', 'notes'] })
  expect(divided(189)).toEqual({ row: ['connection'], menu: ['files', 'gpu', 'notes'] })
})

it('the most used tabs are in the row, in their usual order', () => {
  expect(divided(190, { notes: 4, gpu: 2, files: 3 })).toEqual({
    row: ['files', 'notes'],
    menu: ['gpu', 'connection'],
  })
})

it('one tab stays in the narrowest row', () => {
  expect(divided(10, { notes: 1 })).toEqual({ row: ['notes'], menu: ['connection', 'files', 'gpu'] })
})
