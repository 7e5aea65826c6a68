import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { filesFault } from './failure'
import { deepest, filesAtOnce, mostItems, remotePath, wholeFolder } from './job'
import type { Sftp } from './sftp/client'

/** Deletes a path of a machine with all that is in it; of a link the link alone. */
export async function deleteTree(sftp: Sftp, path: string): Promise<void> {
  const limit = pLimit(filesAtOnce)
  let items = 0
  async function remove(folder: string, depth: number): Promise<void> {
    const { entries } = await sftp.list(folder, wholeFolder)
    items += entries.length
    if (items > mostItems || depth > deepest)
      throw filesFault(translate('files.action.delete'), translate('files.problem.too-many'))
    const isPlain = (name: string): boolean => name !== '' && !name.includes('/')
    const named = entries.filter(({ name, isUnreadable }) => !isUnreadable && isPlain(name))
    for (const { name, kind } of named)
      if (kind === 'folder') await remove(remotePath(folder, name), depth + 1)
    const files = named.filter(({ kind }) => kind !== 'folder')
    await Promise.all(files.map(({ name }) => limit(() => sftp.removeFile(remotePath(folder, name)))))
    await sftp.removeFolder(folder)
  }
  const { kind } = await sftp.lstat(path)
  if (kind === 'folder') await remove(path, 0)
  else await sftp.removeFile(path)
}
