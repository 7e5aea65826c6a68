import { describe, expect, it } from 'vitest'
import { maxLog } from '#shared/bridge/job'
import { lastLines, logOf, plainLog } from './log-text'

describe('a log', () => {
  it('is shown as in a terminal, without colors, titles and control characters', () => {
    expect(plainLog('\x1b[31mred\x1b[0m \x1b]0;title\x07x\x00\u202Ey\r\n 1 %\r100 %\r\n\n')).toBe(
      'red xy\n100 %',
    )
  })

  it('is cut if it is longer than the part that was read', () => {
    const answer = (bytes: number) => [`log ${String(bytes)}`, 'a', 'b']
    expect(logOf(answer(maxLog.bytes))).toEqual({ kind: 'log', text: 'a\nb', isCut: false })
    expect(logOf(answer(maxLog.bytes + 1))).toMatchObject({ isCut: true })
    expect(logOf(['none'])).toEqual({ kind: 'none' })
  })

  it('ends in a notification with its last lines, each of them short', () => {
    const lines = lastLines(`1\n2\n\n3\n4\n${'x'.repeat(10_000)}`).split('\n')
    expect(lines.slice(0, 3)).toEqual(['2', '3', '4'])
    expect(lines.join('\n').length).toBeLessThanOrEqual(maxLog.notice)
  })
})
