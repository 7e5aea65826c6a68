import { basename, join, sep } from 'node:path'
import { posix } from 'node:path'
import { dirname } from 'node:path/posix'
import type { Stats } from 'node:fs'
import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { attempt } from './run-transfer'
import { type Disk, type Found, withDisk } from './disk'
import { filesFault } from './transfer-failure'
import {
  type Asks,
  deepest,
  filesAtOnce,
  type Job,
  type JobFile,
  jobFile,
  mostItems,
  partSuffix,
  type Progress,
  remotePath,
} from './transfer-job'
import type { TransferChannel } from './transfer-channel'
import { spaceThere } from './free-space'
import { makeLinksThere } from './remote-links'
import { backText, isFollowed, outerLinks } from './links'
import { nameKey, numbered } from './local-names'
import { type JobFolder, madeFolders } from './created-folders'
import { copyModes, permissionsOf } from './permissions'
import type { Sftp } from './sftp/client'
import { isWindows } from './checksums'
import { confirm, sendPacked, tryPacked } from './packed'
import { plainFs } from './original-fs'
import {
  asideOf,
  finishThere,
  followedThere,
  putBack,
  statThere,
  takenNames,
  type WholeCopy,
} from './name-conflicts'
import { fileUpload } from './upload-file'

const { lstat, readlink, realpath, stat } = plainFs.promises

export interface UploadDeps {
  /** The folder of the machine. */
  readonly folder: string
  /** Files and folders of this computer. */
  readonly paths: readonly string[]
  /** Paths of the machine that uploads have taken; this one adds its own until it has ended. */
  readonly reserved: Set<string>
  /** This computer's; permissions of files on Windows are invented. */
  readonly platform: NodeJS.Platform
  readonly progress: Progress
  readonly ask: Asks
}

const foundAs = (is: Stats): Found => ({
  kind: is.isFile() ? 'file' : is.isDirectory() ? 'folder' : 'other',
  size: is.size,
  mode: is.mode & 0o7777,
  modifiedAt: Math.floor(is.mtimeMs / 1000),
})

/** Finds what a link leads to; null: nothing. */
async function followedHere(link: string) {
  try {
    const path = await realpath(link)
    return { path, found: foundAs(await lstat(path)) }
  } catch {
    return null
  }
}

/** What has a name on the machine. `mode`: its permission bits; null: not reported. */
interface Taker {
  readonly kind: 'file' | 'folder'
  readonly mode: number | null
  /** Its path; of a link to a file, that file's. */
  readonly path: string
}

/** A name, that of its copy, and that of what it replaces until the copy has its place. */
const namesOf = (name: string) => [name, name + partSuffix, asideOf(name + partSuffix)] as const

/** Copies files and folders to a folder of a machine, over nothing without the person's word. A link within a folder is followed if it leads to something else in that folder. */
export function uploadJob({ folder, paths, reserved, platform, progress, ask }: UploadDeps): Job {
  const action = translate('files.action.upload')
  /** By the place of their paths. */
  const roots = new Map<number, WholeCopy>()
  const taken = takenNames(ask.taken, nameKey(isWindows(folder) ? 'win32' : 'linux'))
  /** What was moved out of the way of a copy. */
  const moved = new Set<string>()
  /** What was replaced and cannot be deleted. */
  const left: string[] = []
  let files: JobFile[] = []
  /** Each after the one that it is in. */
  let folders: JobFolder[] = []
  const modes = copyModes(progress)
  const links = outerLinks({
    ask: ask.links,
    progress,
    unreadable: translate('files.problem.linkUnreadable'),
  })
  const setsModes = !isWindows(folder)
  const sourceMode = (mode: number): number | null => (platform === 'win32' ? null : permissionsOf(mode))
  const made = madeFolders(modes, setsModes)
  const copyFile = fileUpload({ action, progress, modes, setsModes })
  /** Files that went in an archive, until they were seen on the machine. */
  const sent = new Set<JobFile>()
  let isCounted = false

  async function count({ sftp }: TransferChannel, disk: Disk, signal: AbortSignal): Promise<void> {
    files = []
    folders = []
    progress.skipped = 0
    links.reset()
    let items = 0
    const limit = pLimit(filesAtOnce)
    /** `above`: the folders of this computer down to this path, the chosen one first. */
    async function add(
      local: string,
      remote: string,
      found: Found,
      name: string,
      above: readonly string[] = [],
    ): Promise<void> {
      const depth = above.length
      const { kind, size, modifiedAt } = found
      const mode = sourceMode(found.mode)
      signal.throwIfAborted()
      items += 1
      if (items > mostItems || depth > deepest) throw filesFault(action, translate('files.problem.too-many'))
      if (kind === 'file') files.push(jobFile(remote, local, size, depth === 0, { mode, modifiedAt }))
      else if (kind === 'other') progress.skipped += 1
      else if (kind === 'link') {
        const target = await followedHere(local)
        if (target === null || !isFollowed(target.path, above, sep)) {
          const root = folders.findLast(({ isRoot }) => isRoot)?.path ?? ''
          const copy = { root, link: remote }
          const back = backText(target?.path, above[0] ?? '', copy, { sep }, posix)
          links.add({ from: local, to: remote, name, back })
        } else await add(target.path, remote, target.found, name, above)
      } else {
        folders.push({ path: remote, mode, modifiedAt, isRoot: depth === 0 })
        const names = await disk.list(local, mostItems)
        if (!names) throw filesFault(action, translate('files.problem.too-many'))
        const all = await disk.look(names.map((name) => join(local, name)))
        for (const [at, entry] of names.entries()) {
          const is = all[at]
          if (is)
            await add(join(local, entry), remotePath(remote, entry), is, `${name}/${entry}`, [
              ...above,
              local,
            ])
        }
        progress.filesTotal = files.length
        progress.changed()
      }
    }
    // Each name is looked up by itself: the folder may have more than a list of it holds.
    const named = paths.map((path, index) => ({ path, index, name: basename(path) }))
    const look = lookAround(sftp)
    await Promise.all(
      named
        .filter(({ index }) => !roots.has(index))
        .flatMap(({ name }) => namesOf(name))
        .map((name) => limit(look, remotePath(folder, name))),
    )
    const open: ((typeof named)[number] & { there: 'file' | 'folder' })[] = []
    for (const one of named) {
      const there = roots.has(one.index) ? null : await look(remotePath(folder, one.name))
      if (there) open.push({ ...one, there: there.kind })
    }
    await taken.decide(open, signal)
    for (const { path, index, name } of named) {
      const choice = taken.choiceOf(index)
      if (choice === 'skip') continue
      const found = await stat(path)
      const place = remotePath(folder, name)
      const none = { kind: 'file', mode: null, path: place } as const
      const replaced = choice === 'replace' ? ((await look(place)) ?? none) : null
      const isFolder = found.isDirectory()
      const root = roots.get(index) ?? (await rootOf(name, isFolder ? 'folder' : 'file', replaced, look))
      roots.set(index, root)
      await add(isFolder ? await realpath(path) : path, root.part, foundAs(found), name)
      const file = files.at(-1)
      if (file?.remote === root.part && replaced?.kind === 'file')
        file.finalMode = permissionsOf(replaced.mode)
    }
    await links.decide(signal, ({ from }) => readlink(from).catch(() => null))
    progress.kept = named.filter(({ index }) => taken.choiceOf(index) === 'skip').length
    progress.bytesTotal = files.reduce((sum, { size }) => sum + size, 0)
    isCounted = true
  }

  async function rootOf(
    name: string,
    kind: WholeCopy['kind'],
    replaced: Taker | null,
    look: ReturnType<typeof lookAround>,
  ): Promise<WholeCopy> {
    // A copy that replaces what a link leads to is made beside that.
    const place = replaced && kind === 'file' ? replaced.path : remotePath(folder, name)
    for (let count = 1; ; count += 1) {
      const names = namesOf(numbered(basename(place), count))
      const [free, part, aside] = [
        remotePath(dirname(place), names[0]),
        remotePath(dirname(place), names[1]),
        remotePath(dirname(place), names[2]),
      ]
      const paths = replaced === null ? [free, part, aside] : [part, aside]
      if (paths.some((path) => reserved.has(path))) continue
      // Before the machine is asked: another upload may look for the same names.
      for (const path of paths) reserved.add(path)
      const there = await Promise.all(paths.map(look)).catch((error: unknown) => {
        for (const path of paths) reserved.delete(path)
        throw error
      })
      if (there.some((is) => is !== null)) {
        for (const path of paths) reserved.delete(path)
        continue
      }
      if (count > 1 && replaced === null) progress.renamed += 1
      const final = replaced === null ? free : place
      reserved.add(final)
      return { part, final, kind, replaces: replaced?.kind ?? null }
    }
  }
  /** Looks up what has a path, once for each path. */
  function lookAround(sftp: Sftp) {
    const seen = new Map<string, Promise<Taker | null>>()
    const takerOf = async (path: string): Promise<Taker | null> => {
      const is = await statThere(sftp, path)
      const target = is?.kind === 'link' ? await followedThere(sftp, path) : null
      if (target?.is.kind === 'file') return { kind: 'file', mode: target.is.mode, path: target.path }
      return is && { kind: is.kind === 'folder' ? 'folder' : 'file', mode: is.mode, path }
    }
    return (path: string): Promise<Taker | null> => {
      const found = seen.get(path) ?? takerOf(path)
      seen.set(path, found)
      return found
    }
  }
  function release({ part, final }: WholeCopy): void {
    for (const path of [part, asideOf(part), final]) reserved.delete(path)
  }

  async function finish({ sftp }: TransferChannel): Promise<readonly string[]> {
    await makeLinksThere(sftp, folders, links)
    await made.setAttributes(sftp, folders)
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
            action,
            progress,
            line,
            signal,
            prepare: async () => {
              if (!isCounted) await count(line, disk, signal)
              await made.make(line.sftp, folders)
              if (sent.size > 0) await confirm({ line, progress, modes }, sent)
              return files
            },
            async pack(small) {
              const deps = { line, folder, progress, signal, disk, modes }
              await tryPacked(deps, () => sendPacked(deps, small, sent))
            },
            confirm: () => confirm({ line, progress, modes }, sent),
            receiver: { kind: 'machine', space: () => spaceThere(line, folder) },
            copy: (file, ending) => copyFile(file, line, ending),
            finish: () => finish(line),
          }),
        signal,
      ),
    isOnMachine: () => made.hasRequested() || moved.size > 0 || files.some(({ isMade }) => isMade),
    async discard(sftp) {
      if (!sftp) {
        roots.forEach(release)
        const begun = files.some(({ isMade }) => isMade) || made.hasRequested()
        return begun ? [...roots.values()].map(({ part }) => part) : []
      }
      const limit = pLimit(filesAtOnce)
      await made.unsetModes(sftp, folders)
      const begun = files.filter(({ isMade }) => isMade)
      const written = [...begun.map(({ remote }) => remote), ...links.made()]
      await Promise.allSettled(written.map((path) => limit(() => sftp.removeFile(path))))
      for (const { path } of folders.toReversed())
        if (made.isRequested(path)) await sftp.removeFolder(path).catch(() => undefined)
      await Promise.allSettled([...roots.values()].map((root) => putBack(sftp, root, moved)))
      roots.forEach(release)
      const left = [...roots.values()].map(async ({ part }) => {
        const is = await statThere(sftp, part).catch(() => null)
        return is ? part : []
      })
      return (await Promise.all(left)).flat()
    },
  }
}
