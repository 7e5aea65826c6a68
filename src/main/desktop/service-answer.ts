/** Interface of Electron's `IncomingMessage`. */
interface ServiceAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[]>>
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end', listener: () => void): unknown
}

/** Interface of Electron's `ClientRequest`. */
export interface ServiceRequest {
  on(event: 'response', listener: (answer: ServiceAnswer) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  abort(): void
}

/** Statuses without a body; `new Response` throws if a body is passed for them. */
const bodiless = [204, 205, 304]

type Explain = (error: Error) => Promise<Error>

/** Returns the body as a stream; cancelling it ends the request. Fails with the explained connection error. */
function bodyOf(answer: ServiceAnswer, abort: () => void, explain: Explain): ReadableStream<Uint8Array> {
  let isOver = false
  const end = (act: () => void): void => {
    if (!isOver) act()
    isOver = true
  }
  return new ReadableStream({
    start(controller) {
      answer.on('data', (chunk) => isOver || controller.enqueue(chunk))
      answer.on('end', () => end(() => controller.close()))
      // An unanswered 407 of a proxy arrives as an answer whose body fails.
      const fail = (error: Error): void => end(() => controller.error(error))
      answer.on('error', (error) => void explain(error).then(fail, fail))
    },
    cancel() {
      isOver = true
      abort()
    },
  })
}

/** Converts an answer and skips headers that are not Latin-1. Throws RangeError for an invalid status. */
function responseOf(answer: ServiceAnswer, abort: () => void, explain: Explain): Response {
  const { statusCode: status } = answer
  if (status < 200 || status > 599) throw new RangeError(`status ${status}`)
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headers))
    for (const value of [values].flat()) {
      try {
        headers.append(name, value)
      } catch {
        // The application reads no header with such a value.
      }
    }
  const isBodiless = bodiless.includes(status)
  // Nobody would read an unexpected body, and it would block the connection.
  if (isBodiless) answer.on('data', abort)
  return new Response(isBodiless ? null : bodyOf(answer, abort, explain), { status, headers })
}

/** Waits for the answer to a request. Rejects with the explained error, and with Chromium's codes. */
export const answerTo = (
  request: ServiceRequest,
  signal: AbortSignal | null | undefined,
  explain: Explain,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const abortRequest = (): void => {
      reject(new Error('aborted'))
      request.abort()
    }
    if (signal?.aborted === true) return abortRequest()
    // The listener is never removed: Electron emits `close` once a request is sent, long before its answer.
    signal?.addEventListener('abort', abortRequest, { once: true })
    request.on('error', (error) => void explain(error).then(reject, reject))
    request.on('response', (answer) => {
      // Electron shows its own error dialog for an exception in this listener.
      try {
        resolve(responseOf(answer, () => request.abort(), explain))
      } catch {
        reject(new Error('net::ERR_INVALID_HTTP_RESPONSE'))
        request.abort()
      }
    })
  })
