import { randomUUID } from 'node:crypto'
import { type FSWatcher, watch } from 'node:fs'
import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { copiedText } from '../../core/copied-text'
import { fileFailure, isMissingFile } from '../../core/failure-of'
import { createEmitter, type Subscribe } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import { createMutex } from '../../core/mutex'
import type { HostKey } from './host-key'

interface Entry extends HostKey {
  readonly names: readonly string[]
}

/** Comment of a key that the user has seen. ssh ignores it, and adds none to keys that it records itself. */
const seenComment = 'seen'

/** Parses a line of known_hosts (sshd(8)); undefined if it is no plain entry. */
const entryOf = (line: string): Entry | undefined => {
  const [names, type, blob, comment] = line.trim().split(/\s+/)
  if (!names || !type || !blob || names.startsWith('#') || names.startsWith('@')) return undefined
  return { names: names.split(','), type, blob, ...(comment !== seenComment && { isUnseen: true }) }
}
const lineOf = (alias: string, { type, blob, isUnseen }: HostKey): string =>
  [alias, type, blob, ...(isUnseen ? [] : [seenComment])].join(' ')

/** Returns the keys that are recorded for `alias`, in the order of the file. */
export const keysIn = (text: string, alias: string): readonly HostKey[] =>
  text
    .split('\n')
    .map(entryOf)
    .filter((entry) => entry !== undefined)
    .filter((entry) => entry.names.includes(alias))
    .map(({ type, blob, isUnseen }) => ({ type, blob: copiedText(blob), ...(isUnseen && { isUnseen }) }))

/** Removes the entries that have a name for which `isForgotten` holds. */
export const without = (text: string, isForgotten: (alias: string) => boolean): string =>
  text
    .split('\n')
    .filter((line) => !entryOf(line)?.names.some(isForgotten))
    .join('\n')

/** The application's own known-hosts file. ssh appends to it at first contact, at any time. */
export interface KnownHosts {
  readonly path: string
  /** Creates the file with mode 0600. ssh itself would create it readable by all. */
  ensure(): Promise<void>
  keys(alias: string): Promise<readonly HostKey[]>
  /** Records a key as ssh does at first contact. An unseen key stays unseen until it is added as seen. */
  add(alias: string, key: HostKey): Promise<void>
  forget(isForgotten: (alias: string) => boolean): Promise<void>
  /** The file (its path) may have changed, also by ssh. Emitted from the first `ensure` on, if the system can watch files. */
  readonly onChange: Subscribe<string>
  /** Ends the watch. Later writes fail with cancelled. */
  close(): Promise<void>
}

/** Appends all of the text or nothing: half a line could be the key of another machine. */
async function append(path: string, text: string): Promise<void> {
  const file = await open(path, 'a')
  try {
    const { size } = await file.stat()
    try {
      await file.appendFile(text)
      await file.sync()
    } catch (error) {
      await file.truncate(size).catch(() => undefined)
      throw error
    }
  } finally {
    await file.close()
  }
}

/** Methods that write fail with disk-full and local-fault. */
export const openKnownHosts = (path: string): KnownHosts => {
  const read = async (): Promise<string> => {
    try {
      return await readFile(path, 'utf8')
    } catch (error) {
      if (isMissingFile(error)) return ''
      throw error
    }
  }

  /** Replaces the file in one step. Starts again if ssh has added a line in between. */
  const rewrite = async (change: (text: string) => string): Promise<void> => {
    const text = await read()
    const changed = change(text)
    if (changed === text) return
    const temporary = `${path}.${randomUUID()}`
    try {
      await writeFile(temporary, changed, { mode: 0o600, flag: 'wx' })
      if ((await stat(path)).size !== Buffer.byteLength(text)) return await rewrite(change)
      await rename(temporary, path)
    } finally {
      await rm(temporary, { force: true })
    }
  }

  const changes = createEmitter<string>()
  let watcher: FSWatcher | undefined
  const stopWatching = (): void => {
    watcher?.close()
    watcher = undefined
  }
  /** Watches the folder: a watch of the file would end with its first replacement. */
  const startWatching = (): void => {
    try {
      watcher ??= watch(dirname(path), { persistent: false }, (_event, name) => {
        if (name === null || name === basename(path)) changes.emit(path)
      }).on('error', stopWatching)
    } catch {
      // The system has no watch left: a new key appears when the view is next read.
    }
  }

  const ensure = async (): Promise<void> => {
    await mkdir(dirname(path), { recursive: true })
    const file = await open(path, 'a', 0o600)
    await file.close()
    await chmod(path, 0o600)
    startWatching()
  }

  const runExclusive = createMutex()
  let isClosed = false
  async function write(work: () => Promise<void>): Promise<void> {
    if (isClosed) throw new FailureError({ kind: 'cancelled' })
    await runExclusive(work).catch((error: unknown) => {
      throw fileFailure(error, 'ssh.knownHosts')
    })
  }
  return {
    path,
    ensure: () => write(ensure),
    keys: async (alias) => keysIn(await read(), alias),
    add: (alias, key) =>
      write(async () => {
        await ensure()
        const text = await read()
        const recorded = keysIn(text, alias).find(({ type, blob }) => type === key.type && blob === key.blob)
        if (recorded) {
          const marked = (line: string): string => {
            const entry = entryOf(line)
            if (!entry?.names.includes(alias)) return line
            return entry.type === key.type && entry.blob === key.blob
              ? lineOf(entry.names.join(','), key)
              : line
          }
          const mark = (all: string): string => all.split('\n').map(marked).join('\n')
          if (recorded.isUnseen && !key.isUnseen) await rewrite(mark)
          return
        }
        const newLine = text === '' || text.endsWith('\n') ? '' : '\n'
        await append(path, `${newLine}${lineOf(alias, key)}\n`)
      }),
    forget: (isForgotten) => write(() => rewrite((text) => without(text, isForgotten))),
    onChange: changes.on,
    close: async () => {
      isClosed = true
      changes.clear()
      await runExclusive(() => Promise.resolve())
      stopWatching()
    },
  }
}
