import { join } from 'node:path'
import type { z } from 'zod'
import { FailureError, failureOf } from '#shared/failure'
import { writeFileAtomic } from './atomic-file'
import { keepCopy, readSettingsFile, settingsFileName, words, type SettingsNotice } from './settings-file'

/** The settings of one module. */
export interface SettingsSection<Value> {
  read(): Value
  /**
   * The new value holds at once; the promise settles when it is on disk. Fails with local-fault where it could not
   * be written: the value then lives on in memory and goes to disk with the next change that succeeds.
   */
  change(update: (value: Value) => Value): Promise<Value>
}

export interface SettingsStore {
  /**
   * The section of this name. `schema` must accept `{}`: that is what a fresh installation holds. A section that
   * does not fit starts afresh, and a copy of the file is kept and noticed.
   */
  section<Schema extends z.ZodType>(name: string, schema: Schema): SettingsSection<z.infer<Schema>>
  /** What the person must know about reading the file. */
  notices(): readonly SettingsNotice[]
  /** Settles when everything changed so far is on disk or has failed. */
  flushed(): Promise<void>
  /** Settles as `flushed` does; what changes later holds in memory only, so the folder may go. */
  close(): Promise<void>
}

/**
 * The settings of this installation: one JSON file of sections, written atomically and one write at a time.
 * Sections that no module of this version asks for are kept as they are. No secret belongs here.
 */
export const openSettings = (folder: string): SettingsStore => {
  const path = join(folder, settingsFileName)
  const read = readSettingsFile(folder)
  const document = { ...read.document }
  const notices: SettingsNotice[] = read.notice === null ? [] : [read.notice]

  let running = Promise.resolve()
  let waiting: Promise<void> | undefined
  let closed = false

  const write = async (): Promise<void> => {
    try {
      const blocked = notices.find((notice) => notice.kind === 'unreadable')
      if (blocked !== undefined) throw new Error(blocked.reason)
      await writeFileAtomic(path, `${JSON.stringify(document, null, 2)}\n`)
    } catch (error) {
      throw new FailureError(failureOf(error, 'settings.write'))
    }
  }

  // Changes made while a write is under way share the next one.
  const save = (): Promise<void> => {
    if (closed) return Promise.resolve()
    waiting ??= running.then(() => {
      waiting = undefined
      const writing = write()
      running = writing.catch(() => undefined)
      return writing
    })
    return waiting
  }

  const flushed = async (): Promise<void> => {
    await (waiting ?? running).catch(() => undefined)
  }

  const check = <Schema extends z.ZodType>(name: string, schema: Schema): z.infer<Schema> => {
    const found = schema.safeParse(document[name] ?? {})
    if (found.success) return found.data
    const reason = found.error.issues.map((issue) => issue.path.join('.')).join(', ')
    try {
      notices.push({ kind: 'damaged', section: name, keptAs: keepCopy(folder), reason })
    } catch (error) {
      notices.push({ kind: 'unreadable', section: name, keptAs: null, reason: words(error) })
    }
    return schema.parse({})
  }

  return {
    section: (name, schema) => {
      let value = check(name, schema)
      return {
        read: () => value,
        change: async (update) => {
          value = update(value)
          document[name] = value
          await save()
          return value
        },
      }
    },
    notices: () => notices,
    flushed,
    close: () => {
      closed = true
      return flushed()
    },
  }
}
