import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createStaysInTray, trayItemsIn } from './tray-host'

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

describe('an application without a window', () => {
  it('stays in the tray although the desktop has not registered its icon yet', async () => {
    const clock = fakeClock()
    let isThere = false
    let asked = 0
    const ask = () => {
      asked += 1
      return Promise.resolve(isThere)
    }
    const stays = createStaysInTray(Promise.resolve(true), ask, clock.after)
    const answer = stays()
    await expect.poll(() => asked).toBe(1)
    isThere = true
    clock.advance(2)
    expect(await answer).toBe(true)
  })

  it('waits for the icon, and does not stay if the desktop refuses it or there is none', async () => {
    const clock = fakeClock()
    let show = (_isShown: boolean): void => undefined
    const shown = new Promise<boolean>((resolve) => (show = resolve))
    const refused = createStaysInTray(shown, () => Promise.resolve(false), clock.after)()
    show(true)
    await expect.poll(clock.pending).toBe(1)
    clock.advance(2)
    expect(await refused).toBe(false)
    const none = createStaysInTray(Promise.resolve(false), () => Promise.resolve(true), clock.after)
    expect(await none()).toBe(false)
  })
})
