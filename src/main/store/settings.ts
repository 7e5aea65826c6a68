import { join } from 'node:path'
import type { z } from 'zod'
import type { Subscribe } from '#shared/emitter'
import { fileFailure } from '../core/failure-of'
import { writeFileAtomic } from './atomic-file'
import { type ReadableParts, readableParts } from './readable-parts'
import {
  keepCopy,
  readSettingsFile,
  removeInterruptedWrites,
  settingsFileName,
  errorMessage,
  type SettingsNotice,
} from './settings-file'

export interface SettingsSection<Value> {
  read(): Value
  /**
   * Applies `update` at once; the promise resolves when the value is on disk. Fails with disk-full and local-fault if
   * it cannot be written; the value then stays in memory and is written with the next change. `update` runs again on
   * a value that loads later (`onLoad`), so it may only depend on its argument.
   */
  change(update: (value: Value) => Value): Promise<Value>
  /** Whether the stored value was read, or cannot be read for now. */
  isReady(): boolean
  ready(): Promise<void>
  /** Emitted when the stored value was loaded after the section had been opened. */
  readonly onLoad: Subscribe<null>
  /** The unreadable parts in their places. They stay on disk for a later version. */
  unreadable(): unknown
}

export const readAtOnce = {
  isReady: () => true,
  ready: () => Promise.resolve(),
  onLoad: () => () => undefined,
  unreadable: () => ({}),
} satisfies Partial<SettingsSection<unknown>>

/** Settings hold preferences and ids in plain text; private documents (private-documents.ts) are encrypted. */
export interface Sections {
  /**
   * Opens a section. `schema` must accept `{}`, the content of a new installation. `privateFields` applies to private
   * documents: only these fields, at any depth, are private, and the rest goes to the settings.
   */
  section<Schema extends z.ZodType>(
    name: string,
    schema: Schema,
    privateFields?: readonly string[],
  ): SettingsSection<z.infer<Schema>>
}

export interface SettingsStore extends Sections {
  /**
   * Opens a section. `schema` must accept `{}`, the content of a new installation. Unreadable parts are left out and
   * stay in the file. If nothing is readable, the section is reset and the file copied. Both cause a notice.
   */
  section<Schema extends z.ZodType>(name: string, schema: Schema): SettingsSection<z.infer<Schema>>
  raw(name: string): unknown
  notices(): readonly SettingsNotice[]
  /** Resolves when all changes so far are on disk or have failed. */
  flushed(): Promise<void>
  /** Resolves as `flushed`; later changes stay in memory, so the folder may be removed. */
  close(): Promise<void>
}

/**
 * Opens the settings of this installation: one JSON file of sections, written atomically, one write at a time. Keeps
 * unknown sections. Nothing secret or private belongs here.
 */
export const openSettings = (folder: string): SettingsStore => {
  const path = join(folder, settingsFileName)
  removeInterruptedWrites(folder)
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
      throw fileFailure(error, 'settings.write')
    }
  }

  // Changes during a write share the next write.
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

  const check = <Schema extends z.ZodType>(
    name: string,
    schema: Schema,
  ): Omit<ReadableParts<z.infer<Schema>>, 'unreadable'> => {
    const parts = readableParts(schema, document[name] ?? {})
    if (parts) {
      const reason = parts.unreadable.map((path) => `${name}.${path}`).join(', ')
      if (reason !== '') notices.push({ kind: 'partial', section: name, keptAs: null, reason })
      return parts
    }
    try {
      notices.push({ kind: 'damaged', section: name, keptAs: keepCopy(folder), reason: name })
      // The copy holds the section, and the next write omits it, so that the next start does not find it again.
      document[name] = undefined
    } catch (error) {
      notices.push({ kind: 'unreadable', section: name, keptAs: null, reason: errorMessage(error) })
    }
    return { value: schema.parse({}), withUnreadable: (value) => value }
  }

  return {
    section: (name, schema) => {
      const { value: stored, withUnreadable } = check(name, schema)
      let value = stored
      return {
        read: () => value,
        change: async (update) => {
          value = update(value)
          document[name] = withUnreadable(value)
          await save()
          return value
        },
        ...readAtOnce,
        unreadable: () => withUnreadable({}),
      }
    },
    raw: (name) => document[name],
    notices: () => notices,
    flushed,
    close: () => {
      closed = true
      return flushed()
    },
  }
}
