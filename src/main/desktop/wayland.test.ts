import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import { bringToFront, showOnce, usesWayland } from './wayland'

const session = { XDG_SESSION_TYPE: 'wayland', WAYLAND_DISPLAY: 'wayland-0' }

describe('whether windows use Wayland', () => {
  it('follows the switch, whatever the session', () => {
    expect(usesWayland('linux', '33.4.11', 'wayland', {})).toBe(true)
    expect(usesWayland('linux', '45.4.1', 'x11', session)).toBe(false)
  })

  it('follows the kind of session since Electron 38', () => {
    expect(usesWayland('linux', '37.9.0', '', session)).toBe(false)
    expect(usesWayland('linux', '38.0.0', '', session)).toBe(true)
    expect(usesWayland('linux', '45.4.1', '', { ...session, XDG_SESSION_TYPE: 'x11' })).toBe(false)
    expect(usesWayland('linux', '45.4.1', '', { XDG_SESSION_TYPE: 'wayland' })).toBe(false)
  })

  it('is false on other systems', () => {
    expect(usesWayland('darwin', '45.4.1', 'wayland', session)).toBe(false)
  })
})

describe('a new window', () => {
  let shown: number
  let timers: (() => void)[]
  let window: EventEmitter & { webContents: EventEmitter; show(): void }
  const after = (_seconds: number, task: () => void) => {
    timers.push(task)
    return () => (timers = timers.filter((timer) => timer !== task))
  }
  beforeEach(() => {
    shown = 0
    timers = []
    window = Object.assign(new EventEmitter(), {
      webContents: new EventEmitter(),
      show: () => void (shown += 1),
    })
  })

  it('is shown once, when it has drawn something', () => {
    showOnce(window, true, after)
    window.emit('ready-to-show')
    window.webContents.emit('did-finish-load')
    expect([shown, timers.length]).toEqual([1, 0])
  })

  it('is shown under Wayland when its page is loaded, since a hidden window draws nothing', () => {
    showOnce(window, true, after)
    window.webContents.emit('did-finish-load')
    expect(shown).toBe(1)
  })

  it('is not shown empty without Wayland', () => {
    showOnce(window, false, after)
    window.webContents.emit('did-finish-load')
    expect(shown).toBe(0)
  })

  it('is shown after 3 s in any case', () => {
    showOnce(window, false, after)
    timers[0]?.()
    expect(shown).toBe(1)
  })

  it('is not shown after it was closed', () => {
    showOnce(window, true, after)
    window.emit('closed')
    window.webContents.emit('did-finish-load')
    expect([shown, timers.length]).toEqual([0, 0])
  })
})

describe('a window that is brought to the front', () => {
  const calls = (state: { minimized?: boolean; maximized?: boolean }, isWayland: boolean): string[] => {
    const made: string[] = []
    const record = (name: string) => () => void made.push(name)
    bringToFront(
      {
        isMinimized: () => state.minimized === true,
        isMaximized: () => state.maximized === true,
        restore: record('restore'),
        show: record('show'),
        focus: record('focus'),
      },
      isWayland,
    )
    return made
  }

  it('is restored if it is minimized', () => {
    expect(calls({ minimized: true }, false)).toEqual(['restore', 'show', 'focus'])
    expect(calls({}, false)).toEqual(['show', 'focus'])
  })

  it('is always restored under Wayland, which hides the minimized state', () => {
    expect(calls({}, true)).toEqual(['restore', 'show', 'focus'])
  })

  it('is not restored under Wayland if it is maximized', () => {
    expect(calls({ maximized: true }, true)).toEqual(['show', 'focus'])
  })
})
