import type { z } from 'zod'
import { createEmitter, type Subscribe } from '#shared/emitter'
import type { ReportError } from '../core/report-error'
import type { DocumentTable } from './document-table'
import { type ReadableParts, readableParts } from './readable-parts'
import type { SettingsSection } from './settings'

/** A section as its module sees it, and as the private documents fill it. */
export interface PrivateSection extends SettingsSection<unknown> {
  /** Takes over what the file holds, with the changes made before. Never fails: what cannot be written waits. */
  load(table: DocumentTable): void
  /** Whether `load` could read the file. */
  isLoaded(): boolean
  /** Notifies what waited for `load`. */
  loaded(): void
  /** Writes what could not be written before. Never fails. */
  writeAgain(): void
}

export interface PrivateSectionDeps<Schema extends z.ZodType> {
  readonly name: string
  readonly schema: Schema
  /** Whether the store has been opened, or is known not to open for now. */
  isSettled(): boolean
  readonly onSettled: Subscribe<null>
  readonly report: ReportError
}

const asRead = <Value>(value: Value): Pick<ReadableParts<Value>, 'value' | 'withUnreadable'> => ({
  value,
  withUnreadable: (one) => one,
})

/** One private document: in memory, and in the encrypted file once that is open. */
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
  /** The changes made before the file was open, to be repeated on what it holds. */
  let early: ((value: Value) => Value)[] = []
  let table: DocumentTable | undefined
  let isWritten = true

  function write(): void {
    isWritten = false
    table?.write(name, withUnreadable(value))
    isWritten = true
  }

  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      report('store.keepDocument', error)
    }
  }
  const writeAgain = (): void => {
    if (table && !isWritten) attempt(write)
  }

  /** Nothing is replaced where this fails. Answers whether the file holds what is known. */
  function takeOver(next: DocumentTable): boolean {
    const kept = next.read(name)
    if (kept === undefined) return early.length === 0
    const found = readableParts(schema, kept)
    if (!found) next.write(`${name}.damaged`, kept)
    const lost = found?.unreadable ?? ['']
    if (lost.length > 0) report('store.readDocument', new Error([name, ...lost].join(', ')))
    const readable = found ?? asRead(schema.parse({}))
    withUnreadable = readable.withUnreadable
    value = early.reduce((all, update) => update(all), readable.value)
    return early.length === 0
  }

  function loadFrom(next: DocumentTable): void {
    // Another file than before was begun because that one was damaged: what is known goes into it.
    isWritten = table === undefined && takeOver(next)
    table = next
    early = []
  }

  const isReady = (): boolean => table !== undefined || isSettled()

  return {
    read: (): Value => value,
    async change(update: (value: Value) => Value): Promise<Value> {
      const before = value
      value = update(value)
      if (!table) early.push(update)
      else if (value !== before || !isWritten) write()
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
