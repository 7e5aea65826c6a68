import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FailureError } from '#shared/failure'
import { deep } from '../../../test/fixtures/counts'
import { crashReport, CrashReport, type CrashContext } from './crash-report'

const root = import.meta.dirname
const context: CrashContext = {
  kind: 'exception',
  at: '2026-11-22T17:00:00.000Z',
  version: '1.2.3',
  electron: '45.4.1',
  system: 'linux x64',
  root,
}
const canary = 'canary_7f3a'
const fakeFrame = `    at ${canary} (${root}/main/index.cjs:1:1)`

const thrown = (message: string, options?: ErrorOptions): Error => {
  try {
    throw new TypeError(message, options)
  } catch (error) {
    return error instanceof Error ? error : new Error('not thrown')
  }
}
const textOf = (error: unknown): string => JSON.stringify(crashReport(error, context))

it('contains the class, the code and the place of the error', () => {
  const report = crashReport(Object.assign(thrown('cannot'), { code: 'ECONNRESET' }), context)
  expect(report).toMatchObject({ error: 'TypeError', code: 'ECONNRESET', version: '1.2.3' })
  expect(report.frames[0]).toMatch(/^thrown crash-report\.test\.ts:\d+:\d+$/)
  expect(report.frames).toContain('(elsewhere)')
  expect(CrashReport.parse(report)).toEqual(report)
})

it('contains only the kind of a failure', () => {
  const report = crashReport(
    new FailureError({ kind: 'cannot-connect', host: canary, reason: canary }),
    context,
  )
  expect(report).toMatchObject({ error: 'FailureError', code: 'cannot-connect' })
  expect(JSON.stringify(report)).not.toContain(canary)
})

describe('a crash report contains no name from users or services', () => {
  const changed = thrown('harmless')
  changed.message = canary
  const longer = thrown(`first\n${fakeFrame}`)
  longer.message = `Request failed: ${longer.message}`
  const named = thrown('x')
  named.name = canary
  const stacked = thrown('x')
  stacked.stack = `TypeError: y\n${fakeFrame}`
  class Hostile extends Error {
    override get message(): string {
      throw new Error(canary)
    }
  }
  it.each<readonly [string, unknown]>([
    ['in a message', thrown(`${canary} at 203.0.113.7`)],
    ['in a message with lines like frames', thrown(`no\n${fakeFrame}\n${fakeFrame}`)],
    ['in a message that was changed', changed],
    ['in a message that was put before another', longer],
    ['in a stack that was replaced', stacked],
    ['in a name', named],
    ['in a code', Object.assign(thrown('x'), { code: canary })],
    ['in a cause and other properties', Object.assign(thrown('x', { cause: canary }), { host: canary })],
    ['in several errors', new AggregateError([thrown(canary)], canary)],
    ['in what is no error', canary],
    ['in an object', { message: canary, stack: fakeFrame }],
    ['in an error of another realm', runInNewContext(`new Error('${canary}')`)],
    ['in properties that throw', new Hostile()],
  ])('%s', (_, error) => {
    expect(textOf(error)).not.toContain(canary)
  })

  it('even if the message contains stack frames', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), (before, after) => {
        for (const message of [`${before}${canary}${after}`, `${before}\n${fakeFrame}\n${after}`])
          expect(textOf(thrown(message))).not.toContain(canary)
      }),
      { numRuns: deep(10, 1000) },
    )
  })
})

it('contains no path of this computer', () => {
  const report = JSON.stringify(crashReport(thrown('x'), { ...context, root: '/nowhere' }))
  expect(report).not.toContain(root)
  expect(report).not.toContain('crash-report.test')
})
