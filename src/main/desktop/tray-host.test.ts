import { describe, expect, it } from 'vitest'
import { trayItemsIn } from './tray-host'

const name = 'org.freedesktop.StatusNotifierItem-4242-1'

describe('the icons in a tray', () => {
  it.each([
    ["(<[':1.36/StatusNotifierItem']>,)", ':1.36', '/StatusNotifierItem'],
    ["(<[':1.36@/org/chromium/StatusNotifierItem/1']>,)", ':1.36', '/org/chromium/StatusNotifierItem/1'],
    [`(<['${name}']>,)`, name, '/StatusNotifierItem'],
    [
      `(<['${name}/StatusNotifierItem/1/StatusNotifierItem']>,)`,
      name,
      '/StatusNotifierItem/1/StatusNotifierItem',
    ],
    [
      '   variant       array [\n         string ":1.36/StatusNotifierItem"\n      ]\n',
      ':1.36',
      '/StatusNotifierItem',
    ],
  ])('are known by their bus name and path: %s', (answer, bus, path) => {
    expect(trayItemsIn(answer)).toEqual([{ bus, path }])
  })

  it('are empty for an empty answer', () => {
    expect(trayItemsIn('(<@as []>,)')).toEqual([])
    expect(trayItemsIn('')).toEqual([])
  })

  it('are all found', () => {
    const answer = `(<[':1.36/StatusNotifierItem', '${name}', ':1.40@/Item']>,)`
    expect(trayItemsIn(answer).map(({ bus }) => bus)).toEqual([':1.36', name, ':1.40'])
  })
})
