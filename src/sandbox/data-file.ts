import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { WorldState } from './cloud/records'

/** The world on disk. */
export interface DataFile {
  /** Undefined where there is no file yet. Throws where it cannot be understood, and leaves it as it is. */
  load(): Promise<WorldState | undefined>
  /** From now on, what is written is what `snapshot` gives. */
  keep(snapshot: () => WorldState): void
  /** Writes soon; calls in the meantime are one write. */
  changed(): void
  /** Writes now what has changed. */
  flush(): Promise<void>
}

const delay = 1_000

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** `onError` hears of a write that failed, which is tried again at the next change. */
export function openDataFile(path: string, onError: (error: unknown) => void): DataFile {
  let snapshot: (() => WorldState) | undefined
  let timer: NodeJS.Timeout | undefined
  let dirty = false
  let writing = Promise.resolve()

  const write = async (): Promise<void> => {
    if (!dirty || snapshot === undefined) return
    dirty = false
    const temporary = `${path}.${process.pid}.tmp`
    try {
      await mkdir(dirname(path), { recursive: true })
      const file = await open(temporary, 'w', 0o600)
      try {
        await file.writeFile(JSON.stringify(snapshot()))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, path)
    } catch (error) {
      dirty = true
      throw error
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const next = writing.then(write)
    writing = next.catch(() => undefined)
    return next
  }
  return {
    load: async () => {
      let text: string
      try {
        text = await readFile(path, 'utf8')
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
      return parse(text, path)
    },
    keep: (source) => {
      snapshot = source
    },
    changed: () => {
      dirty = true
      timer ??= setTimeout(() => {
        flush().catch(onError)
      }, delay)
    },
    flush,
  }
}

function parse(text: string, path: string): WorldState {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`${path} is not JSON`, { cause: error })
  }
  const state = WorldState.safeParse(value)
  if (state.success) return state.data
  const where = state.error.issues[0]?.path.join('.') ?? ''
  throw new Error(`${path} is not a sandbox's data file (at ${where === '' ? 'its root' : where})`)
}
