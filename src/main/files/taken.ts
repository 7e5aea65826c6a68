import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { TakenChoice } from '#shared/bridge/files'
import { deleteTree } from './delete-tree'
import type { AskTaken, Taken } from './job'
import { freeName, kindHere } from './local-names'
import type { Sftp } from './sftp/client'
import { SftpError } from './sftp/session'

interface Wanted extends Pick<Taken, 'name' | 'there'> {
  /** Its place in the selection. */
  readonly index: number
}

/** What the person wants where something has the name already, over all attempts of a transfer. */
export function takenNames(ask: AskTaken) {
  const choices = new Map<number, TakenChoice>()
  const replaced = new Set<string>()
  return {
    choiceOf: (index: number): TakenChoice | null => choices.get(index) ?? null,
    /** Asks for those that nobody was asked for yet, one after the other. */
    async decide(wanted: readonly Wanted[], signal: AbortSignal): Promise<void> {
      const open = wanted.filter(({ index }) => !choices.has(index))
      for (const [at, { index, name, there }] of open.entries()) {
        // Two names of the machine may be one here: the second does not replace the first.
        const key = name.normalize('NFC').toLowerCase()
        const choice = replaced.has(key)
          ? 'keep-both'
          : await ask({ name, there, more: open.length - at - 1 }, signal)
        if (choice === 'replace') replaced.add(key)
        choices.set(index, choice)
      }
    },
  }
}

/** A whole copy and the name that it gets. */
export interface WholeCopy {
  readonly part: string
  readonly final: string
  readonly kind: 'file' | 'folder'
  /** What the person was asked about and wants replaced; null: nothing may be. */
  readonly replaces: 'file' | 'folder' | null
}

/** Bytes and kind of what has a path of a machine; null where nothing has it. */
export async function statThere(sftp: Sftp, path: string) {
  try {
    return await sftp.lstat(path)
  } catch (error) {
    if (error instanceof SftpError && error.problem === 'no-such-file') return null
    throw error
  }
}

/** Where what is replaced on a machine stays until its place is taken. */
const asideOf = ({ part }: WholeCopy): string => `${part}.old`

/**
 * Gives a copy on a machine its name. Where it replaces something, that is deleted once the copy has its place. Can be
 * called again where the line was lost. Fails with SftpError where something has the name that was not asked about.
 */
export async function finishThere(sftp: Sftp, copy: WholeCopy, moved: Set<string>): Promise<void> {
  const { part, final, kind, replaces } = copy
  const aside = asideOf(copy)
  if (await statThere(sftp, part)) {
    const there = replaces === null ? null : await statThere(sftp, final)
    const isFolder = there?.kind === 'folder'
    if (!there || (isFolder && replaces === 'file')) await sftp.rename(part, final)
    else if (isFolder || kind === 'folder' || !(await sftp.replace(part, final))) {
      moved.add(aside)
      await sftp.rename(final, aside)
      await sftp.rename(part, final)
    }
  }
  if (!moved.has(aside)) return
  if (await statThere(sftp, aside)) await deleteTree(sftp, aside)
  moved.delete(aside)
}

/** Puts back what was to be replaced, where the copy did not come to its place. */
export async function putBack(sftp: Sftp, copy: WholeCopy, moved: Set<string>): Promise<void> {
  if (moved.has(asideOf(copy))) await sftp.rename(asideOf(copy), copy.final)
}

/** Gives a copy on this computer its name, or the next free one where it may not replace what has it: the path. */
export async function finishHere({ part, final, kind, replaces }: WholeCopy): Promise<string> {
  const folder = dirname(final)
  const there = await kindHere(final)
  const mayReplace = there !== null && replaces !== null && (there === 'file' || replaces === 'folder')
  if (mayReplace && (there === 'folder' || kind === 'folder')) {
    const aside = join(folder, await freeName(folder, `${basename(part)}.old`))
    await rename(final, aside)
    await rename(part, final)
    await rm(aside, { recursive: true, force: true })
    return final
  }
  const path = mayReplace ? final : join(folder, await freeName(folder, basename(final)))
  await rename(part, path)
  return path
}
