import { expect, it } from 'vitest'
import { cutMiddle, table } from './table'

it('a table has columns as wide as their longest text', () => {
  expect(
    table(
      ['NAME', 'STATUS'],
      [
        ['train-01', 'ACTIVE'],
        ['e', 'SHUTOFF'],
      ],
      null,
    ),
  ).toEqual(['NAME      STATUS', 'train-01  ACTIVE', 'e         SHUTOFF'])
})

it('a table that is too wide cuts its widest column in the middle', () => {
  const lines = table(['NAME', 'STATUS'], [['training-of-the-large-model-01', 'ACTIVE']], 24)
  expect(lines[1]).toBe('training…odel-01  ACTIVE')
  expect(lines.every((line) => line.length <= 24)).toBe(true)
})

it('a character of two columns counts twice', () => {
  expect(table(['A', 'B'], [['訓練', 'x']], null)).toEqual(['A     B', '訓練  x'])
  expect(table(['ユーザー', 'B'], [['サーバー、a', 'x']], null)).toEqual(['ユーザー     B', 'サーバー、a  x'])
  expect(cutMiddle('訓練訓練', 5)).toBe('訓…練')
})

it('a name cannot control the terminal', () => {
  expect(table(['NAME'], [['a\u001B[2Jb\nc']], null)).toEqual(['NAME', 'a [2Jb c'])
})
