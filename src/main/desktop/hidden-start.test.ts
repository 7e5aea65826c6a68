import { beforeEach, describe, expect, it } from 'vitest'
import { stayHidden } from './hidden-start'

describe('a hidden start', () => {
  let events: string[]
  let next: (() => void) | undefined
  let waited: number
  let isReachable: boolean
  let hasWindow: boolean
  const deps = {
    isReachable: () => Promise.resolve(isReachable),
    hasWindow: () => hasWindow,
    stayed: () => void events.push('stayed'),
    showMinimized: () => void events.push('minimized'),
    after(seconds: number, task: () => void) {
      waited += seconds
      next = task
      return () => undefined
    },
  }
  const step = async (): Promise<void> => {
    next?.()
    await Promise.resolve()
    await Promise.resolve()
  }
  beforeEach(() => {
    events = []
    next = undefined
    waited = 0
    isReachable = false
    hasWindow = false
  })

  it('stays in a tray that appears later', async () => {
    await stayHidden(deps)
    await step()
    expect(events).toEqual([])
    isReachable = true
    await step()
    expect(events).toEqual(['stayed'])
  })

  it('opens a minimized window if no tray appears in 30 seconds', async () => {
    await stayHidden(deps)
    for (let count = 0; count < 20; count += 1) await step()
    expect(events[0]).toBe('minimized')
    expect(waited).toBe(28)
  })

  it('ends when the user opens the window', async () => {
    await stayHidden(deps)
    hasWindow = true
    await step()
    expect(events).toEqual([])
  })
})
