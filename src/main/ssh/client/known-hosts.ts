import { randomUUID } from 'node:crypto'
import { appendFile, chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { HostKey } from './host-key'

interface Entry extends HostKey {
  readonly names: readonly string[]
}

/** One line of known_hosts (sshd(8)); undefined where it is not a plain entry. */
const entryOf = (line: string): Entry | undefined => {
  const [names, type, blob] = line.trim().split(/\s+/)
  if (!names || !type || !blob || names.startsWith('#') || names.startsWith('@')) return undefined
  return { names: names.split(','), type, blob }
}

/** The keys recorded for `alias`, in the order of the file. */
export const keysIn = (text: string, alias: string): readonly HostKey[] =>
  text
    .split('\n')
    .map(entryOf)
    .filter((entry) => entry !== undefined)
    .filter((entry) => entry.names.includes(alias))
    .map(({ type, blob }) => ({ type, blob }))

/** The text without the entries of which `isForgotten` holds for a name. */
export const without = (text: string, isForgotten: (alias: string) => boolean): string =>
  text
    .split('\n')
    .filter((line) => !entryOf(line)?.names.some(isForgotten))
    .join('\n')

/** The application's own known-hosts file. ssh appends to it at first contact, whenever it likes. */
export interface KnownHosts {
  readonly path: string
  /** Makes the file (mode 0600) before ssh would make it for all to read. */
  ensure(): Promise<void>
  keys(alias: string): Promise<readonly HostKey[]>
  /** Records a key that the person has accepted, as ssh would at first contact. */
  add(alias: string, key: HostKey): Promise<void>
  forget(isForgotten: (alias: string) => boolean): Promise<void>
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Errors of the file system go through as they are. */
export const openKnownHosts = (path: string): KnownHosts => {
  const read = async (): Promise<string> => {
    try {
      return await readFile(path, 'utf8')
    } catch (error) {
      if (isMissing(error)) return ''
      throw error
    }
  }

  // Written beside and put in place at once. Where ssh added a line meanwhile, it is done over with that line.
  const rewrite = async (isForgotten: (alias: string) => boolean): Promise<void> => {
    const text = await read()
    const left = without(text, isForgotten)
    if (left === text) return
    const beside = `${path}.${randomUUID()}`
    try {
      await writeFile(beside, left, { mode: 0o600, flag: 'wx' })
      if ((await stat(path)).size !== Buffer.byteLength(text)) return await rewrite(isForgotten)
      await rename(beside, path)
    } finally {
      await rm(beside, { force: true })
    }
  }

  const ensure = async (): Promise<void> => {
    await mkdir(dirname(path), { recursive: true })
    const file = await open(path, 'a', 0o600)
    await file.close()
    await chmod(path, 0o600)
  }

  let last: Promise<void> = Promise.resolve()
  const inTurn = (change: () => Promise<void>): Promise<void> => {
    const done = last.then(change)
    last = done.catch(() => undefined)
    return done
  }
  return {
    path,
    ensure,
    keys: async (alias) => keysIn(await read(), alias),
    add: (alias, { type, blob }) =>
      inTurn(async () => {
        await ensure()
        const text = await read()
        if (keysIn(text, alias).some((key) => key.type === type && key.blob === blob)) return
        const newLine = text === '' || text.endsWith('\n') ? '' : '\n'
        await appendFile(path, `${newLine}${alias} ${type} ${blob}\n`)
      }),
    forget: (isForgotten) => inTurn(() => rewrite(isForgotten)),
  }
}
