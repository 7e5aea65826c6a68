import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { createLookUp, hadNoEffect } from './at-most-once'

const host = '127.0.0.1:1'

describe('a creation without an answer', () => {
  it('certainly created nothing if it was refused, or no connection was made', () => {
    expect(hadNoEffect({ kind: 'refused-by-service', message: 'no', status: 400 })).toBe(true)
    expect(hadNoEffect({ kind: 'refused-by-service', message: 'no', status: 200 })).toBe(true)
    expect(hadNoEffect({ kind: 'cannot-connect', host, reason: 'ECONNREFUSED' })).toBe(true)
    expect(hadNoEffect({ kind: 'rate-limited' })).toBe(true)
    expect(hadNoEffect({ kind: 'not-signed-in', reason: 'refused' })).toBe(true)
  })

  it('may have created something if the connection broke, timed out, or a gateway answered', () => {
    expect(hadNoEffect({ kind: 'cannot-connect', host, reason: 'ECONNRESET' })).toBe(false)
    expect(hadNoEffect({ kind: 'cannot-connect', host, reason: 'unknown' })).toBe(false)
    expect(hadNoEffect({ kind: 'timed-out', host, seconds: 30 })).toBe(false)
    expect(hadNoEffect({ kind: 'offline' })).toBe(false)
    expect(hadNoEffect({ kind: 'unexpected-answer', expected: 'x', received: 'y' })).toBe(false)
    for (const status of [408, 500, 502, 504])
      expect(hadNoEffect({ kind: 'refused-by-service', message: '', status }), String(status)).toBe(false)
  })
})

describe('looking up a request whose answer was lost', () => {
  it('stops when the application closes and leaves no timer', async () => {
    const clock = fakeClock()
    const { lookUp, close } = createLookUp(clock)
    let looks = 0
    const found = lookUp(() => {
      looks += 1
      return Promise.resolve('not-done')
    })
    await expect.poll(clock.pending).toBe(1)
    close()
    expect([await found, clock.pending(), looks]).toEqual(['unknown', 0, 1])
    expect([await lookUp(() => Promise.resolve('done')), looks]).toEqual(['unknown', 1])
  })

  it('drops an answer that arrives after the close', async () => {
    const { lookUp, close } = createLookUp(fakeClock())
    const found = lookUp(() => {
      close()
      return Promise.resolve('done')
    })
    expect(await found).toBe('unknown')
  })
})
