import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { filesFault } from './transfer-failure'
import { deepest, filesAtOnce, longestPath, mostItems, remotePath, wholeFolder } from './transfer-job'
import type { RemoteEntry, Sftp } from './sftp/client'
import { SftpError } from './sftp/session'

/** What vanishes while the others are deleted need not be. */
function unlessGone(error: unknown): void {
  if (!(error instanceof SftpError) || error.problem !== 'no-such-file') throw error
}

/**
 * Deletes paths of a machine with all that is in them; of a link the link alone. Finds all before it deletes any: where
 * there is more than can be listed, or named, nothing is deleted, and it fails with local-fault.
 */
export async function deleteTrees(sftp: Sftp, paths: readonly string[]): Promise<void> {
  const files: string[] = []
  /** Each after the one that it is in. */
  const folders: string[] = []
  const check = (isPossible: boolean): void => {
    if (!isPossible) throw filesFault(translate('files.action.delete'), translate('files.problem.not-all'))
  }
  async function find(path: string, kind: RemoteEntry['kind'], depth: number): Promise<void> {
    const items = files.length + folders.length
    check(items < mostItems && depth <= deepest && path.length <= longestPath)
    if (kind !== 'folder') return void files.push(path)
    folders.push(path)
    const { entries, isCut } = await sftp.list(path, wholeFolder)
    check(!isCut)
    for (const { name, kind: is, isUnreadable } of entries) {
      check(!isUnreadable && name !== '' && !name.includes('/'))
      await find(remotePath(path, name), is, depth + 1)
    }
  }
  for (const path of paths) await find(path, (await sftp.lstat(path)).kind, 0)
  const limit = pLimit(filesAtOnce)
  const isSelected = new Set(paths)
  await Promise.all(
    files.map((path) =>
      limit(() => (isSelected.has(path) ? sftp.removeFile(path) : sftp.removeFile(path).catch(unlessGone))),
    ),
  )
  for (const folder of folders.toReversed()) await sftp.removeFolder(folder)
}
