import { expect, it } from 'vitest'
import { boundedWords } from './message'

it('a message is bounded, and each line is plain', () => {
  const { title, body } = boundedWords({
    kind: 'job',
    title: ` a\nb\u202Ec${'x'.repeat(500)}`,
    body: ['one\u0007', 'two\r', ...Array.from({ length: 50 }, () => 'y'.repeat(500))].join('\n'),
    at: 0,
    isUrgent: false,
  })
  expect(title).toMatch(/^a b c/)
  expect(title).toHaveLength(200)
  const lines = body.split('\n')
  expect(lines).toHaveLength(20)
  expect(lines.at(-1)).toBe('…')
  expect(lines.slice(0, 2)).toEqual(['one ', 'two'])
  expect(Math.max(...lines.map(({ length }) => length))).toBe(300)
})
