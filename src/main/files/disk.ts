import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { onAbort } from '../core/on-abort'
import { systemClock } from '../core/clock'
import { errorOf } from '../ssh/client/channel-stream'

/** `other`: a device, a pipe or a socket, or removed meanwhile. */
export interface Found {
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** Bytes. */
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  /** Epoch seconds. */
  readonly modifiedAt: number
}

/** What a thread does (disk-thread.cjs), whole and one after the other. */
export interface DiskWork {
  /** The names in a folder; null: more than so many. Fails with the system's error. */
  list(folder: string, most: number): readonly string[] | null
  /** What paths are. Links are not followed. */
  look(paths: readonly string[]): readonly Found[]
  /**
   * Files, each filled up with zeros as in an archive, in one piece of memory: `at` with `before` bytes free for what goes
   * before it. Null: a file that cannot be read, or is not of the size. Links are not followed.
   */
  read(files: readonly { readonly path: string; readonly size: number; readonly before: number }[]): {
    readonly bytes: Uint8Array<ArrayBuffer>
    /** The SHA-256 of each. */
    readonly found: readonly ({ readonly at: number; readonly digest: string } | null)[]
  }
  /**
   * Writes parts of `bytes` to files; over nothing, unless they were made before. Sets the files that it makes in `made`,
   * which both threads have: to 1, or to 2 if the time of a file was refused. The SHA-256 of each; null: it is not whole.
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
  /** Permissions that it is made with, and that it gets in the end; null: this computer's default. */
  readonly mode: FileMode | null
  /** Time of the last change that it gets in the end (epoch seconds); null: the time of the copy. */
  readonly modifiedAt: number | null
}
/** Permission bits. */
export interface FileMode {
  readonly whileCopied: number
  readonly final: number
}

type Name = keyof DiskWork
export type DiskCall = {
  readonly [Key in Name]: { readonly name: Key; readonly input: Parameters<DiskWork[Key]> }
}[Name]

/** The value has the type of its call. */
interface Answer {
  readonly value: never
  readonly error?: { readonly message: string; readonly code?: string }
}

export type Disk = {
  readonly [Key in Exclude<Name, 'write'>]: (
    ...input: Parameters<DiskWork[Key]>
  ) => Promise<ReturnType<DiskWork[Key]>>
} & {
  /** What each file has become. One that is not whole has no digest, also where its thread has ended meanwhile. */
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

/** Threads at most: a disk of this computer needs one, one behind a network has each call wait. */
const mostThreads = 4
/** Paths that a thread looks at before it does something else. */
const lookedAtOnce = 256
/** Seconds that a call waits for a thread before it gets one of its own. */
const longestWait = 0.1

/**
 * Runs `use` with threads for files of this computer: one, which starts with the first call, and more while calls wait.
 * Memory that is handed over is moved. Once `signal` aborts nothing is waited for that only looks.
 */
export async function withDisk<Value>(
  use: (disk: Disk) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  const waiting: Call[] = []
  /** What each thread does; null: nothing. */
  const threads = new Map<Worker, Call | null>()
  /** What has just begun is waited for: it takes longer than a call. */
  let isStarting = false
  let cancelStart: (() => void) | undefined

  function start(): void {
    // The same name here and beside the bundle.
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
    for (const [thread, does] of threads) {
      const call = does ? undefined : waiting.shift()
      if (!call) continue
      threads.set(thread, call)
      thread.postMessage({ name: call.name, input: call.input }, call.moved)
    }
    if (waiting.length === 0) {
      cancelStart?.()
      cancelStart = undefined
    } else if (threads.size < mostThreads && !isStarting) {
      cancelStart ??= systemClock.after(longestWait, () => {
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
  const leaveLooks = (): void => {
    for (const { name, reject } of [...waiting, ...threads.values()].filter((one) => one !== null))
      if (name === 'list' || name === 'look') reject(errorOf(signal?.reason))
  }
  const stop = onAbort(signal, leaveLooks)
  try {
    return await use({
      list: (...input) => call('list', input),
      look: async (paths) => {
        const looks: Promise<readonly Found[]>[] = []
        for (let from = 0; from < paths.length; from += lookedAtOnce)
          looks.push(call('look', [paths.slice(from, from + lookedAtOnce)]))
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
