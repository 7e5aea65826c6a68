import { describe, expect, it } from 'vitest'
import { formatMessage, messageAt } from './format'

describe('a message', () => {
  it('fills its braces, once each', () => {
    expect(formatMessage('{a} of {b}, {a}', { a: '{b}', b: 2 })).toBe('{b} of 2, {b}')
    expect(formatMessage('port {port}', { port: 4096 })).toBe('port 4096')
  })

  it('drops braces without a value', () => {
    expect(formatMessage('<{missing}>', {})).toBe('<>')
    expect(formatMessage('<{toString}>', {})).toBe('<>')
  })

  it('formats counts by locale', () => {
    expect(formatMessage('{count} machines', { count: 1003 })).toBe('1,003 machines')
  })

  it.each([
    [0, '0 cores'],
    [1, '1 core'],
    [2, '2 cores'],
    [-1, '-1 core'],
  ])('has one of two forms for %d', (count, text) => {
    expect(formatMessage('{count} core | {count} cores', {}, count)).toBe(text)
  })

  it.each([
    [0, 'none'],
    [1, '1 alert'],
    [7, '7 alerts'],
  ])('has one of three forms for %d', (count, text) => {
    expect(formatMessage('none | {count} alert | {count} alerts', {}, count)).toBe(text)
  })

  it('prefers a value over the count that picks the form', () => {
    expect(formatMessage('{count} of us | {count} of us all', { count: 'Two' }, 2)).toBe('Two of us all')
  })

  it('keeps a bar that separates no forms', () => {
    expect(formatMessage('a|b', {}, 2)).toBe('a|b')
  })
})

describe('the message at a path', () => {
  const tree = { common: { yes: 'Yes' } }

  it('is returned', () => {
    expect(messageAt(tree, 'common.yes')).toBe('Yes')
  })

  it.each(['common', 'common.no', 'common.yes.more', 'common.toString', ''])(
    'is undefined for %s',
    (path) => {
      expect(messageAt(tree, path)).toBeUndefined()
    },
  )
})
