import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CloudState } from './cloud/records'

export interface DataFile {
  /** Returns undefined if there is no file yet. Rejects if its content is invalid, and leaves the file unchanged. */
  load(): Promise<CloudState | undefined>
  /** Sets the source of the state to write. */
  saveFrom(snapshot: () => CloudState): void
  /** Schedules a write, which also covers later calls. */
  markDirty(): void
  flush(): Promise<void>
}

const writeDelayMs = 1_000

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Opens the data file. `onError` receives a failed write, which is repeated at the next change. */
export function openDataFile(path: string, onError: (error: unknown) => void): DataFile {
  let snapshot: (() => CloudState) | undefined
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
    saveFrom: (source) => {
      snapshot = source
    },
    markDirty: () => {
      dirty = true
      timer ??= setTimeout(() => {
        flush().catch(onError)
      }, writeDelayMs)
    },
    flush,
  }
}

function parse(text: string, path: string): CloudState {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`${path} is not JSON`, { cause: error })
  }
  const state = CloudState.safeParse(value)
  if (state.success) return state.data
  const where = state.error.issues[0]?.path.join('.') ?? ''
  throw new Error(`${path} is not a sandbox's data file (at ${where === '' ? 'its root' : where})`)
}
