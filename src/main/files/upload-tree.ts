import type { Stats } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { translate } from '#shared/messages/index'
import type { JobFolder } from './created-folders'
import type { Disk, LocalEntry } from './disk'
import { backText, isFollowed, type outerLinks } from './links'
import { plainFs } from './original-fs'
import { permissionsOf } from './permissions'
import { filesFault } from './transfer-failure'
import { type JobFile, jobFile, maxDepth, maxItems, type Progress, remotePath } from './transfer-job'

const { lstat, realpath } = plainFs.promises

export const localEntry = (stats: Stats): LocalEntry => ({
  kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other',
  size: stats.size,
  mode: stats.mode & 0o7777,
  modifiedAt: Math.floor(stats.mtimeMs / 1000),
})

async function followLocal(link: string) {
  try {
    const path = await realpath(link)
    return { path, entry: localEntry(await lstat(path)) }
  } catch {
    return null
  }
}

interface UploadTreeDeps {
  readonly action: string
  /** Platform of this computer. Permissions on Windows are not copied. */
  readonly platform: NodeJS.Platform
  readonly progress: Progress
  readonly links: Pick<ReturnType<typeof outerLinks>, 'add'>
  readonly disk: Disk
  readonly signal: AbortSignal
}

interface TreeItem {
  readonly local: string
  readonly remote: string
  readonly name: string
}

/** Lists the files and folders of an upload. Follows a link in a selected folder if it leads to another item in that folder. */
export function uploadTree({ action, platform, progress, links, disk, signal }: UploadTreeDeps) {
  const files: JobFile[] = []
  const folders: JobFolder[] = []
  let items = 0

  async function addLink(item: TreeItem, parents: readonly string[]): Promise<void> {
    const { local, remote, name } = item
    const target = await followLocal(local)
    if (target !== null && isFollowed(target.path, parents, sep))
      return add({ local: target.path, remote, name }, target.entry, parents)
    const root = folders.findLast(({ isRoot }) => isRoot)?.path ?? ''
    const back = backText(target?.path, parents[0] ?? '', { root, link: remote }, { sep }, posix)
    links.add({ from: local, to: remote, name, back })
  }

  async function addFolder(
    { local, remote, name }: TreeItem,
    { mode, modifiedAt }: Pick<JobFolder, 'mode' | 'modifiedAt'>,
    parents: readonly string[],
  ): Promise<void> {
    folders.push({ path: remote, mode, modifiedAt, isRoot: parents.length === 0 })
    const names = await disk.list(local, maxItems)
    if (!names) throw filesFault(action, translate('files.problem.too-many'))
    const entries = await disk.look(names.map((entryName) => join(local, entryName)))
    for (const [index, entryName] of names.entries()) {
      const entry = entries[index]
      if (!entry) continue
      const item = {
        local: join(local, entryName),
        remote: remotePath(remote, entryName),
        name: `${name}/${entryName}`,
      }
      await add(item, entry, [...parents, local])
    }
    progress.filesTotal = files.length
    progress.changed()
  }

  /** Adds an item, and all items in a folder. `parents`: local folders from the selected one down to the item. */
  async function add(item: TreeItem, entry: LocalEntry, parents: readonly string[] = []): Promise<void> {
    const { kind, size, modifiedAt } = entry
    const mode = platform === 'win32' ? null : permissionsOf(entry.mode)
    signal.throwIfAborted()
    items += 1
    if (items > maxItems || parents.length > maxDepth)
      throw filesFault(action, translate('files.problem.too-many'))
    if (kind === 'file')
      files.push(jobFile(item.remote, item.local, size, parents.length === 0, { mode, modifiedAt }))
    else if (kind === 'link') await addLink(item, parents)
    else if (kind === 'folder') await addFolder(item, { mode, modifiedAt }, parents)
    else progress.skipped += 1
  }

  return { files, folders, add }
}
