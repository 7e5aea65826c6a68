import type { FileHandle } from 'node:fs/promises'
import nodePath, { basename, dirname, join } from 'node:path'
import pLimit, { type LimitFunction } from 'p-limit'
import { translate } from '#shared/messages/index'
import { systemClock } from '../core/clock'
import { attempt, copyDeps, type Ending, noteUnsized, restart, withFile } from './run-transfer'
import { type CopyDeps, download } from './copy'
import { withDisk } from './disk'
import { filesFault } from './transfer-failure'
import {
  type Asks,
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
} from './transfer-job'
import type { TransferChannel } from './transfer-channel'
import { spaceHere } from './free-space'
import { backText, isFollowed, outerLinks } from './links'
import {
  isThere,
  linkedFile,
  localName,
  makeEmpty,
  nameKey,
  numbered,
  statHere,
  uniqueNames,
} from './local-names'
import type { JobFolder } from './created-folders'
import { copyModes, partialFile, permissionsOf } from './permissions'
import { fetchPacked, tryPacked } from './packed'
import { downloadPiped } from './piped'
import { isWindows } from './checksums'
import { plainFs } from './original-fs'
import type { RemoteEntry, RemoteFile, Sftp } from './sftp/client'
import type { Attributes } from './sftp/packet'
import { SftpError } from './sftp/session'
import { finishHere, followedThere, takenNames, type WholeCopy } from './name-conflicts'

const { chmod, lstat, mkdir, open, rm, symlink, utimes } = plainFs.promises

export interface DownloadDeps {
  readonly folder: string
  readonly names: readonly string[]
  /** A folder that all goes into, or the path that the person picked for the only file. */
  readonly target: { readonly kind: 'folder' | 'file'; readonly path: string }
  readonly platform: NodeJS.Platform
  readonly progress: Progress
  readonly ask: Asks
}

interface DownloadJob extends Job {
  /** What was written, once it is whole. */
  saved(): readonly string[]
}

/** What a copy is to replace here. `mode`: its permission bits. */
interface Replaced {
  readonly kind: 'file' | 'folder'
  readonly mode: number
}

function unlessReadOnly(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'EACCES') return null
  throw error
}

/** Null if the machine refused a request. */
function unlessRefused(error: unknown): null {
  if (error instanceof SftpError) return null
  throw error
}

/**
 * Makes a link where nothing has the path. Returns the system's reason if that fails: Windows may refuse it to a user
 * without that privilege.
 */
const makeLinkHere = (place: string, text: string): Promise<string | null> =>
  symlink(text, place).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

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

/** Resolves the links in a folder of the machine, by name. */
async function linkTargets(
  sftp: Sftp,
  folder: string,
  entries: readonly RemoteEntry[],
  limit: LimitFunction,
) {
  const links = entries.filter(({ kind, isUnreadable }) => kind === 'link' && !isUnreadable)
  const resolved = links.map(({ name }) =>
    limit(async () => [name, await followedThere(sftp, remotePath(folder, name))] as const),
  )
  return new Map(await Promise.all(resolved))
}

/** Copies files and folders from a machine into one folder of this computer. A link within a folder is followed if it leads to something else in that folder. */
export function downloadJob({ folder, names, target, platform, progress, ask }: DownloadDeps): DownloadJob {
  const into = target.kind === 'folder' ? target.path : dirname(target.path)
  const action = translate('files.action.download')
  /** By the place of their names. Each was made here, so that it can be removed. */
  const roots = new Map<number, WholeCopy>()
  const taken = takenNames(ask.taken, nameKey(platform))
  const made = new Set<string>()
  let rootsRenamed = 0
  let files: JobFile[] = []
  /** Each after the one that it is in. */
  let folders: JobFolder[] = []
  const modes = copyModes(progress)
  const links = outerLinks({
    ask: ask.links,
    progress,
    unreadable: translate('files.problem.linkUnreadable'),
  })
  const setsModes = platform !== 'win32'
  /** Permissions that files and folders of Windows report are invented. */
  const sourceMode = ({ mode }: Attributes): number | null =>
    setsModes && !isWindows(folder) ? permissionsOf(mode) : null
  /** Permissions that roots get once they are whole, by path. */
  const rootModes = new Map<string, number>()
  let areModesSet = false
  const saved: string[] = []
  /** What was replaced and cannot be deleted. */
  const left: string[] = []
  let isCounted = false

  /** Makes a root private until it is whole. Its first permissions show the umask. */
  async function narrow(part: string, kind: 'file' | 'folder', mode: number | null): Promise<void> {
    if (!setsModes) return
    const made = (await lstat(part)).mode & 0o7777
    if (kind === 'file') {
      rootModes.set(part, permissionsOf(made) ?? made)
      return chmod(part, partialFile)
    }
    modes.learn(made)
    rootModes.set(part, modes.modeFor('folder', mode)?.final ?? made)
    await chmod(part, modes.partialRoot())
  }

  /** Takes the first free name atomically, by making the copy there. */
  async function makeRoot(name: string, is: Attributes, replaced: Replaced | null): Promise<WholeCopy> {
    const kind = is.kind === 'folder' ? 'folder' : 'file'
    const replaces = replaced?.kind ?? null
    const mode = sourceMode(is)
    const isPicked = target.kind === 'file'
    const local = isPicked ? target.path : join(into, localName(name, platform))
    // A copy that replaces what a link leads to is made beside that.
    const isReplacing = kind === 'file' && (isPicked || replaces === 'file')
    const place = (isReplacing ? await linkedFile(local) : null) ?? local
    const wanted = basename(place)
    const isFree = async (path: string): Promise<boolean> =>
      isPicked || replaces !== null || !(await isThere(path))
    for (let count = 1; ; count += 1) {
      const free = numbered(wanted, count)
      const final = join(dirname(place), isPicked || replaces !== null ? wanted : free)
      const part = join(dirname(place), isPicked ? numbered(wanted + partSuffix, count) : free + partSuffix)
      const first = kind === 'folder' ? null : mode
      if (!(await isFree(final)) || !(await makeEmpty(part, kind, first))) continue
      await narrow(part, kind, mode)
      const replacedFile = isPicked || replaced ? await statHere(final) : null
      if (setsModes && kind === 'file' && replacedFile?.kind === 'file')
        rootModes.set(part, replacedFile.mode & 0o777)
      if (kind === 'folder') made.add(part)
      if (!isPicked && place === local && basename(final) !== name) {
        rootsRenamed += 1
        progress.renamed += 1
      }
      // The system's dialog has asked whether what has the picked name is to be replaced.
      return { part, final, kind, replaces: isPicked ? 'file' : replaces }
    }
  }

  async function count({ sftp }: TransferChannel, signal: AbortSignal): Promise<void> {
    files = []
    folders = []
    progress.skipped = 0
    links.reset()
    progress.renamed = rootsRenamed
    let items = 0
    const limit = pLimit(filesAtOnce)
    /** `above`: the folders of the machine down to this path, the chosen one first. */
    async function add(
      remote: string,
      local: string,
      found: Attributes,
      shownName: string,
      above: readonly string[] = [],
    ): Promise<void> {
      const depth = above.length
      signal.throwIfAborted()
      items += 1
      if (items > mostItems || depth > deepest || remote.length > longestPath)
        throw filesFault(action, translate('files.problem.too-many'))
      if (found.kind === 'file') {
        const file = jobFile(remote, local, found.size ?? 0, depth === 0, {
          mode: sourceMode(found),
          modifiedAt: found.modifiedAt,
        })
        file.isMade = file.isRoot
        file.finalMode = rootModes.get(local) ?? null
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
        const { modifiedAt } = found
        folders.push({ path: local, mode: sourceMode(found), modifiedAt, isRoot: depth === 0 })
        if (isCut) throw filesFault(action, translate('files.problem.too-many'))
        const nameOf = uniqueNames(platform)
        const targets = await linkTargets(sftp, remote, entries, limit)
        const outer: string[] = []
        for (const entry of entries) {
          if (entry.isUnreadable || entry.name === '' || entry.name.includes('/')) {
            progress.skipped += 1
            continue
          }
          const target = targets.get(entry.name)
          if (entry.kind === 'link' && !(target && isFollowed(target.path, [...above, remote], '/'))) {
            outer.push(entry.name)
            continue
          }
          const is = target?.is ?? entry
          if (is.kind !== 'file' && is.kind !== 'folder') {
            progress.skipped += 1
            continue
          }
          const name = nameOf(entry.name)
          if (name !== entry.name) progress.renamed += 1
          const from = target?.path ?? remotePath(remote, entry.name)
          await add(from, join(local, name), is, `${shownName}/${entry.name}`, [...above, remote])
        }
        // Named last: a link that the user may skip takes no name from a file.
        for (const name of outer)
          addOuterLink(
            remotePath(remote, name),
            join(local, nameOf(name)),
            `${shownName}/${name}`,
            targets.get(name)?.path,
            [...above, remote],
          )
        progress.filesTotal = files.length
        progress.changed()
      }
    }
    function addOuterLink(
      from: string,
      to: string,
      name: string,
      leadsTo: string | undefined,
      [chosen = '']: readonly string[],
    ): void {
      const root = folders.findLast(({ isRoot }) => isRoot)?.path ?? ''
      const back = backText(leadsTo, chosen, { root, link: to }, { sep: '/' }, nodePath)
      links.add({ from, to, name, back })
    }
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
      const root = roots.get(index) ?? (await makeRoot(name, is, replaced.get(index) ?? null))
      roots.set(index, root)
      const path = remotePath(folder, name)
      await add(is.kind === 'folder' ? await sftp.realPath(path) : path, root.part, is, name)
    }
    await links.decide(signal, ({ from }) => sftp.readLink(from).catch(unlessRefused))
    for (const { path, mode } of folders) {
      signal.throwIfAborted()
      if (!made.has(path)) await mkdir(path, modes.modeFor('folder', mode)?.whileCopied ?? 0o777)
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
  ): Promise<ReadonlyMap<number, Replaced>> {
    const there = new Map<number, Replaced & { index: number; name: string }>()
    if (target.kind === 'file') return new Map()
    for (const [index, name] of names.entries()) {
      const local = localName(name, platform)
      const is = isCopied[index] && !roots.has(index) ? await statHere(join(into, local)) : null
      if (is !== null) there.set(index, { ...is, index, name: local })
    }
    const wanted = [...there.values()].map(({ index, name, kind }) => ({ index, name, there: kind }))
    await taken.decide(wanted, signal)
    return new Map([...there].filter(([index]) => taken.choiceOf(index) === 'replace'))
  }

  /** Whatever stops that, SFTP copies the rest, or says why. */
  async function fetchByCommand(
    file: JobFile,
    deps: CopyDeps,
    local: FileHandle,
    remote: RemoteFile,
    line: TransferChannel,
  ): Promise<void> {
    await downloadPiped(deps, file.remote, local, line).catch(() => deps.signal.throwIfAborted())
    // A command opens what has the name by then.
    const [opened, named] = await Promise.all([
      remote.attributes(),
      line.sftp.stat(file.remote).catch(unlessGone),
    ])
    if (named === null || stampOf(named) !== stampOf(opened)) restart(file, progress)
  }

  /** Opens a copy. One that is to be written anew may be read-only: it is ours, and is made anew. */
  async function openCopy(file: JobFile): Promise<FileHandle> {
    if (file.copy.done > 0) return open(file.local, 'r+')
    const mode = file.isRoot ? partialFile : (modes.modeFor('file', file.mode)?.whileCopied ?? 0o666)
    const opened = file.isMade ? await open(file.local, 'w', mode).catch(unlessReadOnly) : null
    if (opened) return opened
    if (file.isMade) await rm(file.local, { force: true })
    return open(file.local, 'wx', mode)
  }
  /** Returns the permissions of a whole copy; null if it has them already. */
  function finalModeOf(file: JobFile): number | null {
    if (file.isRoot) return file.finalMode
    const mode = modes.modeFor('file', file.mode)
    return mode === null || mode.final === mode.whileCopied ? null : mode.final
  }

  async function copyFile(file: JobFile, line: TransferChannel, ending: Ending): Promise<'gone' | undefined> {
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
      await withFile(openCopy(file), async (local) => {
        file.isMade = true
        const deps = copyDeps(file, size, progress, ending)
        if (await ending.byCommand()) await fetchByCommand(file, deps, local, remote, line)
        await download(deps, remote, local, line.readBytes)
        const mode = finalModeOf(file)
        if (mode !== null) await local.chmod(mode).catch(() => modes.refuse(file.local))
        const { modifiedAt } = before
        if (modifiedAt !== null)
          await local.utimes(systemClock.now(), modifiedAt).catch(() => modes.refuseTime(file.local))
      })
      noteUnsized(file, size, progress)
      const after = stampOf(await remote.attributes())
      file.hasChanged ||= (!file.isUnsized && file.copy.done !== size) || after !== file.stamp
    } finally {
      remote.close().catch(() => undefined)
    }
    return undefined
  }

  /**
   * Sets the permissions and times of whole folders, the deepest first: a folder without write permission takes no more
   * files, and a new file changes the time of its folder.
   */
  async function setFolderAttributes(): Promise<void> {
    areModesSet = true
    for (const { path, mode, modifiedAt } of folders.toReversed()) {
      if (modifiedAt !== null)
        await utimes(path, systemClock.now(), modifiedAt).catch(() => modes.refuseTime(path))
      const wanted = modes.modeFor('folder', mode)
      const final = rootModes.get(path) ?? (wanted?.final === wanted?.whileCopied ? null : wanted?.final)
      if (final !== null && final !== undefined) await chmod(path, final).catch(() => modes.refuse(path))
    }
  }

  async function finish(): Promise<readonly string[]> {
    if (!areModesSet) {
      await links.make(makeLinkHere)
      await setFolderAttributes()
    }
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
          action,
          progress,
          line,
          signal,
          finish,
          prepare: async () => {
            if (!isCounted) await count(line, signal)
            return files
          },
          copy: (file, ending) => copyFile(file, line, ending),
          pack(small) {
            // A link that was selected, or followed, may lead anywhere.
            const areBelow = small.every(({ remote }) => remote.startsWith(remotePath(folder, '')))
            const deps = { line, folder: areBelow ? folder : '/', progress, signal, disk, modes }
            return tryPacked(deps, () => fetchPacked(deps, small))
          },
          isOnMachine: true,
          receiver: { kind: 'here', space: () => spaceHere(into) },
          changedSince: async ({ remote, stamp }) => stampOf(await line.sftp.stat(remote)) !== stamp,
        }),
      ),
    isOnMachine: () => false,
    async discard() {
      // What is in a folder without write permission can't be removed.
      if (areModesSet)
        for (const { path } of folders) await chmod(path, modes.partialRoot()).catch(() => undefined)
      const parts = [...roots.values()].map(({ part }) => rm(part, { recursive: true, force: true }))
      await Promise.allSettled(parts)
      const left = await Promise.all(
        [...roots.values()].map(async ({ part }) => ((await isThere(part)) ? part : [])),
      )
      return left.flat()
    },
    saved: () => saved,
  }
}
