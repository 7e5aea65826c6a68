import type { StreamRows, StreamType } from '#shared/bridge/define'
import { createStreamPeer, type StreamPeer, type StreamPort } from '#shared/bridge/stream-peer'
import { type Failure, failureOf } from '#shared/failure'

interface OpenStream<Up, Down> extends Pick<StreamPeer<Up, Down>, 'messages' | 'send'> {
  /** Aborted when the stream ends, for any reason. */
  readonly signal: AbortSignal
}

/**
 * Handlers of a table of streams. A stream ends when its handler resolves, and fails with its error
 * (FailureError for problems that the user must see).
 */
export type StreamHandlers<Types extends Readonly<Record<keyof Types, StreamType>>> = {
  readonly [Name in keyof Types]: (
    input: Types[Name]['input'],
    stream: OpenStream<Types[Name]['up'], Types[Name]['down']>,
  ) => Promise<void>
}

export const maxOpenStreams = 64

/**
 * Serves the streams of a table. The returned function validates the name and the input that the window sent, and
 * refuses with invalid-input, as calls do.
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
