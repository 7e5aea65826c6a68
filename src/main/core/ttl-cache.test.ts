import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createTtlCache } from './ttl-cache'

it('an answer that is too old is requested again, also after the clock was set back', async () => {
  const clock = fakeClock(1_000_000)
  const cache = createTtlCache<{ readonly price: number }>(60, clock.now)
  let price = 0
  const ask = () => cache.get('flavors', undefined, () => Promise.resolve({ price: (price += 1) }))
  expect(await ask()).toEqual({ price: 1 })
  clock.advance(59)
  expect(await ask()).toEqual({ price: 1 })
  clock.advance(1)
  expect(await ask()).toEqual({ price: 2 })
  clock.set(1_000_000 - 86_400)
  expect(await ask()).toEqual({ price: 3 })
  expect(await ask()).toEqual({ price: 3 })
})

it('the answer to a dropped request is not kept', async () => {
  const cache = createTtlCache<{ readonly price: number }>(60, fakeClock().now)
  let answer = (_: { readonly price: number }): void => undefined
  const first = cache.get('flavors', undefined, () => new Promise((resolve) => (answer = resolve)))
  cache.forget(() => true)
  answer({ price: 1 })
  expect(await first).toEqual({ price: 1 })
  expect(await cache.get('flavors', undefined, () => Promise.resolve({ price: 2 }))).toEqual({ price: 2 })
})

it('an answer from time zero of a clock expires like any other', async () => {
  const clock = fakeClock(0)
  const cache = createTtlCache<{ readonly price: number }>(60, clock.now)
  let price = 0
  const ask = () => cache.get('flavors', undefined, () => Promise.resolve({ price: (price += 1) }))
  await ask()
  clock.advance(60)
  expect(await ask()).toEqual({ price: 2 })
})
