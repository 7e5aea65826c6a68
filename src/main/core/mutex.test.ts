import { expect, it } from 'vitest'
import { createMutex } from './mutex'

it('runs one task at a time, including one that arrives as another ends', async () => {
  const exclusively = createMutex()
  let inside = 0
  let most = 0
  const order: string[] = []
  const act = (name: string) => async (): Promise<void> => {
    inside += 1
    most = Math.max(most, inside)
    order.push(name)
    await Promise.resolve()
    inside -= 1
  }
  const later: Promise<void>[] = []
  const first = exclusively(act('first'))
  const second = exclusively(act('second'))
  // Arrives at every moment around the handover.
  for (let turn = 0; turn < 8; turn += 1) {
    await Promise.resolve()
    later.push(exclusively(act(String(turn))))
  }
  await Promise.all([first, second, ...later])
  expect(most).toBe(1)
  expect(order).toEqual(['first', 'second', '0', '1', '2', '3', '4', '5', '6', '7'])
})

it('continues after a failed task', async () => {
  const exclusively = createMutex()
  const failed = exclusively(() => Promise.reject(new Error('no')))
  const next = exclusively(() => Promise.resolve('next'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('next')
})
