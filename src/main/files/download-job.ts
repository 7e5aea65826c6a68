import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { attempt, copyDeps, type Ending, restart, withFile } from './attempt'
import { type CopyDeps, download } from './copy'
import { withDisk } from './disk'
import { filesFault } from './failure'
import {
  type AskTaken,
  deepest,
  filesAtOnce,
  type Job,
  type JobFile,
  jobFile,
  longestPath,
  mostItems,
  partSuffix,
  type Progress,
  remotePath,
  wholeFolder,
} from './job'
import type { Line } from './line'
import { isThere, kindHere, localName, makeEmpty, nameKey, numbered, uniqueNames } from './local-names'
import { fetchPacked, tryPacked } from './packed'
import { downloadPiped } from './piped'
import { plainFs } from './plain-fs'
import type { RemoteFile } from './sftp/client'
import type { Attributes } from './sftp/packet'
import { SftpError } from './sftp/session'
import { finishHere, takenNames, type WholeCopy } from './taken'

const { lstat, mkdir, open, rm } = plainFs.promises

export interface DownloadDeps {
  readonly folder: string
  readonly names: readonly string[]
  /** A folder that all goes into, or the path that the person picked for the only file. */
  readonly target: { readonly kind: 'folder' | 'file'; readonly path: string }
  readonly platform: NodeJS.Platform
  readonly progress: Progress
  readonly ask: AskTaken
}

interface DownloadJob extends Job {
  /** What was written, once it is whole. */
  saved(): readonly string[]
}

const stampOf = ({ size, modifiedAt }: Attributes): string => `${size}/${modifiedAt}`

/** Null where it was removed after its folder had been listed. */
function unlessGone(error: unknown): null {
  if (error instanceof SftpError && error.problem === 'no-such-file') return null
  throw error
}

/** Bytes of a copy, which somebody here may have cut or removed. */
const sizeHere = (path: string): Promise<number> =>
  lstat(path).then(
    ({ size }) => size,
    () => 0,
  )

/** Copies files and folders from a machine into one folder of this computer. Links within folders are left out. */
export function downloadJob({ folder, names, target, platform, progress, ask }: DownloadDeps): DownloadJob {
  const into = target.kind === 'folder' ? target.path : dirname(target.path)
  const action = translate('files.action.download')
  /** By the place of their names. Each was made here, so that it can be removed. */
  const roots = new Map<number, WholeCopy>()
  const taken = takenNames(ask, nameKey(platform))
  const made = new Set<string>()
  let rootsRenamed = 0
  let files: JobFile[] = []
  /** Each after the one that it is in. */
  let folders: string[] = []
  const saved: string[] = []
  /** What was replaced and cannot be deleted. */
  const left: string[] = []
  let isCounted = false

  /** Takes the first free name atomically, by making the copy there. */
  async function makeRoot(name: string, kind: 'file' | 'folder', replaces: WholeCopy['replaces']) {
    const isPicked = target.kind === 'file'
    const wanted = isPicked ? basename(target.path) : localName(name, platform)
    const isFree = async (path: string): Promise<boolean> =>
      isPicked || replaces !== null || !(await isThere(path))
    for (let count = 1; ; count += 1) {
      const free = numbered(wanted, count)
      const final = isPicked ? target.path : join(into, replaces === null ? free : wanted)
      const part = join(into, isPicked ? numbered(wanted + partSuffix, count) : free + partSuffix)
      if (!(await isFree(final)) || !(await makeEmpty(part, kind))) continue
      if (kind === 'folder') made.add(part)
      if (!isPicked && basename(final) !== name) {
        rootsRenamed += 1
        progress.renamed += 1
      }
      // The system's dialog has asked whether what has the picked name is to be replaced.
      return { part, final, kind, replaces: isPicked ? 'file' : replaces } as const
    }
  }

  async function count({ sftp }: Line, signal: AbortSignal): Promise<void> {
    files = []
    folders = []
    progress.skipped = 0
    progress.renamed = rootsRenamed
    let items = 0
    async function add(remote: string, local: string, found: Attributes, depth: number): Promise<void> {
      signal.throwIfAborted()
      items += 1
      if (items > mostItems || depth > deepest || remote.length > longestPath)
        throw filesFault(action, translate('files.problem.too-many'))
      if (found.kind === 'file') {
        const file = jobFile(remote, local, found.size ?? 0, depth === 0)
        file.isMade = file.isRoot
        files.push(file)
      } else if (found.kind !== 'folder') progress.skipped += 1
      else {
        const listed = sftp.list(remote, wholeFolder)
        const listing = await (depth === 0 ? listed : listed.catch(unlessGone))
        if (!listing) {
          progress.skipped += 1
          return
        }
        const { entries, isCut } = listing
        folders.push(local)
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
    const replaced = await decide(
      found.map(({ is }) => is.kind === 'file' || is.kind === 'folder'),
      signal,
    )
    for (const [index, { name, is }] of found.entries()) {
      if (taken.choiceOf(index) === 'skip') continue
      if (is.kind !== 'file' && is.kind !== 'folder') {
        progress.skipped += 1
        continue
      }
      const root = roots.get(index) ?? (await makeRoot(name, is.kind, replaced.get(index) ?? null))
      roots.set(index, root)
      await add(remotePath(folder, name), root.part, is, 0)
    }
    for (const path of folders) {
      signal.throwIfAborted()
      if (!made.has(path)) await mkdir(path)
      made.add(path)
    }
    progress.bytesTotal = files.reduce((sum, { size }) => sum + size, 0)
    progress.kept = found.filter((_, index) => taken.choiceOf(index) === 'skip').length
    isCounted = true
  }

  /** Asks about what has a name in the folder, and answers what is to be replaced. */
  async function decide(
    isCopied: readonly boolean[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, 'file' | 'folder'>> {
    const there = new Map<number, { index: number; name: string; there: 'file' | 'folder' }>()
    if (target.kind === 'file') return new Map()
    for (const [index, name] of names.entries()) {
      const local = localName(name, platform)
      const is = isCopied[index] && !roots.has(index) ? await kindHere(join(into, local)) : null
      if (is !== null) there.set(index, { index, name: local, there: is })
    }
    await taken.decide([...there.values()], signal)
    const replaced = [...there.values()].filter(({ index }) => taken.choiceOf(index) === 'replace')
    return new Map(replaced.map(({ index, there: is }) => [index, is]))
  }

  /** Whatever stops that, SFTP copies the rest, or says why. */
  async function fetchByCommand(
    file: JobFile,
    deps: CopyDeps,
    local: FileHandle,
    remote: RemoteFile,
    line: Line,
  ): Promise<void> {
    await downloadPiped(deps, file.remote, local, line).catch(() => deps.signal.throwIfAborted())
    // A command opens what has the name by then.
    const [opened, named] = await Promise.all([
      remote.attributes(),
      line.sftp.stat(file.remote).catch(unlessGone),
    ])
    if (named === null || stampOf(named) !== stampOf(opened)) restart(file, progress)
  }

  async function copyFile(file: JobFile, line: Line, ending: Ending): Promise<'gone' | undefined> {
    const opened = line.sftp.open(file.remote, 'read')
    const remote = await (file.isRoot ? opened : opened.catch(unlessGone))
    if (remote === null) {
      if (file.isMade) await rm(file.local, { force: true })
      return 'gone'
    }
    try {
      const before = await remote.attributes()
      if (file.copy.done > 0) {
        const isOther = file.stamp !== stampOf(before)
        file.hasChanged ||= isOther
        if (isOther || (await sizeHere(file.local)) < file.copy.done) restart(file, progress)
      }
      file.stamp = stampOf(before)
      const size = before.size ?? file.size
      const how = file.copy.done > 0 ? 'r+' : file.isMade ? 'w' : 'wx'
      await withFile(open(file.local, how), async (local) => {
        file.isMade = true
        const deps = copyDeps(file, size, progress, ending)
        if (await ending.byCommand()) await fetchByCommand(file, deps, local, remote, line)
        await download(deps, remote, local, line.readBytes)
      })
      const after = stampOf(await remote.attributes())
      file.hasChanged ||= file.copy.done !== size || after !== file.stamp
    } finally {
      remote.close().catch(() => undefined)
    }
    return undefined
  }

  async function finish(): Promise<readonly string[]> {
    for (const [index, root] of roots) {
      const finished = await finishHere(root)
      // From now on the name of the copy may be another's.
      roots.delete(index)
      saved.push(finished.path)
      if (finished.left !== null) left.push(finished.left)
    }
    return left
  }

  return {
    attempt: (line, signal) =>
      withDisk((disk) =>
        attempt({
          ...{ action, progress, line, signal, finish },
          prepare: async () => {
            if (!isCounted) await count(line, signal)
            return files
          },
          copy: (file, ending) => copyFile(file, line, ending),
          pack(small) {
            const deps = { line, folder, progress, signal, disk }
            return tryPacked(deps, () => fetchPacked(deps, small))
          },
          isOnMachine: true,
          changedSince: async ({ remote, stamp }) => stampOf(await line.sftp.stat(remote)) !== stamp,
        }),
      ),
    isOnMachine: () => false,
    async discard() {
      const parts = [...roots.values()].map(({ part }) => rm(part, { recursive: true, force: true }))
      await Promise.allSettled(parts)
    },
    saved: () => saved,
  }
}
