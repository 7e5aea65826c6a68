import type { z } from 'zod'
import { createEmitter, type Subscribe } from '#shared/emitter'
import type { ReportError } from '../core/report-error'
import type { DocumentTable } from './document-table'
import { type ReadableParts, readableParts } from './readable-parts'
import type { SettingsSection } from './settings'

/** A section as modules see it, with the methods that the private documents use. */
export interface PrivateSection extends SettingsSection<unknown> {
  /** Reads the file and applies earlier changes. Never fails: failed writes are retried. */
  load(table: DocumentTable): void
  isLoaded(): boolean
  loaded(): void
  /** Retries a failed write. Never fails. */
  writeAgain(): void
}

export interface PrivateSectionDeps<Schema extends z.ZodType> {
  readonly name: string
  readonly schema: Schema
  isSettled(): boolean
  readonly onSettled: Subscribe<null>
  readonly report: ReportError
}

const asRead = <Value>(value: Value): Pick<ReadableParts<Value>, 'value' | 'withUnreadable'> => ({
  value,
  withUnreadable: (next) => next,
})

/** Opens one private document: in memory first, and in the encrypted file once that is open. */
export function openPrivateSection<Schema extends z.ZodType>({
  name,
  schema,
  isSettled,
  onSettled,
  report,
}: PrivateSectionDeps<Schema>) {
  type Value = z.infer<Schema>
  const loads = createEmitter<null>()
  let { value, withUnreadable } = asRead<Value>(schema.parse({}))
  /** Changes made before the file was open, to apply to its content. */
  let earlyChanges: ((value: Value) => Value)[] = []
  let table: DocumentTable | undefined
  let isSaved = true

  function write(): void {
    isSaved = false
    table?.write(name, withUnreadable(value))
    isSaved = true
  }

  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      report('store.keepDocument', error)
    }
  }
  const writeAgain = (): void => {
    if (table && !isSaved) attempt(write)
  }

  /** Loads the document from the file. If this fails, nothing is replaced. Returns whether the file is up to date. */
  function loadContent(next: DocumentTable): boolean {
    const stored = next.read(name)
    if (stored === undefined) return earlyChanges.length === 0
    const parts = readableParts(schema, stored)
    if (!parts) next.write(`${name}.damaged`, stored)
    const unreadable = parts?.unreadable ?? ['']
    if (unreadable.length > 0) report('store.readDocument', new Error([name, ...unreadable].join(', ')))
    const readable = parts ?? asRead(schema.parse({}))
    withUnreadable = readable.withUnreadable
    value = earlyChanges.reduce((all, update) => update(all), readable.value)
    return earlyChanges.length === 0
  }

  function loadFrom(next: DocumentTable): void {
    // A new file replaces a damaged one, so the value in memory is written to it.
    isSaved = table === undefined && loadContent(next)
    table = next
    earlyChanges = []
  }

  const isReady = (): boolean => table !== undefined || isSettled()

  return {
    read: (): Value => value,
    async change(update: (value: Value) => Value): Promise<Value> {
      const before = value
      value = update(value)
      if (!table) earlyChanges.push(update)
      else if (value !== before || !isSaved) write()
      return value
    },
    isReady,
    ready: (): Promise<void> =>
      isReady()
        ? Promise.resolve()
        : new Promise((resolve) => {
            const stop = onSettled(() => {
              stop()
              resolve()
            })
          }),
    onLoad: loads.on,
    unreadable: () => withUnreadable({}),
    load(next: DocumentTable): void {
      attempt(() => loadFrom(next))
      writeAgain()
    },
    isLoaded: () => table !== undefined,
    loaded: (): void => attempt(() => loads.emit(null)),
    writeAgain,
  }
}
