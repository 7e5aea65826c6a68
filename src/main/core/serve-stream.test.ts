import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { nodeStreamPort } from '../../../test/fixtures/node-stream-port'
import { createStreams } from '../../renderer/platform/streams'
import { stream, type StreamRows, type StreamTypes } from '#shared/bridge/define'
import { type Failure, FailureError } from '#shared/failure'
import { maxOpenStreams, serveStreams, type StreamHandlers } from './serve-stream'

const table = {
  'test.count': stream({ input: z.object({ from: z.int() }), up: z.int(), down: z.int() }),
  'test.wait': stream({ input: z.object({}), up: z.never(), down: z.never() }),
} as const
type Table = StreamTypes<typeof table>
const rows: StreamRows<Table> = table

const count: StreamHandlers<Table>['test.count'] = async ({ from }, { messages, send }) => {
  let sum = from
  for await (const number of messages) {
    if (number < 0) throw new FailureError({ kind: 'disk-full' })
    sum += number
    await send(sum)
  }
}

/** Both ends of the table, connected by Node's ports. */
function joined(some: Partial<StreamHandlers<Table>> = {}) {
  const wait: StreamHandlers<Table>['test.wait'] = (_input, { signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  const serve = serveStreams(rows, { 'test.count': count, 'test.wait': wait, ...some })
  const openPort = (name: unknown, input: unknown) => {
    const { port1, port2 } = new MessageChannel()
    serve(name, input, nodeStreamPort(port2))
    return Promise.resolve(nodeStreamPort(port1))
  }
  return { open: createStreams(rows, openPort), openPort }
}

/** As joined, with a promise for the abort of the first test.wait handler. */
function withAbortReport() {
  let report: () => void
  const aborted = new Promise<void>((resolve) => (report = resolve))
  const wait: StreamHandlers<Table>['test.wait'] = (_input, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        report()
        resolve()
      })
    })
  return { ...joined({ 'test.wait': wait }), aborted }
}

async function readAll<Item>(messages: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const message of messages) all.push(message)
  return all
}

describe('a stream that the window opens', () => {
  it('is served by the handler of its row, and ends when the handler resolves', async () => {
    const sums = await joined().open('test.count', { from: 10 })
    await sums.send(1)
    await sums.send(2)
    await sums.end()
    expect(await readAll(sums.messages)).toEqual([11, 13])
    expect(await sums.ended).toBeNull()
  })

  it('fails with the error of its handler', async () => {
    const { open } = joined({ 'test.wait': () => Promise.reject(new Error('no such terminal')) })
    const sums = await open('test.count', { from: 0 })
    await sums.send(-1)
    expect(await sums.ended).toEqual({ kind: 'disk-full' })
    const waiting = await open('test.wait', {})
    expect(await waiting.ended).toMatchObject({ kind: 'local-fault', reason: 'no such terminal' })
  })

  it('aborts its handler when the window cancels', async () => {
    const { open, aborted } = withAbortReport()
    const waiting = await open('test.wait', {})
    waiting.close({ kind: 'cancelled' })
    await aborted
  })

  it('is cancelled if its reader leaves the loop', async () => {
    const { open } = joined()
    const sums = await open('test.count', { from: 0 })
    await sums.send(1)
    await sums.send(2)
    for await (const sum of sums.messages) {
      expect(sum).toBe(1)
      break
    }
    expect(await sums.ended).toEqual({ kind: 'cancelled' })
  })

  it.each<[string, unknown, unknown, Failure]>([
    ['of no row', 'test.nothing', {}, { kind: 'invalid-input', field: 'stream', reason: 'unknown' }],
    [
      'of a name that every object has',
      'toString',
      {},
      { kind: 'invalid-input', field: 'stream', reason: 'unknown' },
    ],
    ['of no name', 7, {}, { kind: 'invalid-input', field: 'stream', reason: 'unknown' }],
    [
      'with another input',
      'test.count',
      { from: 'a' },
      { kind: 'invalid-input', field: 'from', reason: 'malformed' },
    ],
    [
      'with no input',
      'test.count',
      null,
      { kind: 'invalid-input', field: 'test.count', reason: 'malformed' },
    ],
  ])('is refused if it is one %s', async (_what, name, input, failure) => {
    const port = await joined().openPort(name, input)
    const refused = new Promise((resolve) => port.connect({ message: resolve, closed: () => undefined }))
    expect(await refused).toEqual({ kind: 'close', failure })
  })

  it('is refused if too many are open, and served again once one has ended', async () => {
    const { open, aborted } = withAbortReport()
    const waiting = await Promise.all(Array.from({ length: maxOpenStreams }, () => open('test.wait', {})))
    const tooMany = await open('test.wait', {})
    expect(await tooMany.ended).toMatchObject({ kind: 'invalid-input', reason: 'out-of-range' })
    waiting[0]?.close({ kind: 'cancelled' })
    await aborted
    const sums = await open('test.count', { from: 1 })
    await sums.send(1)
    expect((await sums.messages[Symbol.asyncIterator]().next()).value).toBe(2)
    for (const one of [...waiting, sums]) one.close({ kind: 'cancelled' })
  })
})
