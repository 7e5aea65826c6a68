import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { translate } from '#shared/messages/index'
import { type CopyContext, copyDeps, noteUnsized, restart, withFile } from './run-transfer'
import { type CopyDeps, digestSoFar, upload } from './copy'
import { filesFault } from './transfer-failure'
import type { JobFile, Progress } from './transfer-job'
import { openOnOthers, type TransferChannel } from './transfer-channel'
import { listedFile } from './local-names'
import { type CopyModes, partialFile, permissionsOf } from './permissions'
import { uploadPiped } from './piped'
import { plainFs } from './original-fs'
import type { RemoteFile, Sftp } from './sftp/client'
import { ifRefused, isAccepted, SftpError } from './sftp/session'
import { statRemote } from './name-conflicts'

const { open } = plainFs.promises

/** Copies of a file in one attempt, if the machine has more bytes than were copied. */
const maxCopies = 3
const stampOf = ({ size, mtimeMs }: Stats): string => `${size}/${mtimeMs}`

/** Returns null if the file was removed, or replaced by a link, after its folder had been listed. */
function nullIfGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && /^(ENOENT|ELOOP)$/.test(String(error.code))) return null
  throw error
}

export interface UploadFileDeps {
  readonly action: string
  readonly progress: Progress
  readonly modes: CopyModes
  readonly setsModes: boolean
}

export function fileUpload({ action, progress, modes, setsModes }: UploadFileDeps) {
  function firstMode(file: JobFile): number | null {
    if (!file.isRoot) return modes.modeFor('file', file.mode)?.whileCopied ?? null
    return file.finalMode === null ? file.mode : partialFile
  }

  /** Makes the copy, which only its owner can read until it is complete. Incomplete root folders protect their files. */
  async function makeCopy(sftp: Sftp, file: JobFile): Promise<RemoteFile> {
    // If the answer is lost, the file may exist.
    file.isMade = true
    try {
      return await sftp.open(file.remote, 'new', setsModes ? firstMode(file) : null)
    } catch (error) {
      if (error instanceof SftpError) file.isMade = false
      throw error
    }
  }

  /** Opens a copy that this job made. A copy to restart may be read-only. */
  async function openOurs(sftp: Sftp, file: JobFile): Promise<RemoteFile> {
    if (file.copy.done > 0) return sftp.open(file.remote, 'part')
    const opened = await sftp.open(file.remote, 'again').catch(ifRefused(null, 'permission-denied'))
    if (opened) return opened
    await sftp.removeFile(file.remote)
    return makeCopy(sftp, file)
  }

  /** Makes a copy private until it is complete. Its first permissions are those of a new file. */
  async function narrow(remote: RemoteFile, file: JobFile): Promise<void> {
    if (!file.isRoot || !setsModes || file.finalMode !== null) return
    const made = permissionsOf((await remote.attributes()).mode)
    if (made === null || made === partialFile) return
    // If the machine refuses, the copy already has its final permissions.
    file.finalMode = made
    if (!(await isAccepted(remote.setMode(partialFile)))) file.finalMode = null
  }

  async function setAttributes(remote: RemoteFile, file: JobFile, modifiedAt: number): Promise<void> {
    const mode = file.isRoot ? file.finalMode : modes.changeAfterCopy('file', file.mode)
    // The server answers requests in order.
    const time = isAccepted(remote.setTime(modifiedAt))
    const permissions = mode === null || !setsModes ? true : isAccepted(remote.setMode(mode))
    const [isTimeSet, isModeSet] = await Promise.all([time, permissions])
    if (!isTimeSet) modes.refuseTime(file.remote)
    if (!isModeSet) modes.refuse(file.remote)
  }

  async function copyOnce(
    file: JobFile,
    channel: TransferChannel,
    local: FileHandle,
    before: Stats,
    exists: boolean,
    context: CopyContext,
  ): Promise<number | null> {
    const remote = await (exists ? openOurs(channel.sftp, file) : makeCopy(channel.sftp, file))
    await narrow(remote, file)
    const channels: [RemoteFile, ...RemoteFile[]] = [remote]
    const closeOthers = openOnOthers(channel, file.remote, before.size - file.copy.done, channels)
    const deps = copyDeps(file, before.size, progress, context)
    try {
      if (await context.byCommand()) await sendByCommand(file, deps, local, channel)
      await upload(deps, local, channels, channel.writeBytes)
      noteUnsized(file, before.size, progress)
      const isCut = !file.isUnsized && file.copy.done !== before.size
      file.hasChanged ||= isCut || stampOf(await local.stat()) !== file.stamp
      const { size } = (await Promise.all([remote.attributes(), closeOthers()]))[0]
      if (size === null || size === file.copy.done) await setAttributes(remote, file, before.mtimeMs / 1000)
      return size
    } finally {
      remote.close().catch(() => undefined)
      await closeOthers()
    }
  }

  /** Copies a file by a command. After a failure, SFTP copies the rest or reports the error. */
  async function sendByCommand(
    file: JobFile,
    deps: CopyDeps,
    local: FileHandle,
    channel: TransferChannel,
  ): Promise<void> {
    if (file.copy.done > 0) return
    try {
      file.remoteDigest = await uploadPiped(deps, local, file.remote, channel)
    } catch {
      deps.signal.throwIfAborted()
    }
    const existing = await statRemote(channel.sftp, file.remote)
    const isOther = file.remoteDigest !== null && file.remoteDigest !== digestSoFar(file.copy)
    if (isOther || (existing?.size ?? 0) < file.copy.done) restart(file, progress)
  }

  /** Copies a file. `gone`: the file was removed from this computer. */
  return async function copyFile(
    file: JobFile,
    channel: TransferChannel,
    context: CopyContext,
  ): Promise<'gone' | undefined> {
    const opening = open(file.local, file.isRoot ? 'r' : listedFile)
    const opened = await (file.isRoot ? opening : opening.catch(nullIfGone))
    if (opened === null) {
      if (file.isMade) await channel.sftp.removeFile(file.remote)
      return 'gone'
    }
    await withFile(opened, async (local) => {
      const before = await local.stat()
      const existing = file.isMade ? await statRemote(channel.sftp, file.remote) : null
      const isOther = file.stamp !== '' && file.stamp !== stampOf(before)
      file.hasChanged ||= isOther
      if (isOther || (existing?.size ?? 0) < file.copy.done) restart(file, progress)
      file.stamp = stampOf(before)
      for (let copies = 1; ; copies += 1) {
        const exists = existing !== null || copies > 1
        const size = await copyOnce(file, channel, local, before, exists, context)
        if (size === null || size === file.copy.done) return
        // Bytes sent over a lost connection may have been written after the end of a shorter copy.
        if (existing === null || size < file.copy.done || copies === maxCopies)
          throw filesFault(action, translate('files.problem.size'))
        restart(file, progress)
      }
    })
    return undefined
  }
}
