import { EventEmitter } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createNotifier, type Notice } from './notify'

describe('a notification', () => {
  let inWindow: string[]
  let made: string[]
  let clicked: number
  let system: EventEmitter & { show(): void }
  let overdue: (() => void) | undefined
  const notice: Notice = { title: 'Idle', body: 'train-01', act: () => void (clicked += 1) }
  const notifier = (platform: NodeJS.Platform, isSupported = true) =>
    createNotifier({
      platform,
      isSupported: () => isSupported,
      create: (words) => {
        made.push(`${words.title}: ${words.body}`)
        return system
      },
      after: (_seconds, task) => {
        overdue = task
        return () => (overdue = undefined)
      },
      showInWindow: ({ title, body }) => void inWindow.push(`${title}: ${body}`),
    })
  beforeEach(() => {
    inWindow = []
    made = []
    clicked = 0
    overdue = undefined
    system = Object.assign(new EventEmitter(), { show: () => undefined })
  })

  it('shown by the system does not appear in the window, and its click acts', () => {
    notifier('darwin')(notice)
    system.emit('show')
    system.emit('click')
    expect([inWindow, clicked, overdue]).toEqual([[], 1, undefined])
  })

  it('shows names from a service as plain text', () => {
    const named = { ...notice, title: 'Idle\nFake', body: '<img src="https://example.com/x.png">' }
    notifier('linux')(named)
    expect(made).toEqual(['Idle Fake: ‹img src="https://example.com/x.png"›'])
  })

  it('refused by the system appears in the window once', () => {
    notifier('linux')(notice)
    system.emit('failed')
    system.emit('failed')
    expect(inWindow).toEqual(['Idle: train-01'])
  })

  it('dropped silently by macOS appears in the window', () => {
    notifier('darwin')(notice)
    overdue?.()
    system.emit('failed')
    expect(inWindow).toEqual(['Idle: train-01'])
  })

  it('appears in the window if the system has no notifications', () => {
    notifier('linux', false)(notice)
    expect(inWindow).toEqual(['Idle: train-01'])
  })

  it('has a time limit only on macOS, since other systems may not report that they showed it', () => {
    notifier('linux')(notice)
    expect(overdue).toBeUndefined()
  })

  it('is released when thousands of newer ones follow', async () => {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    if (typeof collect !== 'function') expect.fail('no gc')
    const made: WeakRef<object>[] = []
    const notify = createNotifier({
      platform: 'linux',
      isSupported: () => true,
      after: fakeClock().after,
      create: () => {
        const one = Object.assign(new EventEmitter(), { show: () => undefined })
        made.push(new WeakRef(one))
        return one
      },
      showInWindow: () => undefined,
    })
    for (let count = 0; count < 1_000; count += 1) notify(notice)
    await expect
      .poll(() => {
        Reflect.apply(collect, undefined, [])
        return made.filter((one) => one.deref()).length
      })
      .toBe(100)
  })
})
