import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { gatherWrites } from './channel-stream'

it('writes of one tick are joined in order', async () => {
  const sent: string[] = []
  const add = (chunks: readonly { readonly chunk: unknown }[]): void =>
    void sent.push(chunks.map(({ chunk }) => String(chunk)).join(' '))
  const socket = gatherWrites(
    new Duplex({
      read: () => undefined,
      write(chunk, _encoding, done) {
        add([{ chunk }])
        done()
      },
      writev(chunks, done) {
        add(chunks)
        done()
      },
    }),
  )
  for (const part of ['length', 'content', 'code']) socket.write(part)
  const later = new Promise<void>((resolve) => {
    setImmediate(() => socket.write('another', () => resolve()))
  })
  await later
  expect(sent).toEqual(['length content code', 'another'])
})
