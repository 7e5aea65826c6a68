// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guardClicks } from './click-guard'

const clicked: string[] = []
let stop = (): void => undefined

function button(name: string, type: 'button' | 'submit' = 'button'): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = type
  made.addEventListener('click', () => clicked.push(name))
  document.body.append(made)
  return made
}
/** Presses and releases the mouse; `detail` counts the clicks of a double or triple click. */
function press(target: Element, detail: number): void {
  for (const kind of ['mousedown', 'click'])
    target.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true, detail }))
}

beforeEach(() => {
  clicked.length = 0
  stop = guardClicks(document)
})
afterEach(() => {
  stop()
  document.body.replaceChildren()
})

describe('a double or triple click', () => {
  it('does not click an element that moved under the pointer after the first click', () => {
    const [before, after] = [button('stop'), button('delete')]
    press(before, 1)
    press(after, 2)
    press(after, 3)
    expect(clicked).toEqual(['stop'])
    press(after, 1)
    expect(clicked).toEqual(['stop', 'delete'])
  })

  it('clicks a button three times if the button stays in place', () => {
    const next = button('next')
    for (const detail of [1, 2, 3]) press(next, detail)
    expect(clicked).toEqual(['next', 'next', 'next'])
  })

  it('submits a form once', () => {
    const send = button('send', 'submit')
    for (const detail of [1, 2, 3]) press(send, detail)
    expect(clicked).toEqual(['send'])
  })

  it('does not click a row whose element showed another row when it was pressed', () => {
    const row = document.createElement('div')
    row.setAttribute('role', 'row')
    row.id = 'grid-a'
    row.append(button('connect'))
    document.body.append(row)
    const inRow = row.firstElementChild ?? row
    const mouse = (kind: string, detail: number) =>
      inRow.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true, detail }))
    mouse('mousedown', 1)
    row.id = 'grid-b'
    mouse('click', 1)
    expect(clicked).toEqual([])
    press(inRow, 1)
    row.id = 'grid-c'
    press(inRow, 2)
    expect(clicked).toEqual(['connect'])
  })

  it('does not open the menu of a row that replaced the pressed row', () => {
    const row = document.createElement('div')
    row.setAttribute('role', 'row')
    row.addEventListener('contextmenu', () => clicked.push(`menu of ${row.id}`))
    document.body.append(row)
    const mouse = (kind: string, button = 2) =>
      row.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true, button, detail: 1 }))
    row.id = 'grid-a'
    mouse('mousedown')
    row.id = 'grid-b'
    mouse('contextmenu')
    expect(clicked).toEqual([])
    mouse('mousedown')
    mouse('contextmenu')
    row.id = 'grid-c'
    mouse('contextmenu', 0)
    expect(clicked).toEqual(['menu of grid-b', 'menu of grid-c'])
  })

  it('does not block clicks from the keyboard, which have no count', () => {
    const [one, other] = [button('one'), button('other')]
    press(one, 1)
    other.click()
    expect(clicked).toEqual(['one', 'other'])
  })
})
