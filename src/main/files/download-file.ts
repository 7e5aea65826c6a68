import type { FileHandle } from 'node:fs/promises'
import { systemClock } from '../core/clock'
import { type CopyDeps, download } from './copy'
import { plainFs } from './original-fs'
import { type CopyModes, partialFile } from './permissions'
import { downloadPiped } from './piped'
import { type CopyContext, copyDeps, noteUnsized, restart, withFile } from './run-transfer'
import type { RemoteFile } from './sftp/client'
import type { Attributes } from './sftp/packet'
import { ifRefused } from './sftp/session'
import type { TransferChannel } from './transfer-channel'
import type { JobFile, Progress } from './transfer-job'

const { lstat, open, rm } = plainFs.promises

const defaultMode = 0o666

export const stampOf = ({ size, modifiedAt }: Attributes): string => `${size}/${modifiedAt}`

function nullIfReadOnly(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'EACCES') return null
  throw error
}

/** Returns the bytes of a copy, which a user of this computer may have cut or removed. */
const localBytes = (path: string): Promise<number> =>
  lstat(path).then(
    ({ size }) => size,
    () => 0,
  )

export function fileDownload(progress: Progress, modes: CopyModes) {
  /** Copies the rest of a file by a command. After a failure, SFTP copies the rest or reports the error. */
  async function fetchByCommand(
    file: JobFile,
    deps: CopyDeps,
    local: FileHandle,
    remote: RemoteFile,
    channel: TransferChannel,
  ): Promise<void> {
    await downloadPiped(deps, file.remote, local, channel).catch(() => deps.signal.throwIfAborted())
    // The command may have opened another file that was renamed to this path.
    const [opened, named] = await Promise.all([
      remote.attributes(),
      channel.sftp.stat(file.remote).catch(ifRefused(null, 'no-such-file')),
    ])
    if (named === null || stampOf(named) !== stampOf(opened)) restart(file, progress)
  }

  /** Opens a copy. Makes a new one if the copy to restart is read-only. */
  async function openCopy(file: JobFile): Promise<FileHandle> {
    if (file.copy.done > 0) return open(file.local, 'r+')
    const mode = file.isRoot ? partialFile : (modes.modeFor('file', file.mode)?.whileCopied ?? defaultMode)
    const opened = file.isMade ? await open(file.local, 'w', mode).catch(nullIfReadOnly) : null
    if (opened) return opened
    if (file.isMade) await rm(file.local, { force: true })
    return open(file.local, 'wx', mode)
  }

  async function setAttributes(local: FileHandle, file: JobFile, modifiedAt: number | null): Promise<void> {
    const mode = file.isRoot ? file.finalMode : modes.changeAfterCopy('file', file.mode)
    if (mode !== null) await local.chmod(mode).catch(() => modes.refuse(file.local))
    if (modifiedAt !== null)
      await local.utimes(systemClock.now(), modifiedAt).catch(() => modes.refuseTime(file.local))
  }

  async function copyOpened(
    file: JobFile,
    remote: RemoteFile,
    channel: TransferChannel,
    context: CopyContext,
  ): Promise<void> {
    const before = await remote.attributes()
    if (file.copy.done > 0) {
      const isOther = file.stamp !== stampOf(before)
      file.hasChanged ||= isOther
      if (isOther || (await localBytes(file.local)) < file.copy.done) restart(file, progress)
    }
    file.stamp = stampOf(before)
    const size = before.size ?? file.size
    await withFile(openCopy(file), async (local) => {
      file.isMade = true
      const deps = copyDeps(file, size, progress, context)
      if (await context.byCommand()) await fetchByCommand(file, deps, local, remote, channel)
      await download(deps, remote, local, channel.readBytes)
      await setAttributes(local, file, before.modifiedAt)
    })
    noteUnsized(file, size, progress)
    const after = stampOf(await remote.attributes())
    file.hasChanged ||= (!file.isUnsized && file.copy.done !== size) || after !== file.stamp
  }

  /** Copies a file. `gone`: the file was removed from the machine. */
  return async function copyFile(
    file: JobFile,
    channel: TransferChannel,
    context: CopyContext,
  ): Promise<'gone' | undefined> {
    const opening = channel.sftp.open(file.remote, 'read')
    const remote = await (file.isRoot ? opening : opening.catch(ifRefused(null, 'no-such-file')))
    if (remote === null) {
      if (file.isMade) await rm(file.local, { force: true })
      return 'gone'
    }
    try {
      await copyOpened(file, remote, channel, context)
    } finally {
      remote.close().catch(() => undefined)
    }
    return undefined
  }
}
