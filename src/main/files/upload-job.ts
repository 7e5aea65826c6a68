import { lstat, open, opendir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path/posix'
import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { attempt, copyDeps, restart, withFile } from './attempt'
import { upload } from './copy'
import { filesFault } from './failure'
import {
  type AskTaken,
  deepest,
  filesAtOnce,
  type Job,
  type JobFile,
  jobFile,
  type Line,
  mostItems,
  partSuffix,
  type Progress,
  remotePath,
} from './job'
import { numbered } from './local-names'
import type { RemoteFile, Sftp } from './sftp/client'
import { confirm, sendPacked, tryPacked } from './packed'
import { SftpError } from './sftp/session'
import { finishThere, putBack, statThere, takenNames, type WholeCopy } from './taken'

export interface UploadDeps {
  /** The folder of the machine. */
  readonly folder: string
  /** Files and folders of this computer. */
  readonly paths: readonly string[]
  /** Paths of the machine that uploads have taken; this one adds its own until it has ended. */
  readonly reserved: Set<string>
  readonly progress: Progress
  readonly ask: AskTaken
}

/** Null where it was removed after its folder had been read. */
function unlessGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
const isThere = async (sftp: Sftp, path: string): Promise<boolean> => (await statThere(sftp, path)) !== null

/** Opens the copy of a file. `isOurs`: it is there, and was made before. */
async function openCopy(sftp: Sftp, file: JobFile, isOurs: boolean): Promise<RemoteFile> {
  if (isOurs) return sftp.open(file.remote, file.copy.done === 0 ? 'again' : 'part')
  // Where the answer is lost, it may have been made.
  file.isMade = true
  try {
    return await sftp.open(file.remote, 'new')
  } catch (error) {
    if (error instanceof SftpError) file.isMade = false
    throw error
  }
}

/** Copies files and folders to a folder of a machine, over nothing without the person's word. Links within folders are left out. */
export function uploadJob({ folder, paths, reserved, progress, ask }: UploadDeps): Job {
  const action = translate('files.action.upload')
  /** By the place of their paths. */
  const roots = new Map<number, WholeCopy>()
  const taken = takenNames(ask)
  /** What was moved out of the way of a copy. */
  const moved = new Set<string>()
  let files: JobFile[] = []
  /** Each after the one that it is in. */
  let folders: string[] = []
  /** Folders that were asked for, and those that are there. */
  const asked = new Set<string>()
  const made = new Set<string>()
  /** Files that went in an archive, until they were seen on the machine. */
  const sent = new Set<JobFile>()
  let isCounted = false

  async function count({ sftp }: Line, signal: AbortSignal): Promise<void> {
    files = []
    folders = []
    progress.skipped = 0
    let items = 0
    async function add(local: string, remote: string, found: Stats, depth: number): Promise<void> {
      signal.throwIfAborted()
      items += 1
      if (items > mostItems || depth > deepest) throw filesFault(action, translate('files.problem.too-many'))
      if (found.isFile()) files.push(jobFile(remote, local, found.size, depth === 0))
      else if (!found.isDirectory()) progress.skipped += 1
      else {
        folders.push(remote)
        for await (const { name } of await opendir(local)) {
          const path = join(local, name)
          const is = await lstat(path).catch(unlessGone)
          if (is) await add(path, remotePath(remote, name), is, depth + 1)
          else progress.skipped += 1
        }
        progress.filesTotal = files.length
        progress.changed()
      }
    }
    const { entries } = await sftp.list(folder)
    const there = new Map(entries.map(({ name, kind }) => [name, kind === 'folder' ? kind : 'file'] as const))
    const named = paths.map((path, index) => ({ path, index, name: basename(path) }))
    await taken.decide(
      named.flatMap((one) => {
        const is = roots.has(one.index) ? undefined : there.get(one.name)
        return is === undefined ? [] : [{ ...one, there: is }]
      }),
      signal,
    )
    const names = new Set(there.keys())
    for (const { path, index, name } of named) {
      const choice = taken.choiceOf(index)
      if (choice === 'skip') continue
      const found = await stat(path)
      const replaces = choice === 'replace' ? (there.get(name) ?? 'file') : null
      const root = roots.get(index) ?? rootOf(name, found.isDirectory() ? 'folder' : 'file', replaces, names)
      roots.set(index, root)
      await add(path, root.part, found, 0)
    }
    progress.kept = named.filter(({ index }) => taken.choiceOf(index) === 'skip').length
    progress.bytesTotal = files.reduce((sum, { size }) => sum + size, 0)
    isCounted = true
  }

  function rootOf(
    name: string,
    kind: WholeCopy['kind'],
    replaces: WholeCopy['replaces'],
    names: Set<string>,
  ): WholeCopy {
    let count = 1
    const free = (): string => numbered(name, count)
    const isTaken = (one: string): boolean => names.has(one) || reserved.has(remotePath(folder, one))
    while ((replaces === null && isTaken(free())) || isTaken(free() + partSuffix)) count += 1
    names.add(free()).add(free() + partSuffix)
    if (count > 1 && replaces === null) progress.renamed += 1
    const part = remotePath(folder, free() + partSuffix)
    const final = remotePath(folder, replaces === null ? free() : name)
    reserved.add(part).add(final)
    return { part, final, kind, replaces }
  }
  function release({ part, final }: WholeCopy): void {
    reserved.delete(part)
    reserved.delete(final)
  }

  async function makeFolders(sftp: Sftp): Promise<void> {
    const limit = pLimit(filesAtOnce)
    const make = async (path: string): Promise<void> => {
      if (made.has(path)) return
      // A line that was lost before the answer leaves a folder of ours.
      const isOurs = asked.has(path) && (await isThere(sftp, path))
      asked.add(path)
      if (!isOurs) await sftp.makeFolder(path)
      made.add(path)
    }
    const making = new Map<string, Promise<void>>()
    for (const path of folders)
      making.set(
        path,
        (making.get(dirname(path)) ?? Promise.resolve()).then(() => limit(make, path)),
      )
    await Promise.all(making.values())
  }

  async function copyFile(file: JobFile, { sftp }: Line, signal: AbortSignal): Promise<'gone' | undefined> {
    const stampOf = ({ size, mtimeMs }: Stats): string => `${size}/${mtimeMs}`
    const opened = open(file.local, 'r')
    const found = await (file.isRoot ? opened : opened.catch(unlessGone))
    if (found === null) {
      if (file.isMade) await sftp.removeFile(file.remote)
      return 'gone'
    }
    await withFile(found, async (local) => {
      const before = await local.stat()
      const there = file.isMade ? await statThere(sftp, file.remote) : null
      const isOther = file.stamp !== '' && file.stamp !== stampOf(before)
      file.hasChanged ||= isOther
      if (isOther || (there?.size ?? 0) < file.copy.done) restart(file, progress)
      file.stamp = stampOf(before)
      const remote = await openCopy(sftp, file, there !== null)
      try {
        await upload(copyDeps(file, before.size, progress, signal), local, remote)
        file.hasChanged ||= file.copy.done !== before.size || stampOf(await local.stat()) !== file.stamp
        const { size } = await remote.attributes()
        if (size !== null && size !== file.copy.done)
          throw filesFault(action, translate('files.problem.size'))
      } finally {
        remote.close().catch(() => undefined)
      }
    })
    return undefined
  }

  async function finish({ sftp }: Line): Promise<void> {
    const limit = pLimit(filesAtOnce)
    await Promise.all([...roots.values()].map((root) => limit(finishThere, sftp, root, moved)))
    roots.forEach(release)
  }

  return {
    attempt: (line, signal) =>
      attempt({
        ...{ action, progress, line, signal },
        prepare: async () => {
          if (!isCounted) await count(line, signal)
          await makeFolders(line.sftp)
          if (sent.size > 0) await confirm({ line, folder, progress, signal }, sent)
          return files
        },
        async pack(small) {
          const deps = { line, folder, progress, signal }
          await tryPacked(deps, () => sendPacked(deps, small, sent))
          await confirm(deps, sent)
        },
        copy: (file, ending) => copyFile(file, line, ending),
        finish: () => finish(line),
      }),
    isOnMachine: () => made.size > 0 || moved.size > 0 || files.some(({ isMade }) => isMade),
    async discard(sftp) {
      if (!sftp) return roots.forEach(release)
      const limit = pLimit(filesAtOnce)
      const begun = files.filter(({ isMade }) => isMade)
      await Promise.allSettled(begun.map(({ remote }) => limit(() => sftp.removeFile(remote))))
      for (const path of folders.toReversed())
        if (made.has(path)) await sftp.removeFolder(path).catch(() => undefined)
      await Promise.allSettled([...roots.values()].map((root) => putBack(sftp, root, moved)))
      roots.forEach(release)
    },
  }
}
