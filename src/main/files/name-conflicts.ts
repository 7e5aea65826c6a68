import { basename, dirname, join } from 'node:path'
import type { ComparedFile, TakenChoice } from '#shared/bridge/files'
import { FailureError } from '#shared/failure'
import { deleteTrees } from './delete-tree'
import type { AskConflict, NameConflict } from './transfer-job'
import { freeName, statLocal } from './local-names'
import { plainFs } from './original-fs'
import type { Sftp } from './sftp/client'
import type { Attributes } from './sftp/packet'
import { ifRefused, SftpError, UnnamedCopy } from './sftp/session'

const { rename, rm } = plainFs.promises

interface SelectedConflict extends Omit<NameConflict, 'more'> {
  readonly index: number
}

/**
 * Records the user's choices for existing names, over all attempts of a transfer. `keyOf` returns the same key for names that
 * the destination does not distinguish.
 */
export function nameConflicts(ask: AskConflict, keyOf: (name: string) => string) {
  const choices = new Map<number, TakenChoice>()
  const replaced = new Set<string>()
  return {
    choiceOf: (index: number): TakenChoice | null => choices.get(index) ?? null,
    async decide(conflicts: readonly SelectedConflict[], signal: AbortSignal): Promise<void> {
      const open = conflicts.filter(({ index }) => !choices.has(index))
      for (const [position, { index, ...conflict }] of open.entries()) {
        const { name, there } = conflict
        const more = open.slice(position + 1).filter((later) => later.there === there).length
        // Two selected names may be the same at the destination: the second does not replace the first.
        const key = keyOf(name)
        const choice = replaced.has(key) ? 'keep-both' : await ask({ ...conflict, more }, signal)
        if (choice === 'replace') replaced.add(key)
        choices.set(index, choice)
      }
    },
  }
}

/** Returns the facts of a file or folder that the user compares. */
export const comparedFile = ({ kind, size, modifiedAt }: Omit<Attributes, 'mode'>): ComparedFile => ({
  size: kind === 'file' ? size : null,
  modifiedAt,
})

export interface WholeCopy {
  readonly part: string
  readonly final: string
  readonly kind: 'file' | 'folder'
  readonly replaces: 'file' | 'folder' | null
}

/** Returns the attributes of a path on a machine; null: it does not exist. Does not follow links. */
export const statRemote = (sftp: Sftp, path: string) =>
  sftp.lstat(path).catch(ifRefused(null, 'no-such-file'))

/** Returns the target of a link on a machine; null: none, or the server does not resolve links in REALPATH. */
export async function followRemote(sftp: Sftp, link: string) {
  const path = await sftp.realPath(link).catch(ifRefused(null))
  const attributes = path === null ? null : await sftp.lstat(path).catch(ifRefused(null))
  return path === null || attributes === null || attributes.kind === 'link' ? null : { path, attributes }
}

/** Returns the path of a replaced file or folder until its copy has its final name. */
export const asidePath = (part: string): string => `${part}.old`

/** Renames a copy to a free path. If the machine refuses, moves the replaced file or folder back. */
async function takePlace(sftp: Sftp, copy: WholeCopy, moved: Set<string>): Promise<void> {
  try {
    await sftp.rename(copy.part, copy.final)
  } catch (error) {
    if (error instanceof SftpError) await putBack(sftp, copy, moved).catch(() => undefined)
    throw error
  }
}

async function moveAside(sftp: Sftp, { part, final }: WholeCopy, moved: Set<string>): Promise<void> {
  const aside = asidePath(part)
  if (await statRemote(sftp, aside)) throw new SftpError('failure', 'File exists')
  // If the answer is lost, the rename may have succeeded.
  moved.add(aside)
  try {
    await sftp.rename(final, aside)
  } catch (error) {
    if (error instanceof SftpError) moved.delete(aside)
    throw error
  }
}

/** Renames a copy over the file to replace. Moves that aside if the machine cannot rename over it, or for a folder. */
async function nameCopy(sftp: Sftp, copy: WholeCopy, moved: Set<string>): Promise<void> {
  const { part, final, kind, replaces } = copy
  const existing = replaces === null || moved.has(asidePath(part)) ? null : await statRemote(sftp, final)
  const isFolder = existing?.kind === 'folder'
  if (!existing || (isFolder && replaces === 'file')) await takePlace(sftp, copy, moved)
  else if (isFolder || kind === 'folder' || !(await sftp.replace(part, final))) {
    await moveAside(sftp, copy, moved)
    await takePlace(sftp, copy, moved)
  }
}

/**
 * Renames a copy on a machine to its final name, and deletes the file or folder that it replaces. Returns the path of the
 * latter if it cannot be deleted, else null. May be called again after a lost connection. Fails with UnnamedCopy if the
 * machine refuses the rename, or if another program used the name after the question.
 */
export async function finishRemote(sftp: Sftp, copy: WholeCopy, moved: Set<string>): Promise<string | null> {
  const { part, final } = copy
  const aside = asidePath(part)
  if (moved.has(aside) && !(await statRemote(sftp, aside))) moved.delete(aside)
  if (await statRemote(sftp, part)) {
    try {
      await nameCopy(sftp, copy, moved)
    } catch (error) {
      if (!(error instanceof SftpError) || !(await statRemote(sftp, part))) throw error
      throw new UnnamedCopy(error, part, moved.has(aside) ? aside : null)
    }
  }
  if (!moved.has(aside)) return null
  if (!(await statRemote(sftp, final))) {
    await putBack(sftp, copy, moved)
    throw new SftpError('no-such-file', '')
  }
  const leftPath = await deleteTrees(sftp, [aside]).then(
    () => null,
    (error: unknown) => {
      if (error instanceof SftpError || error instanceof FailureError) return aside
      throw error
    },
  )
  moved.delete(aside)
  return leftPath
}

export async function putBack(sftp: Sftp, { part, final }: WholeCopy, moved: Set<string>): Promise<void> {
  if (!moved.has(asidePath(part))) return
  await sftp.rename(asidePath(part), final)
  moved.delete(asidePath(part))
}

/**
 * Renames a copy on this computer to its final name, or to the next free name if it may not replace that. `left`: path of the
 * replaced file or folder if it cannot be deleted.
 */
export async function finishLocal({
  part,
  final,
  kind,
  replaces,
}: WholeCopy): Promise<{ readonly path: string; readonly left: string | null }> {
  const folder = dirname(final)
  const existing = (await statLocal(final))?.kind ?? null
  const mayReplace = existing !== null && replaces !== null && (existing === 'file' || replaces === 'folder')
  if (mayReplace && (existing === 'folder' || kind === 'folder')) {
    const aside = join(folder, await freeName(folder, asidePath(basename(part))))
    await rename(final, aside)
    try {
      await rename(part, final)
    } catch (error) {
      await rename(aside, final).catch(() => undefined)
      throw error
    }
    const left = await rm(aside, { recursive: true, force: true }).then(
      () => null,
      () => aside,
    )
    return { path: final, left }
  }
  const path = mayReplace ? final : join(folder, await freeName(folder, basename(final)))
  await rename(part, path)
  return { path, left: null }
}
