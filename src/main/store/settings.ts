import { join } from 'node:path'
import type { z } from 'zod'
import type { Subscribe } from '#shared/emitter'
import { fileFailure } from '../core/file-failure'
import { writeFileAtomic } from './atomic-file'
import { type ReadableParts, readableParts } from './readable-parts'
import {
  keepCopy,
  readSettingsFile,
  removeCutWrites,
  settingsFileName,
  words,
  type SettingsNotice,
} from './settings-file'

/** The settings of one module. */
export interface SettingsSection<Value> {
  read(): Value
  /**
   * The new value holds at once; the promise settles when it is on disk. Fails with disk-full and local-fault where it
   * could not be written: the value then lives on in memory and goes to disk with the next change that succeeds. `update` is
   * called once more on what comes in later (`onLoad`), so it decides by its argument alone, not by `read`.
   */
  change(update: (value: Value) => Value): Promise<Value>
  /** Whether what was kept has been read, or cannot be read for now. */
  isReady(): boolean
  /** Settles once it is ready. */
  ready(): Promise<void>
  /** What was kept came in after the section had been opened. */
  readonly onLoad: Subscribe<null>
  /** The parts that cannot be read, in their places; they stay on disk as they are, for a later version. */
  unreadable(): unknown
}

/** Of a section that is read when it is opened. */
export const readAtOnce = {
  isReady: () => true,
  ready: () => Promise.resolve(),
  onLoad: () => () => undefined,
  unreadable: () => ({}),
} satisfies Partial<SettingsSection<unknown>>

/**
 * Where modules keep what must outlive the application: the settings, in plain text, for preferences and ids; the
 * private documents (private-documents.ts), encrypted, for all the rest.
 */
export interface Sections {
  /**
   * The section of this name. `schema` must accept `{}`: that is what a fresh installation holds. `privateFields`: of
   * private documents, the only fields that are private, at any depth; the rest goes to the settings.
   */
  section<Schema extends z.ZodType>(
    name: string,
    schema: Schema,
    privateFields?: readonly string[],
  ): SettingsSection<z.infer<Schema>>
}

export interface SettingsStore extends Sections {
  /**
   * The section of this name. `schema` must accept `{}`: that is what a fresh installation holds. An unreadable part
   * of it is left out, and stays in the file. If nothing of it can be read it starts afresh, and a copy of the file is
   * kept. Both are noticed.
   */
  section<Schema extends z.ZodType>(name: string, schema: Schema): SettingsSection<z.infer<Schema>>
  /** What the file holds of a section, as it was read or last changed; undefined: nothing. */
  raw(name: string): unknown
  /** What the person must know about reading the file. */
  notices(): readonly SettingsNotice[]
  /** Settles when everything changed so far is on disk or has failed. */
  flushed(): Promise<void>
  /** Settles as `flushed` does; what changes later holds in memory only, so the folder may go. */
  close(): Promise<void>
}

/**
 * The settings of this installation: one JSON file of sections, written atomically and one write at a time.
 * Sections that no module of this version asks for are kept as they are. Nothing secret or private belongs here.
 */
export const openSettings = (folder: string): SettingsStore => {
  const path = join(folder, settingsFileName)
  removeCutWrites(folder)
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

  const check = <Schema extends z.ZodType>(
    name: string,
    schema: Schema,
  ): Omit<ReadableParts<z.infer<Schema>>, 'unreadable'> => {
    const found = readableParts(schema, document[name] ?? {})
    if (found) {
      const reason = found.unreadable.map((path) => `${name}.${path}`).join(', ')
      if (reason !== '') notices.push({ kind: 'partial', section: name, keptAs: null, reason })
      return found
    }
    try {
      notices.push({ kind: 'damaged', section: name, keptAs: keepCopy(folder), reason: name })
      // It is in the copy: what is written next leaves it out, so that the next start does not meet it again.
      document[name] = undefined
    } catch (error) {
      notices.push({ kind: 'unreadable', section: name, keptAs: null, reason: words(error) })
    }
    return { value: schema.parse({}), withUnreadable: (value) => value }
  }

  return {
    section: (name, schema) => {
      const { value: known, withUnreadable } = check(name, schema)
      let value = known
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
