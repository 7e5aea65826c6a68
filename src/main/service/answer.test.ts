import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { schemaMismatch, type RawAnswer, readAnswer, retryAfterSeconds } from './answer'

const now = 1_700_000_000

const raw = (status: number, body: unknown, more: Partial<RawAnswer> = {}): RawAnswer => ({
  status,
  contentType: 'application/json; charset=utf-8',
  retryAfter: null,
  redirectsTo: null,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
})

const failureOf = (answer: RawAnswer, sent: unknown = {}): unknown => {
  const read = readAnswer(answer, sent, now)
  return read.ok ? 'ok' : read.failure
}

describe('an answer of the service', () => {
  it("is its data if the envelope's status is true", () => {
    const answer = readAnswer(raw(200, { status: true, message: 'ok', data: [1], total: 7 }), {}, now)
    expect(answer).toMatchObject({ ok: true, envelope: { data: [1], total: 7 } })
  })

  it('may hold bare NaNs, which become null; strings that contain NaN stay', () => {
    const text = '{"status": true, "message": "NaN, -Infinity", "data": [NaN, -Infinity, 1.5, "a\\" NaN"]}'
    expect(readAnswer(raw(200, text), {}, now)).toMatchObject({
      ok: true,
      envelope: { message: 'NaN, -Infinity', data: [null, null, 1.5, 'a" NaN'] },
    })
  })

  it.each([
    ['a long text that ends too soon', `{"status": true, "message": "${'x'.repeat(10_000_000)}`],
    ['escaped quotes without an end', `{"status": true, "message": "${'\\"'.repeat(300_000)}`],
    ['brackets without an end', '['.repeat(100_000)],
    ['brackets without an end and measure', '['.repeat(5_000_000)],
    ['objects without an end and measure', '{"a":'.repeat(2_000_000)],
    ['lists nested beyond all measure', '['.repeat(5_000_000) + ']'.repeat(5_000_000)],
  ])('is rejected as JSON of the service if it is %s', (_, text) => {
    expect(failureOf(raw(200, text))).toMatchObject({ kind: 'unexpected-answer' })
  })

  it('does not count brackets inside strings as nesting, even after escaped quotes', () => {
    const text = `a\\"${'[{'.repeat(200_000)}`
    const answer = readAnswer(raw(200, { status: true, data: text }), {}, now)
    expect(answer).toMatchObject({ ok: true, envelope: { data: text } })
  })

  it('is cut below the deepest level that services use', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const text = `{"status": true, "data": [{"id": "a", "odd": ${nested(50_000)}, "usual": ${nested(20)}}]}`
    const answer = readAnswer(raw(200, text), {}, now)
    expect(answer).toMatchObject({ envelope: { data: [{ id: 'a', usual: JSON.parse(nested(20)) }] } })
    expect(JSON.stringify(answer)).toContain('"…"')
  })
})

describe('a refused or malformed answer', () => {
  it('has its message, both with HTTP 200 and with an error status', () => {
    const body = { status: false, message: ' No such  image! ' }
    for (const status of [200, 400, 404, 500]) {
      expect(failureOf(raw(status, body))).toEqual({
        kind: 'refused-by-service',
        message: ' No such  image! ',
        status,
      })
    }
  })

  it('is a refusal even without an envelope; a nested message is found', () => {
    expect(failureOf(raw(409, { message: 'in use' }))).toMatchObject({ message: 'in use', status: 409 })
    const nested = { message: 'error', data: { error_reason: { message: 'quota of 8 GPUs reached' } } }
    expect(failureOf(raw(422, nested))).toMatchObject({ message: 'quota of 8 GPUs reached' })
  })

  it('names the refused field if the request sent it or the answer names it', () => {
    const sent = { name: 'x', flavor_id: 'f', ssh_key: { name: 'k', public_key: 'p' } }
    const field = (message: string, data?: unknown) =>
      failureOf(raw(400, { status: false, message, data }), sent)
    expect(field('flavor_id and image_id are of different regions')).toMatchObject({ field: 'flavor_id' })
    expect(field('ssh_key.public_key is no key')).toMatchObject({ field: 'ssh_key.public_key' })
    expect(field('the public_key is no key')).toMatchObject({ field: 'public_key' })
    expect(field('Cannot POST /api/v1/things?name=x')).not.toHaveProperty('field')
    expect(field('see https://x.example/flavor_id')).not.toHaveProperty('field')
    expect(field('name/flavor_id do not match')).toMatchObject({ field: 'name' })
    expect(field('volume_name is unknown')).not.toHaveProperty('field')
    expect(field('no', { field: 'volume_name' })).toMatchObject({ field: 'volume_name' })
    expect(field('no', { error_reason: { field: 'size' } })).toMatchObject({ field: 'size' })
  })

  it('is a refused sign-in with 401, with or without a message', () => {
    expect(failureOf(raw(401, { status: false, message: 'token expired' }))).toEqual({
      kind: 'not-signed-in',
      reason: 'refused',
      message: 'token expired',
    })
    expect(failureOf(raw(401, '<html>'))).toEqual({ kind: 'not-signed-in', reason: 'refused' })
  })

  it('reports the requested pause with 429', () => {
    const limited = (retryAfter: string | null) => failureOf(raw(429, '', { retryAfter }))
    expect(limited('17')).toEqual({ kind: 'rate-limited', retryAfter: 17 })
    expect(limited(new Date((now + 90) * 1000).toUTCString())).toEqual({
      kind: 'rate-limited',
      retryAfter: 90,
    })
    expect(limited(null)).toEqual({ kind: 'rate-limited' })
    expect(limited('soon')).toEqual({ kind: 'rate-limited' })
  })

  it.each(['-5', '5, 5', 'wait 5', '1e3', '5s', 'Mon', 'Mon, soon', ' ', ''])(
    'ignores the pause “%s”',
    (header) => expect(retryAfterSeconds(header, now)).toBeUndefined(),
  )

  it.each([
    ['0', 0],
    [' 1.5 ', 2],
    ['99999999999', 900],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Thursday, 31-Dec-99 23:59:59 GMT', 900],
  ])('accepts the pause “%s”', (header, pause) => {
    expect(retryAfterSeconds(header, Date.UTC(1999, 11, 31) / 1000)).toBe(pause)
  })

  it.each([
    [
      'HTML',
      raw(200, '<html>token-123</html>', { contentType: 'text/html; charset=utf-8' }),
      'HTTP 200, text/html',
    ],
    ['a proxy error', raw(502, '<html>', { contentType: 'text/html' }), 'HTTP 502, text/html'],
    ['nothing', raw(204, '', { contentType: '' }), 'HTTP 204, nothing'],
    ['half of an envelope', raw(200, '{"status":tr'), 'HTTP 200, application/json'],
    ['another envelope', raw(200, { ok: true, secret: 's3cret' }), 'answer.status: nothing'],
    ['a list', raw(200, [1]), 'answer: array'],
    ['an error without a word', raw(500, { status: false }), 'HTTP 500, application/json, without a message'],
    [
      'a redirect',
      raw(302, '', { redirectsTo: 'https://elsewhere.example' }),
      'a redirect to https://elsewhere.example',
    ],
  ])('is unexpected if it is %s, and describes what came', (_, answer, received) => {
    expect(failureOf(answer)).toMatchObject({ kind: 'unexpected-answer', received })
  })

  it('never repeats a value that does not fit the schema', () => {
    const schema = z.array(z.looseObject({ id: z.string(), login: z.object({ password: z.string() }) }))
    const data = [{ id: 'a', login: { password: ['hunter2'] } }]
    const error = schema.safeParse(data).error
    if (error === undefined) throw new Error('the data should not fit')
    const failure = schemaMismatch('data', error, data)
    expect(failure).toEqual({
      kind: 'unexpected-answer',
      expected: 'data[0].login.password: string',
      received: 'data[0].login.password: array',
    })
  })
})
