import { basename, dirname, join } from 'node:path'
import type { TakenChoice } from '#shared/bridge/files'
import { FailureError } from '#shared/failure'
import { deleteTrees } from './delete-tree'
import type { AskTaken, Taken } from './transfer-job'
import { freeName, kindHere } from './local-names'
import { plainFs } from './original-fs'
import type { Sftp } from './sftp/client'
import { SftpError, UnnamedCopy } from './sftp/session'

const { rename, rm } = plainFs.promises

interface Wanted extends Pick<Taken, 'name' | 'there'> {
  /** Its place in the selection. */
  readonly index: number
}

/**
 * What the person wants where something has the name already, over all attempts of a transfer. `keyOf`: the same for
 * names that are one where they are written.
 */
export function takenNames(ask: AskTaken, keyOf: (name: string) => string) {
  const choices = new Map<number, TakenChoice>()
  const replaced = new Set<string>()
  return {
    choiceOf: (index: number): TakenChoice | null => choices.get(index) ?? null,
    /** Asks about those not asked about yet, one after the other. */
    async decide(wanted: readonly Wanted[], signal: AbortSignal): Promise<void> {
      const open = wanted.filter(({ index }) => !choices.has(index))
      for (const [at, { index, name, there }] of open.entries()) {
        // Two names may be one where they are written: the second does not replace the first.
        const key = keyOf(name)
        const choice = replaced.has(key)
          ? 'keep-both'
          : await ask(
              { name, there, more: open.filter((one, later) => later > at && one.there === there).length },
              signal,
            )
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

/**
 * Finds what a link of a machine leads to; null: nothing, or the server doesn't resolve links in its answer to REALPATH.
 */
export async function followedThere(sftp: Sftp, link: string) {
  try {
    const path = await sftp.realPath(link)
    const is = await sftp.lstat(path)
    return is.kind === 'link' ? null : { path, is }
  } catch (error) {
    if (error instanceof SftpError) return null
    throw error
  }
}

/** Where what is replaced on a machine stays until its place is taken. */
export const asideOf = (part: string): string => `${part}.old`

/** Renames a copy over nothing. Where the machine refuses, what was moved out of its way goes back. */
async function takePlace(sftp: Sftp, copy: WholeCopy, moved: Set<string>): Promise<void> {
  try {
    await sftp.rename(copy.part, copy.final)
  } catch (error) {
    if (error instanceof SftpError) await putBack(sftp, copy, moved).catch(() => undefined)
    throw error
  }
}

/** Moves what has the name out of the way. Nothing else is called so. */
async function moveAside(sftp: Sftp, { part, final }: WholeCopy, moved: Set<string>): Promise<void> {
  const aside = asideOf(part)
  if (await statThere(sftp, aside)) throw new SftpError('failure', 'File exists')
  // Where the answer is lost, it may have been moved.
  moved.add(aside)
  try {
    await sftp.rename(final, aside)
  } catch (error) {
    if (error instanceof SftpError) moved.delete(aside)
    throw error
  }
}

/** Renames a copy, and moves what it replaces out of its way if the machine cannot rename over that. */
async function nameCopy(sftp: Sftp, copy: WholeCopy, moved: Set<string>): Promise<void> {
  const { part, final, kind, replaces } = copy
  const there = replaces === null || moved.has(asideOf(part)) ? null : await statThere(sftp, final)
  const isFolder = there?.kind === 'folder'
  if (!there || (isFolder && replaces === 'file')) await takePlace(sftp, copy, moved)
  else if (isFolder || kind === 'folder' || !(await sftp.replace(part, final))) {
    await moveAside(sftp, copy, moved)
    await takePlace(sftp, copy, moved)
  }
}

/**
 * Gives a copy on a machine its name. Where it replaces something, that is deleted once the copy has its place; answers
 * what of it the machine does not delete, or null. Can be called again where the line was lost. Fails with
 * UnnamedCopy if the machine renames nothing, and if something has the name that was not asked about.
 */
export async function finishThere(sftp: Sftp, copy: WholeCopy, moved: Set<string>): Promise<string | null> {
  const { part, final } = copy
  const aside = asideOf(part)
  if (moved.has(aside) && !(await statThere(sftp, aside))) moved.delete(aside)
  if (await statThere(sftp, part)) {
    try {
      await nameCopy(sftp, copy, moved)
    } catch (error) {
      if (!(error instanceof SftpError) || !(await statThere(sftp, part))) throw error
      throw new UnnamedCopy(error, part, moved.has(aside) ? aside : null)
    }
  }
  if (!moved.has(aside)) return null
  if (!(await statThere(sftp, final))) {
    await putBack(sftp, copy, moved)
    throw new SftpError('no-such-file', '')
  }
  const isLeft = await deleteTrees(sftp, [aside]).then(
    () => false,
    (error: unknown) => {
      if (error instanceof SftpError || error instanceof FailureError) return true
      throw error
    },
  )
  moved.delete(aside)
  return isLeft ? aside : null
}

/** Puts back what was to be replaced, where the copy did not come to its place. */
export async function putBack(sftp: Sftp, { part, final }: WholeCopy, moved: Set<string>): Promise<void> {
  if (!moved.has(asideOf(part))) return
  await sftp.rename(asideOf(part), final)
  moved.delete(asideOf(part))
}

/**
 * Gives a copy on this computer its name, or the next free one where it may not replace what has it: the path. `left`:
 * where what it replaces still is, as it cannot be deleted.
 */
export async function finishHere({
  part,
  final,
  kind,
  replaces,
}: WholeCopy): Promise<{ readonly path: string; readonly left: string | null }> {
  const folder = dirname(final)
  const there = await kindHere(final)
  const mayReplace = there !== null && replaces !== null && (there === 'file' || replaces === 'folder')
  if (mayReplace && (there === 'folder' || kind === 'folder')) {
    const aside = join(folder, await freeName(folder, asideOf(basename(part))))
    await rename(final, aside)
    try {
      await rename(part, final)
    } catch (error) {
      await rename(aside, final).catch(() => undefined)
      throw error
    }
    const removed = rm(aside, { recursive: true, force: true })
    return {
      path: final,
      left: await removed.then(
        () => null,
        () => aside,
      ),
    }
  }
  const path = mayReplace ? final : join(folder, await freeName(folder, basename(final)))
  await rename(part, path)
  return { path, left: null }
}
