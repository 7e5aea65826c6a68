import { lstat, open, opendir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Stats } from 'node:fs'
import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { attempt, copyDeps, restart, withFile } from './attempt'
import { upload } from './copy'
import { filesFault } from './failure'
import {
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
import { SftpError } from './sftp/session'

export interface UploadDeps {
  /** The folder of the machine. */
  readonly folder: string
  /** Files and folders of this computer. */
  readonly paths: readonly string[]
  /** Paths of the machine that uploads have taken; this one adds its own until it has ended. */
  readonly reserved: Set<string>
  readonly progress: Progress
}

interface Root {
  readonly part: string
  readonly final: string
}

/** Bytes of what has a path, 0 where the machine reports none; null where nothing is there. */
async function sizeThere(sftp: Sftp, path: string): Promise<number | null> {
  try {
    return (await sftp.lstat(path)).size ?? 0
  } catch (error) {
    if (error instanceof SftpError && error.problem === 'no-such-file') return null
    throw error
  }
}
const isThere = async (sftp: Sftp, path: string): Promise<boolean> => (await sizeThere(sftp, path)) !== null

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

/** Copies files and folders to a folder of a machine, over nothing that is there. Links within folders are left out. */
export function uploadJob({ folder, paths, reserved, progress }: UploadDeps): Job {
  const action = translate('files.action.upload')
  const roots: Root[] = []
  let files: JobFile[] = []
  /** Each after the one that it is in. */
  let folders: string[] = []
  const made = new Set<string>()
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
      if (found.isFile()) files.push(jobFile(remote, local, found.size))
      else if (!found.isDirectory()) progress.skipped += 1
      else {
        folders.push(remote)
        for await (const { name } of await opendir(local)) {
          const path = join(local, name)
          await add(path, remotePath(remote, name), await lstat(path), depth + 1)
        }
        progress.filesTotal = files.length
        progress.changed()
      }
    }
    const { entries } = await sftp.list(folder)
    const taken = new Set(entries.map(({ name }) => name))
    for (const [index, path] of paths.entries()) {
      const root = (roots[index] ??= rootOf(basename(path), taken))
      await add(path, root.part, await stat(path), 0)
    }
    progress.bytesTotal = files.reduce((sum, { size }) => sum + size, 0)
    isCounted = true
  }

  function rootOf(name: string, taken: Set<string>): Root {
    let count = 1
    const free = (): string => numbered(name, count)
    const isTaken = (one: string): boolean => taken.has(one) || reserved.has(remotePath(folder, one))
    while (isTaken(free()) || isTaken(free() + partSuffix)) count += 1
    taken.add(free())
    if (count > 1) progress.renamed += 1
    const final = remotePath(folder, free())
    const root = { part: final + partSuffix, final }
    reserved.add(root.part).add(root.final)
    return root
  }
  function release({ part, final }: Root): void {
    reserved.delete(part)
    reserved.delete(final)
  }

  async function makeFolders(sftp: Sftp): Promise<void> {
    for (const path of folders) {
      if (made.has(path)) continue
      // A line that was lost before the answer leaves a folder of ours.
      if (!(await isThere(sftp, path))) await sftp.makeFolder(path)
      made.add(path)
    }
  }

  async function copyFile(file: JobFile, { sftp }: Line, signal: AbortSignal): Promise<void> {
    const stampOf = ({ size, mtimeMs }: Stats): string => `${size}/${mtimeMs}`
    await withFile(open(file.local, 'r'), async (local) => {
      const before = await local.stat()
      const there = file.isMade ? await sizeThere(sftp, file.remote) : null
      const isOther = file.stamp !== '' && file.stamp !== stampOf(before)
      file.hasChanged ||= isOther
      if (isOther || (there ?? 0) < file.copy.done) restart(file, progress)
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
  }

  async function finish({ sftp }: Line): Promise<void> {
    for (const { part, final } of roots) if (await isThere(sftp, part)) await sftp.rename(part, final)
    roots.forEach(release)
  }

  return {
    attempt: (line, signal) =>
      attempt({
        ...{ action, progress, line, signal },
        prepare: async () => {
          if (!isCounted) await count(line, signal)
          await makeFolders(line.sftp)
          return files
        },
        copy: (file, ending) => copyFile(file, line, ending),
        finish: () => finish(line),
      }),
    async discard(sftp) {
      if (!sftp) return roots.forEach(release)
      const limit = pLimit(filesAtOnce)
      const begun = files.filter(({ isMade }) => isMade)
      await Promise.allSettled(begun.map(({ remote }) => limit(() => sftp.removeFile(remote))))
      for (const path of folders.toReversed())
        if (made.has(path)) await sftp.removeFolder(path).catch(() => undefined)
      roots.forEach(release)
    },
  }
}
