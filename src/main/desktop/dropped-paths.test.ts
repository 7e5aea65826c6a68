import { expect, it } from 'vitest'
import { createDroppedPaths } from './dropped-paths'

it('what was dropped last is taken once, however many paths it has', () => {
  const dropped = createDroppedPaths()
  dropped.receive(['/home/me/elsewhere'])
  const many = Array.from({ length: 10_001 }, (_, index) => `/home/me/data/${String(index)}`)
  dropped.receive(many)
  expect(dropped.take()).toEqual(many)
  expect(dropped.take()).toEqual([])
})

it('what makes no sense is nothing, and never what was dropped before', () => {
  const dropped = createDroppedPaths()
  dropped.receive(['/home/me/elsewhere'])
  dropped.receive([7])
  expect(dropped.take()).toEqual([])
})
