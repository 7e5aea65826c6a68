import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createTrayPresence } from './tray-presence'

function open(desktop: { hasHost?: boolean; isShown?: boolean; hasWindow?: boolean } = {}) {
  const clock = fakeClock()
  const state = { hasHost: true, isShown: true, hasWindow: false, ...desktop }
  const calls = { icons: 0, lost: 0, checks: 0 }
  const presence = createTrayPresence({
    hasHost: () => Promise.resolve(state.hasHost),
    showIcon: () => void (calls.icons += 1),
    isIconShown: () => {
      calls.checks += 1
      return Promise.resolve(state.isShown)
    },
    hasWindow: () => state.hasWindow,
    lost: () => void (calls.lost += 1),
    after: clock.after,
    report: (_action, error) => expect.fail(String(error)),
  })
  return { presence, state, calls, clock }
}

describe('the icon in the tray', () => {
  it('is created once, when a panel starts after the application', async () => {
    const { presence, state, calls, clock } = open({ hasHost: false })
    presence.start()
    for (let search = 0; search < 20; search += 1) {
      await expect.poll(clock.pending).toBe(1)
      clock.advance(30)
    }
    await expect.poll(clock.pending).toBe(1)
    expect(calls.icons).toBe(0)
    expect(await presence.isReachable()).toBe(false)
    state.hasHost = true
    clock.advance(30)
    await expect.poll(() => calls.icons).toBe(1)
    expect(await presence.isReachable()).toBe(true)
    expect(calls.icons).toBe(1)
  })

  it('is searched every five seconds at first', async () => {
    const { presence, state, calls, clock } = open({ hasHost: false })
    presence.start()
    await expect.poll(clock.pending).toBe(1)
    state.hasHost = true
    clock.advance(5)
    await expect.poll(() => calls.icons).toBe(1)
  })

  it('keeps an application reachable although the desktop has not registered it yet', async () => {
    const { presence, state, calls, clock } = open({ isShown: false })
    const reachable = presence.isReachable()
    await expect.poll(() => calls.checks).toBe(1)
    state.isShown = true
    clock.advance(2)
    expect(await reachable).toBe(true)
  })

  it('does not keep an application reachable if the desktop refuses it', async () => {
    const { presence, calls, clock } = open({ isShown: false })
    const reachable = presence.isReachable()
    await expect.poll(() => calls.checks).toBe(1)
    clock.advance(2)
    expect(await reachable).toBe(false)
  })
})

it('an icon that cannot be created is reported once, and not tried again', async () => {
  const clock = fakeClock()
  const reported: unknown[] = []
  const presence = createTrayPresence({
    hasHost: () => Promise.resolve(true),
    showIcon: () => {
      throw new Error('no image')
    },
    isIconShown: () => Promise.resolve(true),
    hasWindow: () => true,
    lost: () => undefined,
    after: clock.after,
    report: (_action, error) => void reported.push(error),
  })
  presence.start()
  await expect.poll(() => reported).toHaveLength(1)
  await Promise.resolve()
  expect(clock.pending()).toBe(0)
})

describe('an application without a window', () => {
  it('is brought back once its icon is missing twice in a row', async () => {
    const { presence, state, calls, clock } = open()
    presence.watch()
    clock.advance(30)
    await expect.poll(clock.pending).toBe(1)
    state.isShown = false
    clock.advance(30)
    await expect.poll(clock.pending).toBe(1)
    expect(calls.lost).toBe(0)
    clock.advance(15)
    await expect.poll(() => calls.lost).toBe(1)
    expect(clock.pending()).toBe(0)
  })

  it('stays closed while a panel restarts', async () => {
    const { presence, state, calls, clock } = open({ isShown: false })
    presence.watch()
    clock.advance(30)
    await expect.poll(clock.pending).toBe(1)
    state.isShown = true
    clock.advance(15)
    await expect.poll(() => calls.checks).toBe(2)
    await expect.poll(clock.pending).toBe(1)
    expect(calls.lost).toBe(0)
  })

  it('is not checked after its window was opened', async () => {
    const { presence, state, calls, clock } = open()
    presence.watch()
    state.hasWindow = true
    clock.advance(30)
    expect(clock.pending()).toBe(0)
    expect(calls.checks).toBe(0)
  })
})
