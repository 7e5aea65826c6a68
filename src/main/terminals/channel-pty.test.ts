import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { channelPty } from './channel-pty'

/** Ends a channel that reports neither status nor signal. Resolves to how its shell ended. */
const endedBy = (end: (stream: Duplex) => void) =>
  new Promise<readonly [code: number | null, isLost: boolean | undefined]>((resolve) => {
    const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
    channelPty(
      {
        channel: { stream, exit: Promise.resolve({ status: null, signal: null }), resize: () => undefined },
        close: () => undefined,
      },
      { output: () => undefined, ended: (code, isLost) => resolve([code, isLost]) },
    )
    end(stream)
  })

it('a shell without an exit status has ended, and is lost only if its connection failed', async () => {
  expect(await endedBy((stream) => stream.end(() => stream.push(null)))).toEqual([null, false])
  expect(await endedBy((stream) => stream.destroy(new Error('lost')))).toEqual([null, true])
})
