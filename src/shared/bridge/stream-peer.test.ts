import { createHash } from 'node:crypto'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { nodeStreamPort } from '../../../test/fixtures/node-stream-port'
import { type Failure, FailureError } from '../failure'
import { Bytes } from './define'
import { creditWindowBytes, maxMessageBytes, weigh } from './stream-frame'
import { createStreamPeer } from './stream-peer'

const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('data'), bytes: Bytes }),
  z.object({ kind: z.literal('text'), text: z.string() }),
])
type Message = z.infer<typeof Message>

const refusal: Failure = { kind: 'invalid-input', field: 'echo', reason: 'malformed' }
const cancelled: Failure = { kind: 'cancelled' }
const diskFull: Failure = { kind: 'disk-full' }

const ports: MessagePort[] = []
afterEach(() => ports.splice(0).forEach((port) => port.close()))

const openChannel = () => {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1, port2)
  return { port1, port2 }
}
const peerOf = (port: MessagePort) =>
  createStreamPeer({ port: nodeStreamPort(port), incoming: Message, outgoing: Message, refusal })

const pair = () => {
  const { port1, port2 } = openChannel()
  return [peerOf(port1), peerOf(port2)] as const
}
/** A peer, and the bare port of a counterpart that breaks the rules. */
const hostilePair = () => {
  const { port1, port2 } = openChannel()
  return [peerOf(port1), port2] as const
}

const text = (value: string): Message => ({ kind: 'text', text: value })
const data = (length: number): Message => ({ kind: 'data', bytes: new Uint8Array(length) })

async function readAll<Item>(messages: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const message of messages) all.push(message)
  return all
}
const failureOfPromise = async (promise: Promise<unknown>): Promise<Failure> => {
  const error: unknown = await promise.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  )
  if (error instanceof FailureError) return error.failure
  throw error
}

describe('a stream', () => {
  it('carries data and bytes in order, in both directions at once', async () => {
    const [near, far] = pair()
    const echo = async () => {
      for await (const message of far.messages) await far.send(message)
      far.close(null)
    }
    const sent = [text('a'), { kind: 'data' as const, bytes: new Uint8Array([1, 2, 3]) }, text('b')]
    void echo()
    const received = readAll(near.messages)
    for (const message of sent) await near.send(message)
    await near.end()
    expect(await received).toEqual([text('a'), { kind: 'data', bytes: new Uint8Array([1, 2, 3]) }, text('b')])
    expect([await near.ended, await far.ended]).toEqual([null, null])
  })

  it('carries 100 MB through a bounded buffer, unchanged', async () => {
    const [near, far] = pair()
    const chunk = 200_000
    const chunks = 500
    const message = weigh(data(chunk)).size
    let sent = 0
    let consumed = 0
    let highWater = 0
    const [before, after] = [createHash('sha256'), createHash('sha256')]
    const send = async () => {
      for (let index = 0; index < chunks; index += 1) {
        const bytes = new Uint8Array(chunk).fill(index)
        before.update(bytes)
        await near.send({ kind: 'data', bytes })
        sent += 1
        highWater = Math.max(highWater, (sent - consumed) * message)
      }
      near.close(null)
    }
    const sending = send()
    for await (const received of far.messages) {
      if (received.kind === 'data') after.update(received.bytes)
      consumed += 1
    }
    await sending
    expect(consumed * chunk).toBe(100_000_000)
    expect(after.digest('hex')).toBe(before.digest('hex'))
    expect(highWater).toBeGreaterThan(message)
    expect(highWater).toBeLessThanOrEqual(creditWindowBytes)
  })

  it('makes the sender wait until the reader consumes', async () => {
    const [near, far] = pair()
    const length = maxMessageBytes - 1024
    for (let count = 0; count < 4; count += 1) await near.send(data(length))
    const resolved = vi.fn()
    const fifth = near.send(data(length)).then(resolved)
    // A round trip in the other direction ensures that all messages have arrived.
    await far.send(text('still waiting?'))
    await near.messages[Symbol.asyncIterator]().next()
    expect(resolved).not.toHaveBeenCalled()
    const reader = far.messages[Symbol.asyncIterator]()
    await reader.next()
    await reader.next()
    await reader.next()
    await fifth
    expect(resolved).toHaveBeenCalled()
  })

  it("sends only the view's bytes, not the rest of its buffer", async () => {
    const [near, far] = pair()
    const pooled = Buffer.from('the only bytes')
    expect(pooled.buffer.byteLength).toBeGreaterThan(pooled.byteLength)
    await near.send({ kind: 'data', bytes: pooled })
    near.close(null)
    const [received] = await readAll(far.messages)
    if (received?.kind !== 'data') throw new Error('no bytes arrived')
    expect(Buffer.from(received.bytes).toString()).toBe('the only bytes')
    expect(received.bytes.buffer.byteLength).toBe(pooled.byteLength)
    expect(pooled.toString()).toBe('the only bytes')
  })

  it('transfers bytes rather than copying them if the port can', async () => {
    const [near] = pair()
    const bytes = new Uint8Array(1000)
    await near.send({ kind: 'data', bytes })
    expect(bytes.byteLength).toBe(0)
  })

  it('rejects a message that violates the contract, and continues', async () => {
    const [near, far] = pair()
    await expect(near.send(z.custom<Message>().parse({ kind: 'shout' }))).rejects.toThrow(TypeError)
    await expect(near.send(data(maxMessageBytes))).rejects.toThrow(RangeError)
    await near.send(text('fine'))
    await near.end()
    await expect(near.send(text('late'))).rejects.toThrow(TypeError)
    expect(await readAll(far.messages)).toEqual([text('fine')])
  })
})

describe('the end of a stream', () => {
  it('in one direction leaves the other open', async () => {
    const [near, far] = pair()
    await near.send(text('a file'))
    await near.end()
    expect(await readAll(far.messages)).toEqual([text('a file')])
    await far.send(text('written'))
    far.close(null)
    expect(await readAll(near.messages)).toEqual([text('written')])
  })

  it('is a failure if one side fails, after all earlier messages', async () => {
    const [near, far] = pair()
    await far.send(text('some'))
    far.close(diskFull)
    const received: Message[] = []
    const reading = async () => {
      for await (const message of near.messages) received.push(message)
    }
    expect(await failureOfPromise(reading())).toEqual(diskFull)
    expect(received).toEqual([text('some')])
    expect(await near.ended).toEqual(diskFull)
    expect(await failureOfPromise(near.send(text('more')))).toEqual(diskFull)
  })

  it('rejects a message that waits for credit', async () => {
    const [near, far] = pair()
    const sends = Array.from({ length: 6 }, () => near.send(data(maxMessageBytes - 1024)))
    await Promise.all(sends.slice(0, 4))
    far.close(cancelled)
    expect(await Promise.all(sends.slice(4).map(failureOfPromise))).toEqual([cancelled, cancelled])
  })

  it('follows when the port closes', async () => {
    const [near, far] = hostilePair()
    const reading = failureOfPromise(readAll(near.messages))
    far.close()
    expect(await reading).toEqual(cancelled)
    expect(await near.ended).toEqual(cancelled)
  })

  it('happens once', async () => {
    const [near, far] = pair()
    near.close(null)
    near.close(diskFull)
    far.close(diskFull)
    expect(await near.ended).toBeNull()
  })
})

describe('a peer that breaks the rules', () => {
  const message = (value: unknown) => ({ kind: 'message', value })
  it.each<[string, readonly unknown[]]>([
    ['sends no frame', ['text']],
    ['sends a frame that does not exist', [{ kind: 'shutdown' }]],
    ['sends a message that breaks the schema', [message({ kind: 'data', bytes: 'text' })]],
    ['grants what nobody sent', [{ kind: 'credit', bytes: 1 }]],
    ['grants less than nothing', [{ kind: 'credit', bytes: -1000 }]],
    ['grants without bound', [{ kind: 'credit', bytes: Number.MAX_SAFE_INTEGER }]],
    ['fails with a failure of its own making', [{ kind: 'close', failure: { kind: 'mystery' } }]],
    ['sends a message larger than any', [message(data(maxMessageBytes))]],
    ['sends without credit', Array.from({ length: 5 }, () => message(data(maxMessageBytes - 1024)))],
    ['sends empty messages without end', Array.from({ length: 20_000 }, () => message(text('')))],
    ['sends behind its own end', [{ kind: 'end' }, message(text('late'))]],
  ])('is refused: %s', async (_what, frames) => {
    const [near, far] = hostilePair()
    const closed = new Promise((resolve) => far.once('close', resolve))
    far.start()
    frames.forEach((frame) => far.postMessage(frame))
    expect(await near.ended).toEqual(refusal)
    // Earlier messages are dropped.
    expect(await failureOfPromise(readAll(near.messages))).toEqual(refusal)
    await closed
  })
})
