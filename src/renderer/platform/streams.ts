import { z } from 'zod'
import type { StreamOpened } from '#shared/bridge/channels'
import type { StreamRows, StreamType } from '#shared/bridge/define'
import { createStreamPeer, type StreamPeer, type StreamPort } from '#shared/bridge/stream-peer'
import { plainCopy } from './plain-copy'

const Opened: z.ZodType<StreamOpened> = z.object({ wheelhouseStream: z.string() })

/** Wraps the page's end of a stream. Bytes are copied: Electron cannot transfer them to the main process. */
const streamPort = (port: MessagePort): StreamPort => ({
  post: (frame) => port.postMessage(frame),
  connect({ message, closed }) {
    port.addEventListener('message', (event) => message(event.data))
    port.addEventListener('close', closed)
    port.start()
  },
  close: () => port.close(),
})

/** Waits for the port that the preload posts for a stream. Must run in the same task as the preload's `stream`. */
export const openedPort = (id: string): Promise<StreamPort> =>
  new Promise((resolve) => {
    const listen = ({ source, data, ports: [port] }: MessageEvent<unknown>): void => {
      if (source !== window || Opened.safeParse(data).data?.wheelhouseStream !== id || !port) return
      window.removeEventListener('message', listen)
      resolve(streamPort(port))
    }
    window.addEventListener('message', listen)
  })

/** Returns `peer` with messages that cancel the stream if the reader leaves the loop early. */
function cancelledByReader<Incoming, Outgoing>(
  peer: StreamPeer<Incoming, Outgoing>,
): StreamPeer<Incoming, Outgoing> {
  async function* read(): AsyncGenerator<Incoming, void> {
    try {
      yield* peer.messages
    } finally {
      peer.close({ kind: 'cancelled' })
    }
  }
  return { ...peer, messages: read() }
}

/** Opens streams, which fail as main or the handler does. The caller closes them or reads them to their end. */
export const createStreams =
  <Types extends Readonly<Record<keyof Types, StreamType>>>(
    rows: StreamRows<Types>,
    openPort: (name: string, input: unknown) => Promise<StreamPort>,
  ) =>
  async <Name extends keyof Types & string>(
    name: Name,
    input: Types[Name]['input'],
  ): Promise<StreamPeer<Types[Name]['down'], Types[Name]['up']>> =>
    cancelledByReader(
      createStreamPeer({
        port: await openPort(name, plainCopy(input)),
        incoming: rows[name].down,
        outgoing: rows[name].up,
        refusal: { kind: 'unexpected-answer', expected: name, received: 'something else' },
      }),
    )
