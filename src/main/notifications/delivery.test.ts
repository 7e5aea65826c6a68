import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import type { DeliveryOutcome } from '#shared/bridge/notification'
import { createDelivery } from './delivery'
import type { Message } from './message'

const offline: DeliveryOutcome = { kind: 'failed', failure: { kind: 'offline' } }
const sent: DeliveryOutcome = { kind: 'sent' }
const message = (title: string, isUrgent = false): Message => ({
  kind: 'idle',
  title,
  body: '',
  at: 0,
  isUrgent,
})

function setUp(...outcomes: readonly (DeliveryOutcome | Error)[]) {
  const clock = fakeClock()
  const attempts: string[] = []
  const bodies: string[] = []
  const settled: string[] = []
  const left = [...outcomes]
  const delivery = createDelivery({
    clock,
    send: ({ title, body }) => {
      attempts.push(title)
      bodies.push(body)
      const outcome = left.shift() ?? sent
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome)
    },
    settled: ({ kind }) => void settled.push(kind),
  })
  /** Ends the promises that run. */
  const idle = () => new Promise((resolve) => setImmediate(resolve))
  const pass = async (seconds: number) => {
    clock.advance(seconds)
    await idle()
  }
  return { clock, attempts, bodies, settled, delivery, idle, pass }
}

describe('messages of one target', () => {
  it('are sent in order, and later ones wait for the pauses of an earlier one', async () => {
    const { delivery, attempts, settled, idle, pass } = setUp(offline, offline)
    delivery.add(message('a'))
    delivery.add(message('b'))
    await idle()
    expect(attempts).toEqual(['a'])
    await pass(30)
    await pass(119)
    expect(attempts).toEqual(['a', 'a'])
    await pass(1)
    expect(attempts).toEqual(['a', 'a', 'a', 'b'])
    expect(settled).toEqual(['failed', 'failed', 'sent', 'sent'])
  })

  it('that were certainly not sent are tried four times', async () => {
    const { delivery, attempts, idle, pass, clock } = setUp(offline, offline, offline, offline)
    delivery.add(message('a'))
    await idle()
    for (const seconds of [30, 120, 600]) await pass(seconds)
    expect(attempts).toHaveLength(4)
    expect(clock.pending()).toBe(0)
  })

  it.each<DeliveryOutcome>([
    { kind: 'unknown', failure: { kind: 'timed-out', host: 'x', seconds: 15 } },
    { kind: 'refused', status: 404, message: null },
    { kind: 'unconfirmed', status: 500 },
    { kind: 'redirected' },
    { kind: 'web-page', status: 200 },
    { kind: 'failed', failure: { kind: 'untrusted-certificate', host: 'x', reason: 'CERT_HAS_EXPIRED' } },
    { kind: 'mailer-failed', code: 75, message: 'queued' },
    { kind: 'mailer-silent', seconds: 60 },
  ])('are sent once if the outcome is $kind', async (outcome) => {
    const { delivery, attempts, idle, clock } = setUp(outcome)
    delivery.add(message('a'))
    await idle()
    expect(attempts).toEqual(['a'])
    expect(clock.pending()).toBe(0)
  })

  it('follow one whose attempt failed unexpectedly', async () => {
    const { delivery, attempts, settled, idle } = setUp(new Error('spawn EBADF'))
    delivery.add(message('a'))
    delivery.add(message('b'))
    await idle()
    expect(attempts).toEqual(['a', 'b'])
    expect(settled).toEqual(['unknown', 'sent'])
  })

  it('wait as long as a busy target asks, up to 10 minutes', async () => {
    const { delivery, attempts, idle, pass, clock } = setUp(
      { kind: 'busy', retryAfter: 45 },
      { kind: 'busy', retryAfter: 100_000 },
    )
    delivery.add(message('a'))
    await idle()
    expect(clock.waits()).toEqual([45])
    await pass(45)
    expect(clock.waits()).toEqual([600])
    await pass(600)
    expect(attempts).toHaveLength(3)
  })

  it('that are urgent do not wait for the pauses of others', async () => {
    const { delivery, attempts, idle, pass } = setUp(offline)
    delivery.add(message('a'))
    delivery.add(message('b'))
    await idle()
    delivery.add(message('urgent', true))
    await idle()
    expect(attempts).toEqual(['a', 'urgent', 'a', 'b'])
    await pass(30)
    expect(attempts).toHaveLength(4)
  })

  it('that are urgent are the first after the pause of a busy target', async () => {
    const { delivery, attempts, idle, pass } = setUp({ kind: 'busy', retryAfter: 45 })
    delivery.add(message('a'))
    await idle()
    delivery.add(message('urgent 1', true))
    delivery.add(message('urgent 2', true))
    await idle()
    expect(attempts).toEqual(['a'])
    await pass(45)
    expect(attempts).toEqual(['a', 'urgent 1', 'urgent 2', 'a'])
  })

  it('that are sent late contain the time of their event', async () => {
    const { delivery, bodies, clock, idle, pass } = setUp(offline, offline)
    const late = { ...message('a'), body: 'train-01', at: clock.now() }
    delivery.add(late)
    await idle()
    await pass(30)
    await pass(120)
    expect(bodies).toEqual([
      'train-01',
      'train-01',
      expect.stringMatching(/^train-01\nSent late. Time of the event: Nov 1[45], 2023, /),
    ])
  })

  it('are bounded: the oldest waiting one is dropped, and reported', async () => {
    const { delivery, attempts, settled, idle, pass } = setUp(offline)
    for (let count = 0; count < 53; count += 1) delivery.add(message(String(count)))
    await idle()
    expect(settled.filter((kind) => kind === 'dropped')).toHaveLength(2)
    await pass(30)
    expect(attempts).toHaveLength(52)
    expect(attempts.slice(0, 4)).toEqual(['0', '0', '3', '4'])
  })

  it('are dropped when their target is configured again', async () => {
    const { delivery, attempts, idle, clock } = setUp(offline)
    delivery.add(message('a'))
    delivery.add(message('b'))
    await idle()
    delivery.clear()
    delivery.add(message('c'))
    await idle()
    expect(attempts).toEqual(['a', 'c'])
    expect(clock.pending()).toBe(0)
  })

  it('are not delayed for a test, whose outcome is returned', async () => {
    const { delivery, attempts, idle } = setUp(offline, { kind: 'no-mailer' })
    delivery.add(message('a'))
    await idle()
    expect(await delivery.test(message('test'))).toEqual({ kind: 'no-mailer' })
    expect(attempts).toEqual(['a', 'test'])
  })
})
