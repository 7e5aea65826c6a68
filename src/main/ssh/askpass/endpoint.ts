import { randomBytes, timingSafeEqual } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { createEmitter, type Subscribe } from '#shared/emitter'
import type { Clock } from '../../core/clock'
import { makeProcessFolder } from '../../core/process-folder'
import { askpassVariables, longestMessage, mostQuestions } from './protocol'

const Question = z.object({
  token: z.string(),
  prompt: z.string().max(longestMessage),
  /** The ssh that asks, by its process: one on the way asks for itself. */
  asker: z.string().max(20).default(''),
  /** It is only shown until the program that asks is ended. */
  isNotice: z.boolean().default(false),
})
export type Asked = Omit<z.infer<typeof Question>, 'token'>

/** Seconds that an endpoint stays without a question; sshd by itself gives 120 for signing in. */
const openFor = 150
/** Milliseconds in which a question must be whole. */
const questionWithin = 5_000
/** Bytes of a socket's path on macOS, the fewest of all systems; Node cuts a longer one, out of its folder. */
const longestPath = 103

export interface EndpointDeps {
  readonly clock: Clock
  /** The answer to one question of ssh's; null: none. */
  answer(asked: Asked, gone: AbortSignal): Promise<string | null>
  /** Nothing is answered any more. */
  closed(): void
}

/** Where one start of ssh asks. */
export interface Endpoint {
  /** Says where, for the environment of ssh. */
  readonly env: NodeJS.ProcessEnv
  /** Something is asked, whoever answers. */
  readonly onAsk: Subscribe<undefined>
  close(): void
}

/**
 * Opens a socket for one start of ssh, in a folder of this user's alone. It answers who knows its token, and is gone
 * once ssh has ended, or has asked nothing for a while.
 */
export async function openEndpoint({ clock, answer, closed }: EndpointDeps): Promise<Endpoint> {
  const folder = await makeProcessFolder('ask')
  const path = join(folder, 's')
  const token = randomBytes(32)
  /** Who asks, and what ends when they are gone. */
  const open = new Map<Socket, AbortController>()
  const asks = createEmitter<undefined>()
  let asked = 0
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
    socket.setTimeout(questionWithin, () => socket.destroy())
    const chunks: Buffer[] = []
    let size = 0
    let isWhole = false
    // A question ends with a zero byte, not with the line: its end means that the asking program is gone.
    socket.on('data', (data: Buffer) => {
      size += data.length
      if (isWhole || size > longestMessage * 2) return void socket.destroy()
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
  function read(data: Buffer): Asked | null {
    try {
      const { token: offered, ...question } = Question.parse(JSON.parse(data.toString('utf8')))
      return isOurs(offered) ? question : null
    } catch {
      return null
    }
  }
  async function reply(socket: Socket, data: Buffer, gone: AbortSignal): Promise<void> {
    const question = read(data)
    if (question === null || asked >= mostQuestions) return void socket.destroy()
    asked += 1
    cancel()
    asks.emit(undefined)
    const text = await answer(question, gone)
    wait()
    // A line break would end the answer for ssh, a zero byte for its program.
    if (text === null || isClosed || /[\0\r\n]/.test(text)) socket.destroy()
    else socket.end(`${text}\0`)
  }
  function wait(): void {
    cancel()
    if (!isClosed) cancel = clock.after(openFor, close)
  }
  function close(): void {
    if (isClosed) return
    isClosed = true
    cancel()
    server.close()
    for (const [socket, gone] of open) {
      // At once: a socket says that it is closed only later.
      gone.abort()
      socket.destroy()
    }
    asks.clear()
    closed()
    remove()
  }
  /** At once: the application may be about to end. */
  function remove(): void {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // A leftover folder among the temporary files does no harm.
    }
  }

  try {
    if (Buffer.byteLength(path) > longestPath) throw new Error(`${path} is too long for a socket`)
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
