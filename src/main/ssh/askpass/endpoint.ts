import { randomBytes, timingSafeEqual } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { createEmitter, type Subscribe } from '#shared/emitter'
import type { Clock } from '../../core/clock'
import { makeProcessFolder } from '../../core/process-folder'
import { askpassVariables, maxMessageBytes, maxQuestions } from './protocol'

const Message = z.object({
  token: z.string(),
  prompt: z.string().max(maxMessageBytes),
  /** Process id of the asking ssh, which may connect to a jump host. */
  asker: z.string().max(20).default(''),
  /** The text is only shown, until the asking program ends. */
  isNotice: z.boolean().default(false),
})
export type Question = Omit<z.infer<typeof Message>, 'token'>

/** Time without a question after which an endpoint closes; sshd ends a sign-in after 120 seconds by default. */
const idleTimeoutSeconds = 150
/** Time in which a question must be complete. */
const questionTimeoutMs = 5_000
/** Upper bound on a socket's path on macOS, the lowest of all systems; Node truncates a longer one. */
const maxSocketPathBytes = 103

export interface EndpointDeps {
  readonly clock: Clock
  /** Answers one question of ssh; null: no answer. */
  answer(question: Question, gone: AbortSignal): Promise<string | null>
  /** The endpoint answers no more questions. */
  closed(): void
}

/** Socket that receives the questions of one start of ssh. */
export interface Endpoint {
  /** Environment variables that ssh needs to find it. */
  readonly env: NodeJS.ProcessEnv
  /** A question arrived. */
  readonly onAsk: Subscribe<undefined>
  close(): void
}

/**
 * Opens a socket for one start of ssh, in a folder that only this user can open. It answers clients that know its token,
 * and closes after a while without a question.
 */
export async function openEndpoint({ clock, answer, closed }: EndpointDeps): Promise<Endpoint> {
  const folder = await makeProcessFolder('ask')
  const path = join(folder, 's')
  const token = randomBytes(32)
  /** Connected clients; each controller aborts when its client is gone. */
  const open = new Map<Socket, AbortController>()
  const asks = createEmitter<undefined>()
  let questionCount = 0
  let isClosed = false
  let cancel = (): void => undefined

  const server = createServer((socket) => {
    const gone = new AbortController()
    open.set(socket, gone)
    socket.on('close', () => {
      open.delete(socket)
      gone.abort()
    })
    socket.on('error', () => socket.destroy())
    socket.setTimeout(questionTimeoutMs, () => socket.destroy())
    const chunks: Buffer[] = []
    let size = 0
    let isWhole = false
    // A zero byte ends a question; the end of the stream means that the asking program is gone.
    socket.on('data', (data: Buffer) => {
      size += data.length
      if (isWhole || size > maxMessageBytes * 2) return void socket.destroy()
      const end = data.indexOf(0)
      chunks.push(end < 0 ? data : data.subarray(0, end))
      if (end < 0) return
      isWhole = true
      socket.setTimeout(0)
      void reply(socket, Buffer.concat(chunks), gone.signal).catch(() => socket.destroy())
    })
  })

  function isOurs(offered: string): boolean {
    const bytes = Buffer.from(offered, 'hex')
    return bytes.length === token.length && timingSafeEqual(bytes, token)
  }
  function read(data: Buffer): Question | null {
    try {
      const { token: offered, ...question } = Message.parse(JSON.parse(data.toString('utf8')))
      return isOurs(offered) ? question : null
    } catch {
      return null
    }
  }
  async function reply(socket: Socket, data: Buffer, gone: AbortSignal): Promise<void> {
    const question = read(data)
    if (question === null || questionCount >= maxQuestions) return void socket.destroy()
    questionCount += 1
    cancel()
    asks.emit(undefined)
    const text = await answer(question, gone)
    wait()
    // ssh reads an answer up to a line break, the askpass program up to a zero byte.
    if (text === null || isClosed || /[\0\r\n]/.test(text)) socket.destroy()
    else socket.end(`${text}\0`)
  }
  function wait(): void {
    cancel()
    if (!isClosed) cancel = clock.after(idleTimeoutSeconds, close)
  }
  function close(): void {
    if (isClosed) return
    isClosed = true
    cancel()
    server.close()
    for (const [socket, gone] of open) {
      // Before the socket's own event, which comes later.
      gone.abort()
      socket.destroy()
    }
    asks.clear()
    closed()
    remove()
  }
  /** Synchronous: the application may be about to quit. */
  function remove(): void {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // A leftover folder among the temporary files does no harm.
    }
  }

  try {
    if (Buffer.byteLength(path) > maxSocketPathBytes) throw new Error(`${path} is too long for a socket`)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
  } catch (error) {
    remove()
    throw error
  }
  wait()
  return {
    env: { [askpassVariables.socket]: path, [askpassVariables.token]: token.toString('hex') },
    onAsk: asks.on,
    close,
  }
}
