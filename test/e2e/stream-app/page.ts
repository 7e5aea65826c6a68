import { z } from 'zod'
import { createStreams, openedPort } from '../../../src/renderer/platform/streams'
import { checksum, rows } from './table'

z.config({ jitless: true })

const open = createStreams(rows, (name, input) => openedPort(window.wheelhouse.stream(name, input)))

/** Sends so many numbered chunks and compares the echo. */
async function echo(chunks: number, chunkBytes: number) {
  const stream = await open('test.echo', {})
  let sent = 0
  const send = async () => {
    for (let index = 0; index < chunks; index += 1) {
      const bytes = new Uint8Array(chunkBytes)
      new Uint32Array(bytes.buffer).fill(index)
      sent = checksum(sent, bytes)
      await stream.send(bytes)
    }
    await stream.end()
  }
  const sending = send()
  let received = 0
  let count = 0
  for await (const bytes of stream.messages) {
    received = checksum(received, bytes)
    count += 1
  }
  await sending
  return { sent, received, count, failure: await stream.ended }
}

/** Leaves an endless stream after so many bytes. */
async function cancelAfter(bytes: number) {
  const stream = await open('test.endless', {})
  let received = 0
  for await (const message of stream.messages) {
    received += message.byteLength
    if (received >= bytes) break
  }
  return stream.ended
}

/** Opens a stream that stays open, and reports when it is served. */
async function stay() {
  const stream = await open('test.echo', {})
  await stream.send(new Uint8Array(4))
  return (await stream.messages[Symbol.asyncIterator]().next()).done
}

/** Returns the end of a stream without a reader. */
const refused = async () => (await open('test.echo', {})).ended

Object.assign(window, { streams: { echo, cancelAfter, stay, refused } })
