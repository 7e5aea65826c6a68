import { expect, it } from 'vitest'
import { hostDroppedFiles } from './dropped-files'

function host() {
  let drop: (event: string, paths: unknown) => void = () => undefined
  const take = hostDroppedFiles<string>(
    (receive) => (drop = receive),
    (sender) => sender === 'page',
  )
  return { take, drop: (paths: unknown, sender = 'page') => drop(sender, paths) }
}

it('what was dropped last is taken once, however many paths it has', () => {
  const { take, drop } = host()
  drop(['/home/me/elsewhere'])
  const many = Array.from({ length: 10_001 }, (_, index) => `/home/me/data/${String(index)}`)
  drop(many)
  expect(take()).toEqual(many)
  expect(take()).toEqual([])
})

it('what makes no sense is nothing, and never what was dropped before', () => {
  const { take, drop } = host()
  drop(['/home/me/elsewhere'])
  drop([7])
  expect(take()).toEqual([])
})

it('another sender drops nothing', () => {
  const { take, drop } = host()
  drop(['/home/me/.ssh/id_ed25519'], 'frame')
  expect(take()).toEqual([])
})
