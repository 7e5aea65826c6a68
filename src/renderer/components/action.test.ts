// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { servingLast } from './action'

it('requests during a run cause one more run', async () => {
  let address = 'none'
  const seen: string[] = []
  const answers: (() => void)[] = []
  const act = servingLast(() => {
    seen.push(address)
    return new Promise<void>((resolve) => answers.push(resolve))
  })
  const first = act()
  address = '203.0.113.20'
  void act()
  address = '203.0.113.21'
  await act()
  expect(seen).toEqual(['none'])
  answers[0]?.()
  await expect.poll(() => seen).toEqual(['none', '203.0.113.21'])
  answers[1]?.()
  await first
  expect(seen).toHaveLength(2)
  void act()
  expect(seen).toHaveLength(3)
})
