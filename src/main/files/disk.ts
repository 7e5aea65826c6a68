import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { onAbort } from '../core/on-abort'
import { systemClock } from '../core/clock'
import { errorOf } from '../ssh/client/channel-stream'

/** `other`: a device, a pipe, a socket, or removed. */
export interface LocalEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** Bytes. */
  readonly size: number
  readonly mode: number
  /** Epoch seconds. */
  readonly modifiedAt: number
}

/** Calls of a thread (disk-thread.cjs), which runs them in sequence. */
export interface DiskWork {
  /** Lists the names in a folder; null: more than `maxNames`. Fails with the system's error. */
  list(folder: string, maxNames: number): readonly string[] | null
  /** Reads attributes. Does not follow links. */
  look(paths: readonly string[]): readonly LocalEntry[]
  /**
   * Reads files into one buffer, each with `before` free bytes in front and zeros behind, as in an archive. Does not follow
   * links.
   */
  read(files: readonly { readonly path: string; readonly size: number; readonly before: number }[]): {
    readonly bytes: Uint8Array<ArrayBuffer>
    /** Offset and SHA-256 of each file; null: unreadable, or of another size. */
    readonly contents: readonly ({ readonly at: number; readonly digest: string } | null)[]
  }
  /**
   * Writes parts of `bytes` to new files, or to files made before. In the shared `made`, sets files that exist to 1, or to 2
   * if the time of a file was refused. Returns the SHA-256 of each file; null: incomplete.
   */
  write(
    files: readonly PlaceToWrite[],
    bytes: Uint8Array<ArrayBuffer>,
    made: Uint8Array<SharedArrayBuffer>,
  ): readonly (string | null)[]
}
interface PlaceToWrite {
  readonly path: string
  readonly isMade: boolean
  readonly at: number
  readonly size: number
  readonly mode: FileMode | null
  /** Time of the last change (epoch seconds); null: the time of the copy. */
  readonly modifiedAt: number | null
}
/** Permission bits during a copy and after it. */
export interface FileMode {
  readonly whileCopied: number
  readonly final: number
}

type Name = keyof DiskWork
export type DiskCall = {
  readonly [Key in Name]: { readonly name: Key; readonly input: Parameters<DiskWork[Key]> }
}[Name]

interface Answer {
  readonly value: never
  readonly error?: { readonly message: string; readonly code?: string }
}

export type Disk = {
  readonly [Key in Exclude<Name, 'write'>]: (
    ...input: Parameters<DiskWork[Key]>
  ) => Promise<ReturnType<DiskWork[Key]>>
} & {
  /** Writes files. An incomplete file has no digest, and no file has one if the thread ended. */
  write(
    files: readonly PlaceToWrite[],
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<
    readonly { readonly isMade: boolean; readonly isTimeRefused: boolean; readonly digest: string | null }[]
  >
}

interface Call {
  readonly name: Name
  readonly input: readonly unknown[]
  readonly moved: readonly ArrayBuffer[]
  resolve(value: never): void
  reject(error: Error): void
}

/** A local disk needs one thread; on a network disk each call waits. */
const maxThreads = 4
const pathsPerLook = 256
const startThreadSeconds = 0.1

/**
 * Runs `use` with threads for files of this computer. One thread starts with the first call, more while calls wait. Once
 * `signal` aborts, calls that only read folders and attributes reject.
 */
export async function withDisk<Value>(
  use: (disk: Disk) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  const waiting: Call[] = []
  const threads = new Map<Worker, Call | null>()
  /** Only one thread starts at a time: starting takes longer than a call. */
  let isStarting = false
  let cancelStart: (() => void) | undefined

  function start(): void {
    // The file has the same name in the bundle's folder.
    const started = new Worker(join(import.meta.dirname, 'disk-thread.cjs'), { execArgv: [] })
    let cause = new Error('the thread for files has ended')
    isStarting = true
    started.on('online', () => {
      isStarting = false
      next()
    })
    started.on('message', ({ value, error }: Answer) => {
      const call = threads.get(started)
      threads.set(started, null)
      if (error) call?.reject(Object.assign(new Error(error.message), { code: error.code }))
      else call?.resolve(value)
      next()
    })
    started.on('error', (error) => (cause = errorOf(error)))
    started.on('exit', () => {
      isStarting = false
      threads.get(started)?.reject(cause)
      threads.delete(started)
      next()
    })
    threads.set(started, null)
  }

  function next(): void {
    if (waiting.length > 0 && threads.size === 0) start()
    for (const [thread, current] of threads) {
      const call = current ? undefined : waiting.shift()
      if (!call) continue
      threads.set(thread, call)
      thread.postMessage({ name: call.name, input: call.input }, call.moved)
    }
    if (waiting.length === 0) {
      cancelStart?.()
      cancelStart = undefined
    } else if (threads.size < maxThreads && !isStarting) {
      cancelStart ??= systemClock.after(startThreadSeconds, () => {
        cancelStart = undefined
        start()
        next()
      })
    }
  }

  const call = <Result>(
    name: Name,
    input: readonly unknown[],
    moved: readonly ArrayBuffer[] = [],
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ name, input, moved, resolve, reject })
      next()
    })
  const rejectReads = (): void => {
    for (const { name, reject } of [...waiting, ...threads.values()].filter((call) => call !== null))
      if (name === 'list' || name === 'look') reject(errorOf(signal?.reason))
  }
  const stop = onAbort(signal, rejectReads)
  try {
    return await use({
      list: (...input) => call('list', input),
      look: async (paths) => {
        const looks: Promise<readonly LocalEntry[]>[] = []
        for (let from = 0; from < paths.length; from += pathsPerLook)
          looks.push(call('look', [paths.slice(from, from + pathsPerLook)]))
        return (await Promise.all(looks)).flat()
      },
      read: (...input) => call('read', input),
      async write(files, bytes) {
        const made = new Uint8Array(new SharedArrayBuffer(files.length))
        const written = call<ReturnType<DiskWork['write']>>('write', [files, bytes, made], [bytes.buffer])
        const digests = await written.catch(() => [])
        return files.map(({ isMade }, index) => ({
          isMade: isMade || (made[index] ?? 0) > 0,
          isTimeRefused: made[index] === 2,
          digest: digests[index] ?? null,
        }))
      },
    })
  } finally {
    stop()
    waiting.length = 0
    cancelStart?.()
    for (const thread of threads.keys()) thread.terminate().catch(() => undefined)
  }
}
