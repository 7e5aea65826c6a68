import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { translate } from '#shared/messages/index'
import { copyDeps, type Ending, noteUnsized, restart, withFile } from './run-transfer'
import { type CopyDeps, digestSoFar, upload } from './copy'
import { filesFault } from './transfer-failure'
import type { JobFile, Progress } from './transfer-job'
import { type TransferChannel, openElsewhere } from './transfer-channel'
import { listedFile } from './local-names'
import { type CopyModes, partialFile, permissionsOf } from './permissions'
import { uploadPiped } from './piped'
import { plainFs } from './original-fs'
import type { RemoteFile, Sftp } from './sftp/client'
import { SftpError } from './sftp/session'
import { statThere } from './name-conflicts'

const { open } = plainFs.promises

/** Copies of a file in one attempt at most, if the machine has more bytes of it than were copied. */
const mostAttempts = 3
const stampOf = ({ size, mtimeMs }: Stats): string => `${size}/${mtimeMs}`

/** Returns null if the file was removed, or replaced by a link, after its folder had been read. */
function unlessGone(error: unknown): null {
  if (error instanceof Error && 'code' in error && /^(ENOENT|ELOOP)$/.test(String(error.code))) return null
  throw error
}

function unlessRefused(error: unknown): false {
  if (error instanceof SftpError) return false
  throw error
}

export interface UploadFileDeps {
  readonly action: string
  readonly progress: Progress
  readonly modes: CopyModes
  /** The machine has permissions as POSIX defines them. */
  readonly setsModes: boolean
}

/** Copies single files to a machine. */
export function fileUpload({ action, progress, modes, setsModes }: UploadFileDeps) {
  function firstMode(file: JobFile): number | null {
    if (!file.isRoot) return modes.modeFor('file', file.mode)?.whileCopied ?? null
    return file.finalMode === null ? file.mode : partialFile
  }

  /** Makes the copy. Its owner alone can read it until it is whole; folders that are not whole protect what is in them. */
  async function makeCopy(sftp: Sftp, file: JobFile): Promise<RemoteFile> {
    // If the answer is lost, the file may have been made.
    file.isMade = true
    try {
      return await sftp.open(file.remote, 'new', setsModes ? firstMode(file) : null)
    } catch (error) {
      if (error instanceof SftpError) file.isMade = false
      throw error
    }
  }

  /** Opens a copy that this job made. One that is to be written anew may be read-only. */
  async function openOurs(sftp: Sftp, file: JobFile): Promise<RemoteFile> {
    if (file.copy.done > 0) return sftp.open(file.remote, 'part')
    const opened = await sftp.open(file.remote, 'again').catch((error: unknown) => {
      if (error instanceof SftpError && error.problem === 'permission-denied') return null
      throw error
    })
    if (opened) return opened
    await sftp.removeFile(file.remote)
    return makeCopy(sftp, file)
  }

  /** Takes all permissions but the owner's from a copy until it is whole. Their first value is that of a new file. */
  async function narrow(remote: RemoteFile, file: JobFile): Promise<void> {
    if (!file.isRoot || !setsModes || file.finalMode !== null) return
    const made = permissionsOf((await remote.attributes()).mode)
    if (made === null || made === partialFile) return
    file.finalMode = made
    // It has its permissions already if the machine refuses others.
    if (!(await remote.setMode(partialFile).then(() => true, unlessRefused))) file.finalMode = null
  }

  /** Sets the permissions and the time of a whole copy. */
  async function setAttributes(remote: RemoteFile, file: JobFile, modifiedAt: number): Promise<void> {
    const setTime = async (): Promise<void> => {
      if (!(await remote.setTime(modifiedAt).then(() => true, unlessRefused))) modes.refuseTime(file.remote)
    }
    // The server answers requests in their order.
    await Promise.all([setTime(), widen(remote, file)])
  }
  async function widen(remote: RemoteFile, file: JobFile): Promise<void> {
    const inFolder = modes.modeFor('file', file.mode)
    const needsMode = inFolder !== null && inFolder.final !== inFolder.whileCopied
    const mode = file.isRoot ? file.finalMode : needsMode ? inFolder.final : null
    if (mode === null || !setsModes) return
    if (!(await remote.setMode(mode).then(() => true, unlessRefused))) modes.refuse(file.remote)
  }

  async function openCopy(sftp: Sftp, file: JobFile, isOurs: boolean): Promise<RemoteFile> {
    const remote = await (isOurs ? openOurs(sftp, file) : makeCopy(sftp, file))
    await narrow(remote, file)
    return remote
  }

  /** Copies the rest of a file. Returns the size of the copy as the machine reports it. */
  async function copyOnce(
    file: JobFile,
    line: TransferChannel,
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

  /** Copies by a command. If that fails, SFTP copies the rest, or reports why not. */
  async function sendByCommand(
    file: JobFile,
    deps: CopyDeps,
    local: FileHandle,
    line: TransferChannel,
  ): Promise<void> {
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

  /** Copies a file. `gone`: it was removed here meanwhile. */
  return async function copyFile(
    file: JobFile,
    line: TransferChannel,
    ending: Ending,
  ): Promise<'gone' | undefined> {
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
        // Bytes that were under way on a lost line may have been written behind the end of a shorter copy.
        if (there === null || size < file.copy.done || attempts === mostAttempts)
          throw filesFault(action, translate('files.problem.size'))
        restart(file, progress)
      }
    })
    return undefined
  }
}
