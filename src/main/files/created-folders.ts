import { dirname } from 'node:path/posix'
import pLimit from 'p-limit'
import { filesAtOnce } from './transfer-job'
import { type CopyModes, permissionsOf } from './permissions'
import type { Sftp } from './sftp/client'
import { SftpError } from './sftp/session'
import { statThere } from './name-conflicts'

/** A folder of a copy. */
export interface JobFolder {
  readonly path: string
  /** Permissions of the source; null: not known, or not to be copied. */
  readonly mode: number | null
  /** When the source was last changed (epoch seconds); null: not known. */
  readonly modifiedAt: number | null
  /** It was selected itself. */
  readonly isRoot: boolean
}

/** Makes the folders of an upload on a machine. `setsModes`: it has permissions as POSIX defines them. */
export function madeFolders(modes: CopyModes, setsModes: boolean) {
  /** Folders that were requested and not refused, and folders that exist. */
  const requested = new Set<string>()
  const made = new Set<string>()
  /** Permissions that root folders get once they are whole. */
  const rootModes = new Map<string, number>()
  let areModesSet = false

  /** Makes a root folder private until it is whole. Its first permissions show the umask of the server. */
  async function narrow(sftp: Sftp, { path, mode }: JobFolder): Promise<void> {
    if (rootModes.has(path)) return
    const is = (await statThere(sftp, path))?.mode ?? null
    if (is === null) return
    modes.learn(is)
    rootModes.set(path, modes.modeFor('folder', mode)?.final ?? is)
    await sftp.setMode(path, modes.partialRoot()).catch((error: unknown) => {
      if (!(error instanceof SftpError)) throw error
    })
  }
  async function makeOne(sftp: Sftp, folder: JobFolder): Promise<void> {
    const { path, isRoot } = folder
    if (made.has(path)) return
    // A folder whose answer was lost with the line is ours.
    const isOurs = requested.has(path) && (await statThere(sftp, path)) !== null
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
  const finalModeOf = ({ path, mode }: JobFolder): number | null => {
    const known = rootModes.get(path)
    if (known !== undefined) return known
    const wanted = modes.modeFor('folder', mode)
    return wanted === null || wanted.final === wanted.whileCopied ? null : wanted.final
  }
  return {
    /** Whether a folder exists, or may exist because the answer was lost. */
    isRequested: (path: string): boolean => requested.has(path),
    hasRequested: (): boolean => requested.size > 0,
    /** Makes the missing folders; each comes after its parent. Fails as Sftp.makeFolder does. */
    async make(sftp: Sftp, folders: readonly JobFolder[]): Promise<void> {
      const limit = pLimit(filesAtOnce)
      const making = new Map<string, Promise<void>>()
      for (const folder of folders)
        making.set(
          folder.path,
          (making.get(dirname(folder.path)) ?? Promise.resolve()).then(() => limit(makeOne, sftp, folder)),
        )
      const ended = await Promise.allSettled(making.values())
      for (const one of ended) if (one.status === 'rejected') throw one.reason
    },
    /**
     * Sets the permissions and times of whole folders, the deepest first: a folder without write permission takes no more
     * files, and a new file changes the time of its folder.
     */
    async setAttributes(sftp: Sftp, folders: readonly JobFolder[]): Promise<void> {
      if (areModesSet) return
      const unless = (refuse: (path: string) => void, path: string) => (error: unknown) => {
        if (!(error instanceof SftpError)) throw error
        refuse(path)
      }
      const limit = pLimit(filesAtOnce)
      const setOne = async (folder: JobFolder): Promise<void> => {
        const { path, modifiedAt } = folder
        const mode = setsModes ? finalModeOf(folder) : null
        if (modifiedAt !== null) await sftp.setTime(path, modifiedAt).catch(unless(modes.refuseTime, path))
        if (mode !== null) await sftp.setMode(path, mode).catch(unless(modes.refuse, path))
      }
      // A folder follows those in it: once it has its permissions, they may be out of reach.
      const setting = new Map<string, Promise<void>[]>()
      for (const folder of folders.toReversed()) {
        const inside = setting.get(folder.path) ?? []
        const set = Promise.all(inside).then(() => limit(setOne, folder))
        const parent = dirname(folder.path)
        setting.set(parent, [...(setting.get(parent) ?? []), set])
      }
      const ended = await Promise.allSettled([...setting.values()].flat())
      for (const one of ended) if (one.status === 'rejected') throw one.reason
      areModesSet = true
    },
    /** Makes folders writable again so that they can be removed. */
    async unsetModes(sftp: Sftp, folders: readonly JobFolder[]): Promise<void> {
      for (const folder of areModesSet && setsModes ? folders : [])
        if (finalModeOf(folder) !== null)
          await sftp.setMode(folder.path, modes.partialRoot()).catch(() => undefined)
    },
  }
}
