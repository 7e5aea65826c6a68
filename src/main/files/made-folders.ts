import { dirname } from 'node:path/posix'
import pLimit from 'p-limit'
import { filesAtOnce } from './job'
import type { Sftp } from './sftp/client'
import { SftpError } from './sftp/session'
import { statThere } from './taken'

/** The folders that an upload makes on a machine. */
export function madeFolders() {
  /** Those that were asked for and not refused, and those that are there. */
  const asked = new Set<string>()
  const made = new Set<string>()
  const makeOne = async (sftp: Sftp, path: string): Promise<void> => {
    if (made.has(path)) return
    // A line that was lost before the answer leaves a folder of ours.
    const isOurs = asked.has(path) && (await statThere(sftp, path)) !== null
    asked.add(path)
    if (!isOurs)
      await sftp.makeFolder(path).catch((error: unknown) => {
        if (error instanceof SftpError) asked.delete(path)
        throw error
      })
    made.add(path)
  }
  return {
    /** Whether one is there, or may be, as the answer was lost. */
    isAsked: (path: string): boolean => asked.has(path),
    hasAsked: (): boolean => asked.size > 0,
    /** Makes those that are missing; each comes after the one that it is in. Fails as Sftp.makeFolder does. */
    async make(sftp: Sftp, folders: readonly string[]): Promise<void> {
      const limit = pLimit(filesAtOnce)
      const making = new Map<string, Promise<void>>()
      for (const path of folders)
        making.set(
          path,
          (making.get(dirname(path)) ?? Promise.resolve()).then(() => limit(makeOne, sftp, path)),
        )
      const ended = await Promise.allSettled(making.values())
      for (const one of ended) if (one.status === 'rejected') throw one.reason
    },
  }
}
