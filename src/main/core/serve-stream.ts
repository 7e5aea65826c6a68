import type { StreamRows, StreamType } from '#shared/bridge/define'
import { createStreamPeer, type StreamPeer, type StreamPort } from '#shared/bridge/stream-peer'
import { type Failure, failureOf } from '#shared/failure'

/** A stream that the window opened, as its handler sees it. */
interface OpenStream<Up, Down> extends Pick<StreamPeer<Up, Down>, 'messages' | 'send'> {
  /** Aborted once the stream is over: cancelled by the window, gone with it, or ended by the handler. */
  readonly signal: AbortSignal
}

/**
 * What the main process must provide for a table of streams: a function per row. The stream ends as it should when the
 * handler resolves, and fails with what it throws (FailureError for what the person must know).
 */
export type StreamHandlers<Types extends Readonly<Record<keyof Types, StreamType>>> = {
  readonly [Name in keyof Types]: (
    input: Types[Name]['input'],
    stream: OpenStream<Types[Name]['up'], Types[Name]['down']>,
  ) => Promise<void>
}

/** Streams that one window may have open; the next is refused. */
export const maxOpenStreams = 64

/**
 * Serves the streams of a table. The returned function takes what arrived from the window as it is: a name, an opening
 * input and the port. It refuses with invalid-input, as calls do.
 */
export function serveStreams<Types extends Readonly<Record<keyof Types, StreamType>>>(
  rows: StreamRows<Types>,
  handlers: StreamHandlers<Types>,
) {
  let open = 0
  const isName = (name: unknown): name is keyof Types & string =>
    typeof name === 'string' && Object.hasOwn(rows, name)

  const refuse = (port: StreamPort, failure: Failure): void => {
    port.connect({ message: () => undefined, closed: () => undefined })
    port.post({ kind: 'close', failure }, [])
    port.close()
  }

  async function serve<Name extends keyof Types & string>(
    name: Name,
    input: Types[Name]['input'],
    port: StreamPort,
  ): Promise<void> {
    const ending = new AbortController()
    const { messages, send, close, ended } = createStreamPeer({
      port,
      incoming: rows[name].up,
      outgoing: rows[name].down,
      refusal: { kind: 'invalid-input', field: name, reason: 'malformed' },
    })
    open += 1
    void ended.then(() => {
      open -= 1
      ending.abort()
    })
    try {
      await handlers[name](input, { messages, send, signal: ending.signal })
      close(null)
    } catch (error) {
      close(failureOf(error, name))
    }
  }

  return (name: unknown, input: unknown, port: StreamPort): void => {
    if (!isName(name)) return refuse(port, { kind: 'invalid-input', field: 'stream', reason: 'unknown' })
    const parsed = rows[name].input.safeParse(input)
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path.join('.') || name
      return refuse(port, { kind: 'invalid-input', field, reason: 'malformed' })
    }
    if (open >= maxOpenStreams)
      return refuse(port, { kind: 'invalid-input', field: name, reason: 'out-of-range' })
    void serve(name, parsed.data, port)
  }
}
