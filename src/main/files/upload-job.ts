import type { FileHandle } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Stats } from 'node:fs'
import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { attempt, copyDeps, type Ending, restart, withFile } from './attempt'
import { type CopyDeps, digestSoFar, upload } from './copy'
import { type Disk, type Found, withDisk } from './disk'
import { filesFault } from './failure'
import {
  type AskTaken,
  deepest,
  filesAtOnce,
  type Job,
  type JobFile,
  jobFile,
  mostItems,
  partSuffix,
  type Progress,
  remotePath,
} from './job'
import { type Line, openElsewhere } from './line'
import { listedFile, nameKey, numbered } from './local-names'
import { madeFolders } from './made-folders'
import type { RemoteFile, Sftp } from './sftp/client'
import { isWindows } from './checksums'
import { confirm, sendPacked, tryPacked } from './packed'
import { uploadPiped } from './piped'
import { plainFs } from './plain-fs'
import { SftpError } from './sftp/session'
import { asideOf, finishThere, putBack, statThere, takenNames, type WholeCopy } from './taken'

const { open, stat } = plainFs.promises

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

/** Copies of a file in one attempt at most, where the machine has more of it than was copied. */
const mostAttempts = 3
const kindOf = (is: Stats): Found['kind'] => (is.isFile() ? 'file' : is.isDirectory() ? 'folder' : 'other')
const stampOf = ({ size, mtimeMs }: Stats): string => `${size}/${mtimeMs}`

/** Null where it was removed after its folder had been read, or a link took its place. */
function unlessGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && /^(ENOENT|ELOOP)$/.test(String(error.code))) return null
  throw error
}
/** A name, that of its copy, and that of what it replaces until the copy has its place. */
const namesOf = (name: string) => [name, name + partSuffix, asideOf(name + partSuffix)] as const

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
  const taken = takenNames(ask, nameKey(isWindows(folder) ? 'win32' : 'linux'))
  /** What was moved out of the way of a copy. */
  const moved = new Set<string>()
  /** What was replaced and cannot be deleted. */
  const left: string[] = []
  let files: JobFile[] = []
  /** Each after the one that it is in. */
  let folders: string[] = []
  const made = madeFolders()
  /** Files that went in an archive, until they were seen on the machine. */
  const sent = new Set<JobFile>()
  let isCounted = false

  async function count({ sftp }: Line, disk: Disk, signal: AbortSignal): Promise<void> {
    files = []
    folders = []
    progress.skipped = 0
    let items = 0
    const limit = pLimit(filesAtOnce)
    async function add(local: string, remote: string, { kind, size }: Found, depth: number): Promise<void> {
      signal.throwIfAborted()
      items += 1
      if (items > mostItems || depth > deepest) throw filesFault(action, translate('files.problem.too-many'))
      if (kind === 'file') files.push(jobFile(remote, local, size, depth === 0))
      else if (kind === 'other') progress.skipped += 1
      else {
        folders.push(remote)
        const names = await disk.list(local, mostItems)
        if (!names) throw filesFault(action, translate('files.problem.too-many'))
        const all = await disk.look(names.map((name) => join(local, name)))
        for (const [at, name] of names.entries()) {
          const found = all[at]
          if (found) await add(join(local, name), remotePath(remote, name), found, depth + 1)
        }
        progress.filesTotal = files.length
        progress.changed()
      }
    }
    // Each name is asked for by itself: the folder may have more than a list of it holds.
    const named = paths.map((path, index) => ({ path, index, name: basename(path) }))
    const look = lookAround(sftp)
    await Promise.all(
      named
        .filter(({ index }) => !roots.has(index))
        .flatMap(({ name }) => namesOf(name))
        .map((name) => limit(look, name)),
    )
    const open: ((typeof named)[number] & { there: 'file' | 'folder' })[] = []
    for (const one of named) {
      const there = roots.has(one.index) ? null : await look(one.name)
      if (there) open.push({ ...one, there })
    }
    await taken.decide(open, signal)
    for (const { path, index, name } of named) {
      const choice = taken.choiceOf(index)
      if (choice === 'skip') continue
      const found = await stat(path)
      const replaces = choice === 'replace' ? ((await look(name)) ?? 'file') : null
      const root =
        roots.get(index) ??
        (await rootOf(name, kindOf(found) === 'folder' ? 'folder' : 'file', replaces, look))
      roots.set(index, root)
      await add(path, root.part, { kind: kindOf(found), size: found.size }, 0)
    }
    progress.kept = named.filter(({ index }) => taken.choiceOf(index) === 'skip').length
    progress.bytesTotal = files.reduce((sum, { size }) => sum + size, 0)
    isCounted = true
  }

  async function rootOf(
    name: string,
    kind: WholeCopy['kind'],
    replaces: WholeCopy['replaces'],
    look: ReturnType<typeof lookAround>,
  ): Promise<WholeCopy> {
    for (let count = 1; ; count += 1) {
      const free = numbered(name, count)
      const [, part, aside] = namesOf(free)
      const wanted = replaces === null ? [free, part, aside] : [part, aside]
      const paths = wanted.map((one) => remotePath(folder, one))
      if (paths.some((path) => reserved.has(path))) continue
      // Before the machine is asked: another upload may look for the same names.
      for (const path of paths) reserved.add(path)
      const there = await Promise.all(wanted.map(look)).catch((error: unknown) => {
        for (const path of paths) reserved.delete(path)
        throw error
      })
      if (there.some((kindThere) => kindThere !== null)) {
        for (const path of paths) reserved.delete(path)
        continue
      }
      if (count > 1 && replaces === null) progress.renamed += 1
      const final = remotePath(folder, replaces === null ? free : name)
      reserved.add(final)
      return { part: remotePath(folder, part), final, kind, replaces }
    }
  }
  /** What has a name in the folder, each asked for once. */
  function lookAround(sftp: Sftp) {
    const seen = new Map<string, Promise<'file' | 'folder' | null>>()
    return (name: string): Promise<'file' | 'folder' | null> => {
      const found =
        seen.get(name) ??
        statThere(sftp, remotePath(folder, name)).then(
          (is) => is && (is.kind === 'folder' ? 'folder' : 'file'),
        )
      seen.set(name, found)
      return found
    }
  }
  function release({ part, final }: WholeCopy): void {
    for (const path of [part, asideOf(part), final]) reserved.delete(path)
  }

  /** The size of the copy, as the machine says. */
  async function copyOnce(
    file: JobFile,
    line: Line,
    local: FileHandle,
    before: Stats,
    isThere: boolean,
    ending: Ending,
  ): Promise<number | null> {
    const remote = await openCopy(line.sftp, file, isThere)
    const channels: [RemoteFile, ...RemoteFile[]] = [remote]
    const closeOthers = openElsewhere(line, file.remote, before.size - file.copy.done, channels)
    const deps = copyDeps(file, before.size, progress, ending)
    try {
      if (await ending.byCommand()) await sendByCommand(file, deps, local, line)
      await upload(deps, local, channels, line.writeBytes)
      file.hasChanged ||= file.copy.done !== before.size || stampOf(await local.stat()) !== file.stamp
      return (await Promise.all([remote.attributes(), closeOthers()]))[0].size
    } finally {
      remote.close().catch(() => undefined)
      await closeOthers()
    }
  }

  /** Whatever stops that, SFTP copies the rest, or says why. */
  async function sendByCommand(file: JobFile, deps: CopyDeps, local: FileHandle, line: Line): Promise<void> {
    if (file.copy.done > 0) return
    try {
      file.digestThere = await uploadPiped(deps, local, file.remote, line)
    } catch {
      deps.signal.throwIfAborted()
    }
    const there = await statThere(line.sftp, file.remote)
    const isOther = file.digestThere !== null && file.digestThere !== digestSoFar(file.copy)
    if (isOther || (there?.size ?? 0) < file.copy.done) restart(file, progress)
  }

  async function copyFile(file: JobFile, line: Line, ending: Ending): Promise<'gone' | undefined> {
    const opened = open(file.local, file.isRoot ? 'r' : listedFile)
    const found = await (file.isRoot ? opened : opened.catch(unlessGone))
    if (found === null) {
      if (file.isMade) await line.sftp.removeFile(file.remote)
      return 'gone'
    }
    await withFile(found, async (local) => {
      const before = await local.stat()
      const there = file.isMade ? await statThere(line.sftp, file.remote) : null
      const isOther = file.stamp !== '' && file.stamp !== stampOf(before)
      file.hasChanged ||= isOther
      if (isOther || (there?.size ?? 0) < file.copy.done) restart(file, progress)
      file.stamp = stampOf(before)
      for (let attempts = 1; ; attempts += 1) {
        const size = await copyOnce(file, line, local, before, there !== null || attempts > 1, ending)
        if (size === null || size === file.copy.done) return
        // What was on its way over a lost line may have been written behind the end of a shorter copy.
        if (there === null || size < file.copy.done || attempts === mostAttempts)
          throw filesFault(action, translate('files.problem.size'))
        restart(file, progress)
      }
    })
    return undefined
  }

  async function finish({ sftp }: Line): Promise<readonly string[]> {
    const limit = pLimit(filesAtOnce)
    // All have ended before the channel is closed: none is left without its name.
    const ended = await Promise.allSettled(
      [...roots.values()].map((root) => limit(finishThere, sftp, root, moved)),
    )
    for (const one of ended) if (one.status === 'fulfilled' && one.value !== null) left.push(one.value)
    for (const one of ended) if (one.status === 'rejected') throw one.reason
    roots.forEach(release)
    return left
  }

  return {
    attempt: (line, signal) =>
      withDisk(
        (disk) =>
          attempt({
            ...{ action, progress, line, signal },
            prepare: async () => {
              if (!isCounted) await count(line, disk, signal)
              await made.make(line.sftp, folders)
              if (sent.size > 0) await confirm({ line, progress }, sent)
              return files
            },
            async pack(small) {
              const deps = { line, folder, progress, signal, disk }
              await tryPacked(deps, () => sendPacked(deps, small, sent))
            },
            confirm: () => confirm({ line, progress }, sent),
            copy: (file, ending) => copyFile(file, line, ending),
            finish: () => finish(line),
          }),
        signal,
      ),
    isOnMachine: () => made.hasAsked() || moved.size > 0 || files.some(({ isMade }) => isMade),
    async discard(sftp) {
      if (!sftp) return roots.forEach(release)
      const limit = pLimit(filesAtOnce)
      const begun = files.filter(({ isMade }) => isMade)
      await Promise.allSettled(begun.map(({ remote }) => limit(() => sftp.removeFile(remote))))
      for (const path of folders.toReversed())
        if (made.isAsked(path)) await sftp.removeFolder(path).catch(() => undefined)
      await Promise.allSettled([...roots.values()].map((root) => putBack(sftp, root, moved)))
      roots.forEach(release)
    },
  }
}
