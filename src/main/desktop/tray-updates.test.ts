import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import type { TrayItem } from './tray-item'
import { createTrayUpdates } from './tray-updates'

const line = (label: string): readonly TrayItem[] => [{ label, heading: true }]

function setUp() {
  const clock = fakeClock()
  const replaced: (readonly TrayItem[])[] = []
  const updates = createTrayUpdates(clock, (items) => replaced.push(items))
  return { clock, replaced, updates }
}

describe("the tray's menu", () => {
  it('is replaced at once, and later only if an item changed', () => {
    const { clock, replaced, updates } = setUp()
    updates.show(() => line('2 running'))
    clock.advance(60)
    updates.show(() => line('2 running'))
    expect(replaced).toEqual([line('2 running')])
    updates.show(() => line('3 running'))
    expect(replaced).toEqual([line('2 running'), line('3 running')])
  })

  it('is replaced once in ten seconds with the last change', () => {
    const { clock, replaced, updates } = setUp()
    for (const label of ['a', 'b', 'c']) {
      updates.show(() => line(label))
      clock.advance(3)
    }
    expect(replaced).toEqual([line('a')])
    clock.advance(1)
    expect(replaced).toEqual([line('a'), line('c')])
    expect(clock.pending()).toBe(0)
  })

  it('is built only when it may be replaced', () => {
    const { clock, updates } = setUp()
    let built = 0
    const show = (): void =>
      updates.show(() => {
        built += 1
        return line('a')
      })
    for (const _ of [1, 2, 3]) {
      show()
      clock.advance(1)
    }
    expect(built).toBe(1)
    clock.advance(7)
    expect(built).toBe(2)
  })

  it('is replaced once it contains a fleet, however soon after the start', () => {
    const { clock, replaced, updates } = setUp()
    const bare: readonly TrayItem[] = ['separator', { label: 'Quit', action: { kind: 'quit' } }]
    updates.show(() => bare)
    clock.advance(1)
    updates.show(() => line('2 running'))
    expect(replaced).toEqual([bare, line('2 running')])
  })

  it('is not replaced if an item changed back', () => {
    const { clock, replaced, updates } = setUp()
    for (const label of ['a', 'b', 'a']) updates.show(() => line(label))
    clock.advance(60)
    expect(replaced).toEqual([line('a')])
  })

  it('is not replaced while open, only after it closes', () => {
    const { clock, replaced, updates } = setUp()
    updates.show(() => line('a'))
    clock.advance(20)
    updates.opened()
    updates.show(() => line('b'))
    clock.advance(59)
    expect(replaced).toEqual([line('a')])
    updates.closed()
    expect(replaced).toEqual([line('a')])
    clock.advance(1)
    expect(replaced).toEqual([line('a'), line('b')])
  })

  it('is replaced after a minute if closing is never reported', () => {
    const { clock, replaced, updates } = setUp()
    updates.show(() => line('a'))
    updates.opened()
    updates.show(() => line('b'))
    clock.advance(60)
    expect(replaced).toEqual([line('a'), line('b')])
  })
})
