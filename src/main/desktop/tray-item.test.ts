import { describe, expect, it } from 'vitest'
import { menuLabel } from './tray-item'

describe('a line of the menu', () => {
  it('shows every & of a name', () => {
    expect(menuLabel('R&D && more')).toBe('R&&D &&&& more')
  })

  it('stays one line, in its own direction and of bounded length, whatever a service calls its machines', () => {
    expect(menuLabel('box\n— stopped\u202Edeppots')).toBe('box — stopped deppots')
    expect(menuLabel('x'.repeat(10_000))).toHaveLength(120)
  })
})
