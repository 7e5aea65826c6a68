import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { channelPty } from './channel-pty'

/** How a shell whose channel says nothing of its end is ended, once `end` has been done to the channel. */
const endedBy = (end: (stream: Duplex) => void) =>
  new Promise<readonly [code: number | null, isLost: boolean | undefined]>((resolve) => {
    const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
    channelPty(
      {
        channel: { stream, exit: Promise.resolve({ status: null, signal: null }), resize: () => undefined },
        close: () => undefined,
      },
      { output: () => undefined, ended: (...how) => resolve([how[0], how[1]]) },
    )
    end(stream)
  })

it('a shell whose end the server leaves unsaid has ended, and is lost only with its connection', async () => {
  expect(await endedBy((stream) => stream.end(() => stream.push(null)))).toEqual([null, false])
  expect(await endedBy((stream) => stream.destroy(new Error('lost')))).toEqual([null, true])
})
