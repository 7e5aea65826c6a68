import { dirname } from 'node:path/posix'
import pLimit from 'p-limit'
import { filesAtOnce } from './transfer-job'
import { type CopyModes, permissionsOf } from './permissions'
import type { Sftp } from './sftp/client'
import { ifRefused, isAccepted, SftpError } from './sftp/session'
import { statRemote } from './name-conflicts'

export function throwRejected(ended: readonly PromiseSettledResult<unknown>[]): void {
  for (const result of ended) if (result.status === 'rejected') throw result.reason
}

export interface JobFolder {
  readonly path: string
  /** Permissions of the source; null: unknown, or not copied. */
  readonly mode: number | null
  /** Time of the source's last change (epoch seconds); null: unknown. */
  readonly modifiedAt: number | null
  readonly isRoot: boolean
}

/** Makes the folders of an upload on a machine. `setsModes`: the machine has POSIX permissions. */
export function madeFolders(modes: CopyModes, setsModes: boolean) {
  /** Folders that may exist: requested and not refused. */
  const requested = new Set<string>()
  const made = new Set<string>()
  const rootModes = new Map<string, number>()
  let areModesSet = false

  /** Makes a root folder private until it is complete. Its first permissions show the umask of the server. */
  async function narrow(sftp: Sftp, { path, mode }: JobFolder): Promise<void> {
    if (rootModes.has(path)) return
    const firstMode = (await statRemote(sftp, path))?.mode ?? null
    if (firstMode === null) return
    modes.learn(firstMode)
    rootModes.set(path, modes.modeFor('folder', mode)?.final ?? firstMode)
    await sftp.setMode(path, modes.partialRoot()).catch(ifRefused(undefined))
  }
  async function makeOne(sftp: Sftp, folder: JobFolder): Promise<void> {
    const { path, isRoot } = folder
    if (made.has(path)) return
    // The answer to an earlier request may have been lost with the connection.
    const isOurs = requested.has(path) && (await statRemote(sftp, path)) !== null
    requested.add(path)
    const partial = isRoot ? 0o777 : (modes.modeFor('folder', folder.mode)?.whileCopied ?? null)
    const mode = setsModes && folder.mode !== null ? permissionsOf(partial) : null
    if (!isOurs)
      await sftp.makeFolder(path, mode).catch((error: unknown) => {
        if (error instanceof SftpError) requested.delete(path)
        throw error
      })
    if (isRoot && setsModes) await narrow(sftp, folder)
    made.add(path)
  }
  const finalModeOf = ({ path, mode }: JobFolder): number | null =>
    rootModes.get(path) ?? modes.changeAfterCopy('folder', mode)
  return {
    /** Whether a folder exists, or may exist because the answer was lost. */
    isRequested: (path: string): boolean => requested.has(path),
    hasRequested: (): boolean => requested.size > 0,
    /** Makes the missing folders, parents first. Fails as Sftp.makeFolder does. */
    async make(sftp: Sftp, folders: readonly JobFolder[]): Promise<void> {
      const limit = pLimit(filesAtOnce)
      const making = new Map<string, Promise<void>>()
      for (const folder of folders)
        making.set(
          folder.path,
          (making.get(dirname(folder.path)) ?? Promise.resolve()).then(() => limit(makeOne, sftp, folder)),
        )
      throwRejected(await Promise.allSettled(making.values()))
    },
    /**
     * Sets the permissions and times of complete folders, the deepest first: nothing can be added to a folder without write
     * permission, and a new file changes the time of its folder.
     */
    async setAttributes(sftp: Sftp, folders: readonly JobFolder[]): Promise<void> {
      if (areModesSet) return
      const limit = pLimit(filesAtOnce)
      const setOne = async (folder: JobFolder): Promise<void> => {
        const { path, modifiedAt } = folder
        const mode = setsModes ? finalModeOf(folder) : null
        if (modifiedAt !== null && !(await isAccepted(sftp.setTime(path, modifiedAt)))) modes.refuseTime(path)
        if (mode !== null && !(await isAccepted(sftp.setMode(path, mode)))) modes.refuse(path)
      }
      // A folder comes after the folders in it, which its permissions may make unreachable.
      const setting = new Map<string, Promise<void>[]>()
      for (const folder of folders.toReversed()) {
        const inside = setting.get(folder.path) ?? []
        const set = Promise.all(inside).then(() => limit(setOne, folder))
        const parent = dirname(folder.path)
        setting.set(parent, [...(setting.get(parent) ?? []), set])
      }
      throwRejected(await Promise.allSettled([...setting.values()].flat()))
      areModesSet = true
    },
    async unsetModes(sftp: Sftp, folders: readonly JobFolder[]): Promise<void> {
      for (const folder of areModesSet && setsModes ? folders : [])
        if (finalModeOf(folder) !== null)
          await sftp.setMode(folder.path, modes.partialRoot()).catch(() => undefined)
    },
  }
}
