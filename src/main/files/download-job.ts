import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { systemClock } from '../core/clock'
import { runTransfer } from './run-transfer'
import { withDisk } from './disk'
import { type Asks, filesAtOnce, type Job, type JobFile, type Progress, remotePath } from './transfer-job'
import type { TransferChannel } from './transfer-channel'
import { localSpace } from './free-space'
import { outerLinks } from './links'
import { statLocal } from './local-names'
import type { JobFolder } from './created-folders'
import { copyModes, permissionsOf } from './permissions'
import { fetchPacked, tryPacked } from './packed'
import { isWindows } from './checksums'
import { fileDownload, stampOf } from './download-file'
import { downloadRoots, type DownloadTarget } from './download-roots'
import { downloadTree } from './download-tree'
import { plainFs } from './original-fs'
import type { Attributes } from './sftp/packet'
import { ifRefused } from './sftp/session'

const { chmod, mkdir, rm, symlink, utimes } = plainFs.promises

export interface DownloadDeps {
  readonly folder: string
  readonly names: readonly string[]
  readonly target: DownloadTarget
  readonly platform: NodeJS.Platform
  readonly progress: Progress
  readonly ask: Asks
}

interface DownloadJob extends Job {
  saved(): readonly string[]
}

/** Makes a link at a free path. Returns the system's reason if that fails: on Windows it needs a privilege. */
const makeLocalLink = (path: string, text: string): Promise<string | null> =>
  symlink(text, path).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

/** Copies files and folders from a machine to this computer. Replaces only files and folders that the user chose. */
export function downloadJob({ folder, names, target, platform, progress, ask }: DownloadDeps): DownloadJob {
  const action = translate('files.action.download')
  /** Permissions that Windows reports are not real. */
  const copiesModes = platform !== 'win32' && !isWindows(folder)
  const sourceMode = ({ mode }: Attributes): number | null => (copiesModes ? permissionsOf(mode) : null)
  const modes = copyModes(progress)
  const roots = downloadRoots({ target, platform, progress, modes, ask: ask.conflict, sourceMode })
  const links = outerLinks({
    ask: ask.links,
    progress,
    unreadable: translate('files.problem.linkUnreadable'),
  })
  const copyFile = fileDownload(progress, modes)
  let files: readonly JobFile[] = []
  let folders: readonly JobFolder[] = []
  const madeFolders = new Set<string>()
  let isCounted = false
  let areModesSet = false
  const saved: string[] = []
  const left: string[] = []

  async function count({ sftp }: TransferChannel, signal: AbortSignal): Promise<void> {
    progress.skipped = 0
    links.reset()
    progress.renamed = roots.renamed()
    const { finalMode } = roots
    const tree = downloadTree({ action, platform, progress, links, sftp, signal, sourceMode, finalMode })
    const limit = pLimit(filesAtOnce)
    // Follows selected links, because the user chose them.
    const selected = await Promise.all(
      names.map((name) =>
        limit(async () => ({ name, attributes: await sftp.stat(remotePath(folder, name)) })),
      ),
    )
    for (const { name, attributes, part } of await roots.make(selected, signal)) {
      const path = remotePath(folder, name)
      const remote = attributes.kind === 'folder' ? await sftp.realPath(path) : path
      await tree.add({ remote, local: part, name }, attributes)
    }
    await links.decide(signal, ({ from }) => sftp.readLink(from).catch(ifRefused(null)))
    for (const { path, mode, isRoot } of tree.folders) {
      signal.throwIfAborted()
      if (isRoot || madeFolders.has(path)) continue
      await mkdir(path, modes.modeFor('folder', mode)?.whileCopied ?? 0o777)
      madeFolders.add(path)
    }
    progress.bytesTotal = tree.files.reduce((sum, { size }) => sum + size, 0)
    files = tree.files
    folders = tree.folders
    isCounted = true
  }

  /**
   * Sets the permissions and times of complete folders, the deepest first: nothing can be added to a folder without write
   * permission, and a new file changes the time of its folder.
   */
  async function setFolderAttributes(): Promise<void> {
    areModesSet = true
    for (const { path, mode, modifiedAt } of folders.toReversed()) {
      if (modifiedAt !== null)
        await utimes(path, systemClock.now(), modifiedAt).catch(() => modes.refuseTime(path))
      const final = roots.finalMode(path) ?? modes.changeAfterCopy('folder', mode)
      if (final !== null) await chmod(path, final).catch(() => modes.refuse(path))
    }
  }

  async function finish(): Promise<readonly string[]> {
    if (!areModesSet) {
      await links.make(makeLocalLink)
      await setFolderAttributes()
    }
    await roots.finish(({ path, left: remaining }) => {
      saved.push(path)
      if (remaining !== null) left.push(remaining)
    })
    return left
  }

  return {
    attempt: (channel, signal) =>
      withDisk((disk) =>
        runTransfer({
          action,
          progress,
          channel,
          signal,
          finish,
          prepare: async () => {
            if (!isCounted) await count(channel, signal)
            return files
          },
          copy: (file, context) => copyFile(file, channel, context),
          pack(small) {
            // Links may lead out of the folder.
            const areBelow = small.every(({ remote }) => remote.startsWith(remotePath(folder, '')))
            const deps = { channel, folder: areBelow ? folder : '/', progress, signal, disk, modes }
            return tryPacked(deps, () => fetchPacked(deps, small))
          },
          isOnMachine: true,
          receiver: { kind: 'here', space: () => localSpace(roots.folder) },
          changedSince: async ({ remote, stamp }) => stampOf(await channel.sftp.stat(remote)) !== stamp,
        }),
      ),
    isOnMachine: () => false,
    async discard() {
      // Files in a folder without write permission cannot be removed.
      if (areModesSet)
        for (const { path } of folders) await chmod(path, modes.partialRoot()).catch(() => undefined)
      const parts = roots.parts()
      await Promise.allSettled(parts.map((part) => rm(part, { recursive: true, force: true })))
      const remaining = await Promise.all(parts.map(async (part) => ((await statLocal(part)) ? part : [])))
      return remaining.flat()
    },
    saved: () => saved,
  }
}
