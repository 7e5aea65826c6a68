import { randomBytes, timingSafeEqual } from 'node:crypto'
import { rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { makeProcessFolder, type ProcessFolderUse } from './process-folder'

/** Time in which a request must be complete. */
const requestTimeoutMs = 5_000
/** Upper bound on a socket's path on macOS, the lowest of all systems; Node truncates a longer one. */
const maxSocketPathBytes = 103

const Request = z.looseObject({ token: z.string() })

export interface PrivateSocketDeps {
  /** Names the folder of the socket. */
  readonly use: ProcessFolderUse
  readonly platform: NodeJS.Platform
  /** Upper bound on a request in bytes. */
  readonly maxRequestBytes: number
  /** Answers one request of a client that knows the token, without the token. Null: no answer. */
  answer(request: unknown, gone: AbortSignal): Promise<string | null>
  /** Answers a request that is no JSON object or is too large. Null: no answer. */
  refuse(reason: 'malformed' | 'too-long'): string | null
}

export interface PrivateSocket {
  readonly path: string
  /** Every request contains it. */
  readonly token: string
  /** Ends all connections. Synchronous: the application may be about to quit. */
  close(): void
}

/** Returns the JSON object of a request; null if it is malformed. */
function readRequest(data: Buffer): z.infer<typeof Request> | null {
  try {
    return Request.parse(JSON.parse(data.toString('utf8')))
  } catch {
    return null
  }
}

/** Creates the address: a file in a folder that only this user can open; on Windows a named pipe. */
async function createAddress(use: ProcessFolderUse, platform: NodeJS.Platform) {
  if (platform === 'win32') {
    const name = `wheelhouse-${use}-${String(process.pid)}-${randomBytes(8).toString('hex')}`
    return { path: `\\\\.\\pipe\\${name}`, remove: (): void => undefined }
  }
  const folder = await makeProcessFolder(use)
  const remove = (): void => {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // A leftover folder among the temporary files does no harm.
    }
  }
  return { path: join(folder, 's'), remove }
}

/**
 * Opens a socket for other processes of this user. A request is a JSON object with the token, ended by a zero byte; one
 * request per connection. An answer ends with a zero byte too.
 */
export async function openPrivateSocket(deps: PrivateSocketDeps): Promise<PrivateSocket> {
  const { use, platform, maxRequestBytes, answer, refuse } = deps
  const { path, remove } = await createAddress(use, platform)
  const token = randomBytes(32)
  /** Connected clients; each controller aborts when its client is gone. */
  const open = new Map<Socket, AbortController>()
  let isClosed = false

  const isOurs = (offered: string): boolean => {
    const bytes = Buffer.from(offered, 'hex')
    return bytes.length === token.length && timingSafeEqual(bytes, token)
  }
  const end = (socket: Socket, text: string | null): void => {
    if (text === null || isClosed) socket.destroy()
    else socket.end(`${text}\0`)
  }
  async function reply(socket: Socket, data: Buffer, gone: AbortSignal): Promise<void> {
    const read = readRequest(data)
    if (read === null) return end(socket, refuse('malformed'))
    const { token: offered, ...request } = read
    if (!isOurs(offered)) return void socket.destroy()
    end(socket, await answer(request, gone))
  }

  const server = createServer((socket) => {
    const gone = new AbortController()
    open.set(socket, gone)
    socket.on('close', () => {
      open.delete(socket)
      gone.abort()
    })
    socket.on('error', () => socket.destroy())
    socket.setTimeout(requestTimeoutMs, () => socket.destroy())
    const chunks: Buffer[] = []
    let size = 0
    let isWhole = false
    // A zero byte ends a request; the end of the stream means that the client is gone.
    socket.on('data', (data: Buffer) => {
      // Data after the request is dropped, so that the client can still read the refusal of a large one.
      if (isWhole) return
      size += data.length
      if (size > maxRequestBytes) {
        isWhole = true
        return end(socket, refuse('too-long'))
      }
      const last = data.indexOf(0)
      chunks.push(last < 0 ? data : data.subarray(0, last))
      if (last < 0) return
      isWhole = true
      socket.setTimeout(0)
      void reply(socket, Buffer.concat(chunks), gone.signal).catch(() => socket.destroy())
    })
  })

  try {
    if (Buffer.byteLength(path) > maxSocketPathBytes) throw new Error(`${path} is too long for a socket`)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
    if (platform !== 'win32') await chmod(path, 0o600)
  } catch (error) {
    server.close()
    remove()
    throw error
  }
  return {
    path,
    token: token.toString('hex'),
    close(): void {
      if (isClosed) return
      isClosed = true
      server.close()
      for (const [socket, gone] of open) {
        // Before the socket's own event, which comes later.
        gone.abort()
        socket.destroy()
      }
      remove()
    },
  }
}
