import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { runTransfer } from './run-transfer'
import { type Disk, withDisk } from './disk'
import { type Asks, filesAtOnce, type Job, type JobFile, type Progress } from './transfer-job'
import type { TransferChannel } from './transfer-channel'
import { remoteSpace } from './free-space'
import { makeRemoteLinks } from './remote-links'
import { outerLinks } from './links'
import { type JobFolder, madeFolders, throwRejected } from './created-folders'
import { copyModes, permissionsOf } from './permissions'
import { isWindows } from './checksums'
import { confirm, sendPacked, tryPacked } from './packed'
import { plainFs } from './original-fs'
import { finishRemote, putBack, statRemote } from './name-conflicts'
import type { Sftp } from './sftp/client'
import { fileUpload } from './upload-file'
import { uploadRoots } from './upload-roots'
import { uploadTree } from './upload-tree'

const { readlink } = plainFs.promises

export interface UploadDeps {
  readonly folder: string
  readonly paths: readonly string[]
  /**
   * Returns the paths that uploads to the machine will create. This upload adds its own until it has ended. First called at an
   * attempt: the machine of a restored transfer may not be listed before.
   */
  reserved(): Set<string>
  readonly platform: NodeJS.Platform
  readonly progress: Progress
  readonly ask: Asks
}

/** Copies files and folders to a folder of a machine. Replaces only files and folders that the user chose. */
export function uploadJob({ folder, paths, reserved, platform, progress, ask }: UploadDeps): Job {
  const action = translate('files.action.upload')
  const setsModes = !isWindows(folder)
  const roots = uploadRoots({ folder, paths, reserved, progress, ask: ask.conflict })
  const modes = copyModes(progress)
  const links = outerLinks({
    ask: ask.links,
    progress,
    unreadable: translate('files.problem.linkUnreadable'),
  })
  const made = madeFolders(modes, setsModes)
  const copyFile = fileUpload({ action, progress, modes, setsModes })
  /** Aside paths of replaced files and folders. */
  const moved = new Set<string>()
  const left: string[] = []
  /** Files in an archive, until they are confirmed on the machine. */
  const sent = new Set<JobFile>()
  let files: readonly JobFile[] = []
  let folders: readonly JobFolder[] = []
  let isCounted = false

  async function count({ sftp }: TransferChannel, disk: Disk, signal: AbortSignal): Promise<void> {
    progress.skipped = 0
    links.reset()
    const tree = uploadTree({ action, platform, progress, links, disk, signal })
    for (const { path, name, entry, copy, replaced } of await roots.choose(sftp, signal)) {
      await tree.add({ local: path, remote: copy.part, name }, entry)
      const file = tree.files.at(-1)
      if (file?.remote === copy.part && replaced?.kind === 'file')
        file.finalMode = permissionsOf(replaced.mode)
    }
    await links.decide(signal, ({ from }) => readlink(from).catch(() => null))
    progress.kept = roots.skipped()
    progress.bytesTotal = tree.files.reduce((sum, { size }) => sum + size, 0)
    files = tree.files
    folders = tree.folders
    isCounted = true
  }

  async function finish({ sftp }: TransferChannel): Promise<readonly string[]> {
    await makeRemoteLinks(sftp, folders, links)
    await made.setAttributes(sftp, folders)
    const limit = pLimit(filesAtOnce)
    // Waits for every rename, because the channel closes afterwards.
    const ended = await Promise.allSettled(
      roots.copies().map((copy) => limit(finishRemote, sftp, copy, moved)),
    )
    for (const result of ended)
      if (result.status === 'fulfilled' && result.value !== null) left.push(result.value)
    throwRejected(ended)
    roots.release()
    return left
  }

  const hasBegun = (): boolean => made.hasRequested() || files.some(({ isMade }) => isMade)

  async function removeCopies(sftp: Sftp): Promise<readonly string[]> {
    const limit = pLimit(filesAtOnce)
    await made.unsetModes(sftp, folders)
    const written = files.filter(({ isMade }) => isMade).map(({ remote }) => remote)
    const removed = [...written, ...links.made()].map((path) => limit(() => sftp.removeFile(path)))
    await Promise.allSettled(removed)
    for (const { path } of folders.toReversed())
      if (made.isRequested(path)) await sftp.removeFolder(path).catch(() => undefined)
    const copies = roots.copies()
    await Promise.allSettled(copies.map((copy) => putBack(sftp, copy, moved)))
    const remaining = copies.map(async ({ part }) =>
      (await statRemote(sftp, part).catch(() => null)) ? part : [],
    )
    return (await Promise.all(remaining)).flat()
  }

  return {
    attempt: (channel, signal) =>
      withDisk((disk) => {
        const confirmSent = (): Promise<void> => confirm({ channel, progress, modes }, sent)
        return runTransfer({
          action,
          progress,
          channel,
          signal,
          prepare: async () => {
            if (!isCounted) await count(channel, disk, signal)
            await made.make(channel.sftp, folders)
            if (sent.size > 0) await confirmSent()
            return files
          },
          async pack(small) {
            const deps = { channel, folder, progress, signal, disk, modes }
            await tryPacked(deps, () => sendPacked(deps, small, sent))
          },
          confirm: confirmSent,
          receiver: { kind: 'machine', space: () => remoteSpace(channel, folder) },
          copy: (file, context) => copyFile(file, channel, context),
          finish: () => finish(channel),
        })
      }, signal),
    isOnMachine: () => moved.size > 0 || hasBegun(),
    async discard(sftp) {
      const parts = hasBegun() ? roots.copies().map(({ part }) => part) : []
      const remaining = sftp ? await removeCopies(sftp) : parts
      roots.release()
      return remaining
    },
  }
}
