import { failures } from './en/failures'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { calls } from '../bridge/index'
import { invalidReasons, type Failure } from '../failure'
import { failureText } from './failure-text'
import { translate } from './index'

const kinds: readonly Failure[] = [
  { kind: 'offline' },
  { kind: 'cannot-connect', host: 'api.example.com:443', reason: 'ECONNREFUSED' },
  { kind: 'timed-out', host: 'api.example.com', seconds: 20 },
  { kind: 'untrusted-certificate', host: 'api.example.com', reason: 'CERT_HAS_EXPIRED' },
  { kind: 'untrusted-certificate', host: 'api.example.com', reason: 'ERR_CERT_AUTHORITY_INVALID' },
  ...(['unreachable', 'refused', 'sign-in', 'certificate', 'script'] as const).map((problem): Failure => ({
    kind: 'proxy',
    problem,
    proxy: 'proxy.example.com:8080',
    host: 'api.example.com',
  })),
  { kind: 'not-signed-in', reason: 'expired' },
  { kind: 'not-signed-in', reason: 'refused' },
  { kind: 'not-signed-in', reason: 'signed-out' },
  { kind: 'refused-by-service', message: 'No such flavor', status: 400 },
  { kind: 'unexpected-answer', expected: 'a list', received: 'text' },
  { kind: 'rate-limited' },
  { kind: 'rate-limited', retryAfter: 12 },
  { kind: 'invalid-input', field: 'baseUrl', reason: 'not-a-url' },
  { kind: 'keychain-unavailable', reason: 'locked' },
  { kind: 'not-offered-by-service', what: 'regions' },
  { kind: 'cancelled' },
  { kind: 'host-key-changed', host: '203.0.113.21', known: 'SHA256:old', offered: 'SHA256:new' },
  { kind: 'host-key-refused', host: '203.0.113.21:22' },
  { kind: 'disk-full' },
  { kind: 'no-space', machine: 'train', free: 12_000, needed: 4_000_000_000 },
  { kind: 'no-space', machine: null, free: 0, needed: 500 },
  { kind: 'local-fault', action: 'xterm', reason: 'ENOENT' },
]
const textOf = (failure: Failure) => failureText(failure, translate)

describe('the text of a failure', () => {
  it.each(kinds)('names the problem, its cause, and the next step: %j', (failure) => {
    for (const words of Object.values(textOf(failure))) {
      expect(words).toMatch(/\S/)
      // A path instead of text, or an unfilled brace.
      expect(words).not.toMatch(/failures\.|[{}]/)
    }
  })

  it.each(Object.keys(calls))('never contains the name of the call %s', (name) => {
    const failures: readonly Failure[] = [
      { kind: 'local-fault', action: name, reason: 'EACCES' },
      { kind: 'unexpected-answer', expected: name, received: 'text' },
    ]
    for (const failure of failures) expect(Object.values(textOf(failure)).join()).not.toContain(name)
  })

  const isConfirmable = (reason: string): boolean => Object.hasOwn(failures.confirmable, reason)

  it.each(invalidReasons.filter(isConfirmable))('asks a question about a value that is %s', (reason) => {
    const text = textOf({ kind: 'invalid-input', field: 'port', reason })
    expect(text.next).toMatch(/\?$/)
  })

  it.each(invalidReasons.filter((reason) => !isConfirmable(reason)))(
    'explains why a value is %s',
    (reason) => {
      expect(textOf({ kind: 'invalid-input', field: 'port', reason })).toMatchObject({
        title: 'The port isn’t valid',
        text: expect.stringMatching(/^[A-Z]/),
      })
    },
  )

  it('repeats the service’s message literally, with any characters', () => {
    const message = 'Flavor {x} @ $5 | "no" <b>'
    expect(textOf({ kind: 'refused-by-service', message, status: 400 }).text).toBe(message)
    expect(textOf({ kind: 'not-signed-in', reason: 'refused', message }).text).toBe(
      `The service says: ${message}`,
    )
  })

  it('mentions a missing reason', () => {
    expect(textOf({ kind: 'refused-by-service', message: '', status: 409 }).text).toBe(
      'It gave no reason (HTTP 409).',
    )
  })

  it('uses the failure’s own name for an undocumented field', () => {
    expect(textOf({ kind: 'invalid-input', field: 'size', reason: 'out-of-range' }).title).toBe(
      'size isn’t valid',
    )
  })

  it('uses text for the fields that modules reject, never their name in the code', () => {
    const main = join(import.meta.dirname, '../../main')
    const sources = readdirSync(main, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
      .map((file) => readFileSync(join(main, file), 'utf8'))
    const fields = sources.flatMap((source) =>
      [...source.matchAll(/'invalid-input',\s+field: '([\w.]+)'|(?:refused|invalid)\('(\w+)', '/g)].flatMap(
        ([, thrown, refused]) => thrown ?? refused ?? [],
      ),
    )
    expect(fields.length).toBeGreaterThan(30)
    for (const field of new Set([...fields, 'volume.display_name', 'note.tags.0']))
      expect([field, textOf({ kind: 'invalid-input', field, reason: 'unknown' }).title]).toEqual([
        field,
        expect.stringMatching(/^(?:The|What) /),
      ])
  })

  it.each([
    [501, 'This address answered with a web page, not the service (HTTP 501).'],
    [undefined, 'This address answered with a web page, not the service.'],
  ])('names a web page that an address answered with, at status %s', (status, text) => {
    const failure: Failure = {
      kind: 'unexpected-answer',
      expected: 'a JSON answer of the service',
      received: 'HTTP 501, text/html',
      ...(status !== undefined && { status }),
    }
    expect(textOf(failure)).toMatchObject({ title: 'Unexpected response', text })
  })

  it('includes the pause that the service asks for', () => {
    expect(textOf({ kind: 'rate-limited', retryAfter: 12 }).next).toBe('Try again in 12 s.')
  })
})
