import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { errorOf } from '../ssh/client/channel-stream'

/** What a folder has. `other`: neither a file nor a folder, or there no more. */
export interface Listed {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
  /** Bytes. */
  readonly size: number
}

/** What the thread does (disk-thread.cjs), whole and one after the other. */
export interface DiskWork {
  /** What is in a folder; null: more than so many. Fails with the system's error. */
  list(folder: string, most: number): readonly Listed[] | null
  /**
   * Files, each filled up with zeros as in an archive, in one piece of memory: `at` with `before` bytes free for what goes
   * before it. Null: a file that cannot be read, or is not of the size. Links are not followed.
   */
  read(files: readonly { readonly path: string; readonly size: number; readonly before: number }[]): {
    readonly bytes: Uint8Array<ArrayBuffer>
    /** The SHA-256 of each. */
    readonly found: readonly ({ readonly at: number; readonly digest: string } | null)[]
  }
  /** Writes parts of `bytes` to files; over nothing, unless they were made before. A `digest` is that of a whole file. */
  write(
    files: readonly {
      readonly path: string
      readonly isMade: boolean
      readonly at: number
      readonly size: number
    }[],
    bytes: Uint8Array<ArrayBuffer>,
  ): readonly { readonly isMade: boolean; readonly digest: string | null }[]
}

type Name = keyof DiskWork
export type DiskCall = {
  readonly [Key in Name]: {
    readonly id: number
    readonly name: Key
    readonly input: Parameters<DiskWork[Key]>
  }
}[Name]

/** The value has the type of its call. */
interface Answer {
  readonly id: number
  readonly value: never
  readonly error?: { readonly message: string; readonly code?: string }
}

export type Disk = {
  readonly [Key in Name]: (...input: Parameters<DiskWork[Key]>) => Promise<ReturnType<DiskWork[Key]>>
}

/**
 * Runs `use` with a thread for files of this computer, which starts with the first call. Memory that is handed over is
 * moved. Once `signal` aborts no list is waited for: a slow disk takes long for one that is long.
 */
export async function withDisk<Value>(
  use: (disk: Disk) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  const waiting = new Map<number, { name: Name; resolve(value: never): void; reject(error: Error): void }>()
  let worker: Worker | undefined
  let calls = 0
  const fail = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const leaveLists = (): void => {
    for (const { name, reject } of waiting.values()) if (name === 'list') reject(errorOf(signal?.reason))
  }
  const start = (): Worker => {
    // The same name here and beside the bundle.
    const started = new Worker(join(import.meta.dirname, 'disk-thread.cjs'), { execArgv: [] })
    started.on('message', ({ id, value, error }: Answer) => {
      const call = waiting.get(id)
      waiting.delete(id)
      if (error) call?.reject(Object.assign(new Error(error.message), { code: error.code }))
      else call?.resolve(value)
    })
    started.on('error', fail)
    started.on('exit', () => {
      fail(new Error('the thread for files has ended'))
      // The next call starts another: this one would never answer it.
      worker = undefined
    })
    return started
  }
  const call = <Result>(
    name: Name,
    input: readonly unknown[],
    moved: ArrayBuffer[] = [],
  ): Promise<Result> => {
    worker ??= start()
    const id = (calls += 1)
    worker.postMessage({ id, name, input }, moved)
    return new Promise((resolve, reject) => waiting.set(id, { name, resolve, reject }))
  }
  signal?.addEventListener('abort', leaveLists)
  try {
    return await use({
      list: (...input) => call('list', input),
      read: (...input) => call('read', input),
      write: (files, bytes) => call('write', [files, bytes], [bytes.buffer]),
    })
  } finally {
    signal?.removeEventListener('abort', leaveLists)
    worker?.terminate().catch(() => undefined)
  }
}
