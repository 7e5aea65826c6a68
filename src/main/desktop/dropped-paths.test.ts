import { expect, it } from 'vitest'
import { createDroppedPaths } from './dropped-paths'

it('the last drop is returned once, with all its paths', () => {
  const dropped = createDroppedPaths()
  dropped.receive(['/home/me/elsewhere'])
  const many = Array.from({ length: 10_001 }, (_, index) => `/home/me/data/${String(index)}`)
  dropped.receive(many)
  expect(dropped.take()).toEqual(many)
  expect(dropped.take()).toEqual([])
})

it('a malformed drop replaces the previous one with nothing', () => {
  const dropped = createDroppedPaths()
  dropped.receive(['/home/me/elsewhere'])
  dropped.receive([7])
  expect(dropped.take()).toEqual([])
})
