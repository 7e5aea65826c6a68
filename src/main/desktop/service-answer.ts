/** An answer that arrives, as Electron has it. */
interface ServiceAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[]>>
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end', listener: () => void): unknown
}

/** A request that is sent, as Electron has it. */
export interface ServiceRequest {
  on(event: 'response', listener: (answer: ServiceAnswer) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  abort(): void
}

/** Statuses whose answer has no body; a Response of one with a body throws. */
const bodiless = [204, 205, 304]

type Explain = (error: Error) => Promise<Error>

/** The body as it comes; cancelling it ends the request. Fails with the error of the connection, explained. */
function bodyOf(answer: ServiceAnswer, giveUp: () => void, explain: Explain): ReadableStream<Uint8Array> {
  let isOver = false
  const end = (act: () => void): void => {
    if (!isOver) act()
    isOver = true
  }
  return new ReadableStream({
    start(controller) {
      answer.on('data', (chunk) => isOver || controller.enqueue(chunk))
      answer.on('end', () => end(() => controller.close()))
      // An unanswered 407 of a proxy comes as an answer whose body fails.
      const fail = (error: Error): void => end(() => controller.error(error))
      answer.on('error', (error) => void explain(error).then(fail, fail))
    },
    cancel() {
      isOver = true
      giveUp()
    },
  })
}

/** Without headers that are no Latin-1. Throws RangeError where it is no status of an answer. */
function responseOf(answer: ServiceAnswer, giveUp: () => void, explain: Explain): Response {
  const { statusCode: status } = answer
  if (status < 200 || status > 599) throw new RangeError(`status ${status}`)
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headers))
    for (const value of [values].flat()) {
      try {
        headers.append(name, value)
      } catch {
        // Nothing that is read here has one.
      }
    }
  const isBodiless = bodiless.includes(status)
  // Nobody reads one that comes all the same: it would hold the connection for as long as the service likes.
  if (isBodiless) answer.on('data', giveUp)
  return new Response(isBodiless ? null : bodyOf(answer, giveUp, explain), { status, headers })
}

/** The answer to a request. Rejects with Chromium's codes, and with what `explain` makes of an error, as the body does. */
export const answerTo = (
  request: ServiceRequest,
  signal: AbortSignal | null | undefined,
  explain: Explain,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(new Error('aborted'))
      request.abort()
    }
    if (signal?.aborted === true) return abort()
    // For as long as the signal lives: Electron emits `close` once a request is sent, long before its answer.
    signal?.addEventListener('abort', abort, { once: true })
    request.on('error', (error) => void explain(error).then(reject, reject))
    request.on('response', (answer) => {
      // What is thrown here would end in Electron's own error dialog.
      try {
        resolve(responseOf(answer, () => request.abort(), explain))
      } catch {
        reject(new Error('net::ERR_INVALID_HTTP_RESPONSE'))
        request.abort()
      }
    })
  })
