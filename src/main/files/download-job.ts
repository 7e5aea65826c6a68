import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { attempt, copyDeps, restart, withFile } from './attempt'
import { download } from './copy'
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
import { freeName, isThere, uniqueNames } from './local-names'
import type { Attributes } from './sftp/packet'

export interface DownloadDeps {
  readonly folder: string
  readonly names: readonly string[]
  /** A folder that all goes into, or the path that the person picked for the only file. */
  readonly target: { readonly kind: 'folder' | 'file'; readonly path: string }
  readonly platform: NodeJS.Platform
  readonly progress: Progress
}

interface DownloadJob extends Job {
  /** What was written, once it is whole. */
  saved(): readonly string[]
}

/** One of the selected names: where it is written, and what it is called once it is whole. */
interface Root {
  readonly part: string
  readonly final: string
}

/** Copies files and folders from a machine into one folder of this computer. Links within folders are left out. */
export function downloadJob({ folder, names, target, platform, progress }: DownloadDeps): DownloadJob {
  const into = target.kind === 'folder' ? target.path : dirname(target.path)
  const uniqueName = uniqueNames(platform)
  const action = translate('files.action.download')
  const roots: Root[] = []
  let files: JobFile[] = []
  /** Each after the one that it is in. */
  let folders: string[] = []
  const saved: string[] = []
  let isCounted = false

  async function rootOf(name: string): Promise<Root> {
    const wanted = target.kind === 'file' ? basename(target.path) : uniqueName(name)
    const free = await freeName(into, wanted, partSuffix)
    if (target.kind === 'folder' && free !== name) progress.renamed += 1
    const part = target.kind === 'file' ? await freeName(into, `${wanted}${partSuffix}`) : free + partSuffix
    return { part: join(into, part), final: target.kind === 'file' ? target.path : join(into, free) }
  }

  async function count({ sftp }: Line, signal: AbortSignal): Promise<void> {
    files = []
    folders = []
    progress.skipped = 0
    let items = 0
    async function add(remote: string, local: string, found: Attributes, depth: number): Promise<void> {
      signal.throwIfAborted()
      items += 1
      if (items > mostItems || depth > deepest) throw filesFault(action, translate('files.problem.too-many'))
      if (found.kind === 'file') files.push(jobFile(remote, local, found.size ?? 0))
      else if (found.kind !== 'folder') progress.skipped += 1
      else {
        folders.push(local)
        const { entries, isCut } = await sftp.list(remote)
        if (isCut) throw filesFault(action, translate('files.problem.too-many'))
        const nameOf = uniqueNames(platform)
        for (const entry of entries) {
          if (entry.isUnreadable || entry.name === '' || entry.name.includes('/')) {
            progress.skipped += 1
            continue
          }
          const name = nameOf(entry.name)
          if (name !== entry.name) progress.renamed += 1
          await add(remotePath(remote, entry.name), join(local, name), entry, depth + 1)
        }
        progress.filesTotal = files.length
        progress.changed()
      }
    }
    const limit = pLimit(filesAtOnce)
    // What was selected itself may be a link: it is what the person asked for.
    const found = await Promise.all(
      names.map((name) => limit(async () => ({ name, is: await sftp.stat(remotePath(folder, name)) }))),
    )
    for (const [index, { name, is }] of found.entries()) {
      const root = (roots[index] ??= await rootOf(name))
      await add(remotePath(folder, name), root.part, is, 0)
    }
    for (const path of folders) await mkdir(path)
    progress.bytesTotal = files.reduce((sum, { size }) => sum + size, 0)
    isCounted = true
  }

  async function copyFile(file: JobFile, { sftp }: Line, signal: AbortSignal): Promise<void> {
    const stampOf = ({ size, modifiedAt }: Attributes): string => `${size}/${modifiedAt}`
    const remote = await sftp.open(file.remote, 'read')
    try {
      const before = await remote.attributes()
      if (file.copy.done > 0 && file.stamp !== stampOf(before)) {
        file.hasChanged = true
        restart(file, progress)
      }
      file.stamp = stampOf(before)
      const size = before.size ?? file.size
      const how = file.copy.done > 0 ? 'r+' : file.isMade ? 'w' : 'wx'
      await withFile(open(file.local, how), (local) => {
        file.isMade = true
        return download(copyDeps(file, size, progress, signal), remote, local)
      })
      const after = stampOf(await remote.attributes())
      file.hasChanged ||= file.copy.done !== size || after !== file.stamp
    } finally {
      remote.close().catch(() => undefined)
    }
  }

  async function finish(): Promise<void> {
    for (const { part, final } of roots) {
      const path = target.kind === 'file' ? final : join(into, await freeName(into, basename(final)))
      // A device or pipe that was selected itself has no copy.
      if (await isThere(part)) await rename(part, path)
      saved.push(path)
    }
  }

  return {
    attempt: (line, signal) =>
      attempt({
        ...{ action, progress, line, signal, finish },
        prepare: async () => {
          if (!isCounted) await count(line, signal)
          return files
        },
        copy: (file, ending) => copyFile(file, line, ending),
      }),
    async discard() {
      for (const { part } of roots) await rm(part, { recursive: true, force: true })
    },
    saved: () => saved,
  }
}
