import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { filesFault } from './transfer-failure'
import { maxDepth, filesAtOnce, maxPathLength, maxItems, remotePath, wholeFolder } from './transfer-job'
import type { RemoteEntry, Sftp } from './sftp/client'
import { ifRefused } from './sftp/session'

/**
 * Deletes paths of a machine with all files in folders; does not follow links. Lists everything first. If a folder has too many
 * or unreadable entries, deletes nothing and fails with local-fault.
 */
export async function deleteTrees(sftp: Sftp, paths: readonly string[]): Promise<void> {
  const files: string[] = []
  const folders: string[] = []
  const check = (isPossible: boolean): void => {
    if (!isPossible) throw filesFault(translate('files.action.delete'), translate('files.problem.not-all'))
  }
  async function find(path: string, kind: RemoteEntry['kind'], depth: number): Promise<void> {
    const items = files.length + folders.length
    check(items < maxItems && depth <= maxDepth && path.length <= maxPathLength)
    if (kind !== 'folder') return void files.push(path)
    folders.push(path)
    const { entries, isCut } = await sftp.list(path, wholeFolder)
    check(!isCut)
    for (const entry of entries) {
      check(!entry.isUnreadable && entry.name !== '' && !entry.name.includes('/'))
      await find(remotePath(path, entry.name), entry.kind, depth + 1)
    }
  }
  for (const path of paths) await find(path, (await sftp.lstat(path)).kind, 0)
  const limit = pLimit(filesAtOnce)
  const selected = new Set(paths)
  const removed = files.map((path) =>
    limit(async () => {
      const removing = sftp.removeFile(path)
      // A file in a folder may have been removed since.
      await (selected.has(path) ? removing : removing.catch(ifRefused(undefined, 'no-such-file')))
    }),
  )
  await Promise.all(removed)
  for (const folder of folders.toReversed()) await sftp.removeFolder(folder)
}
