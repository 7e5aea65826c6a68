import nodePath, { join } from 'node:path'
import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import type { JobFolder } from './created-folders'
import { backText, isFollowed, type outerLinks } from './links'
import { uniqueNames } from './local-names'
import { followRemote } from './name-conflicts'
import type { RemoteEntry, Sftp } from './sftp/client'
import type { Attributes } from './sftp/packet'
import { ifRefused } from './sftp/session'
import { filesFault } from './transfer-failure'
import {
  filesAtOnce,
  type JobFile,
  jobFile,
  maxDepth,
  maxItems,
  maxPathLength,
  type Progress,
  remotePath,
  wholeFolder,
} from './transfer-job'

interface DownloadTreeDeps {
  readonly action: string
  readonly platform: NodeJS.Platform
  readonly progress: Progress
  readonly links: Pick<ReturnType<typeof outerLinks>, 'add'>
  readonly sftp: Sftp
  readonly signal: AbortSignal
  sourceMode(attributes: Attributes): number | null
  finalMode(local: string): number | null
}

interface TreeItem {
  readonly remote: string
  readonly local: string
  readonly name: string
}

/** Lists the files and folders of a download. Follows a link in a selected folder if it leads to another item in that folder. */
export function downloadTree(deps: DownloadTreeDeps) {
  const { action, platform, progress, links, sftp, signal, sourceMode } = deps
  const files: JobFile[] = []
  const folders: JobFolder[] = []
  const limit = pLimit(filesAtOnce)
  let items = 0

  function checkLimit(isWithin: boolean): void {
    if (!isWithin) throw filesFault(action, translate('files.problem.too-many'))
  }

  async function linkTargets(folder: string, entries: readonly RemoteEntry[]) {
    const linkEntries = entries.filter(({ kind, isUnreadable }) => kind === 'link' && !isUnreadable)
    const targets = linkEntries.map(({ name }) =>
      limit(async () => [name, await followRemote(sftp, remotePath(folder, name))] as const),
    )
    return new Map(await Promise.all(targets))
  }

  function addOuterLink(
    { remote, local, name }: TreeItem,
    target: string | undefined,
    [chosen = '']: readonly string[],
  ): void {
    const root = folders.findLast(({ isRoot }) => isRoot)?.path ?? ''
    const back = backText(target, chosen, { root, link: local }, { sep: '/' }, nodePath)
    links.add({ from: remote, to: local, name, back })
  }

  async function addFolder(
    item: TreeItem,
    attributes: Attributes,
    parents: readonly string[],
  ): Promise<void> {
    const listing = sftp.list(item.remote, wholeFolder)
    const isRoot = parents.length === 0
    const listed = await (isRoot ? listing : listing.catch(ifRefused(null, 'no-such-file')))
    if (!listed) {
      progress.skipped += 1
      return
    }
    const { modifiedAt } = attributes
    folders.push({ path: item.local, mode: sourceMode(attributes), modifiedAt, isRoot })
    checkLimit(!listed.isCut)
    const localNameOf = uniqueNames(platform)
    const entryItem = (name: string, localName: string): TreeItem => ({
      remote: remotePath(item.remote, name),
      local: join(item.local, localName),
      name: `${item.name}/${name}`,
    })
    const path = [...parents, item.remote]
    const targets = await linkTargets(item.remote, listed.entries)
    const outer: string[] = []
    for (const entry of listed.entries) {
      const { name, kind } = entry
      const target = targets.get(name)
      const { kind: copiedKind } = target?.attributes ?? entry
      if (entry.isUnreadable || name === '' || name.includes('/')) progress.skipped += 1
      else if (kind === 'link' && !(target && isFollowed(target.path, path, '/'))) outer.push(name)
      else if (copiedKind !== 'file' && copiedKind !== 'folder') progress.skipped += 1
      else {
        const localName = localNameOf(name)
        if (localName !== name) progress.renamed += 1
        const copied = entryItem(name, localName)
        await add({ ...copied, remote: target?.path ?? copied.remote }, target?.attributes ?? entry, path)
      }
    }
    // Links get their names last: a link that the user may skip must not rename a file.
    for (const name of outer) addOuterLink(entryItem(name, localNameOf(name)), targets.get(name)?.path, path)
    progress.filesTotal = files.length
    progress.changed()
  }

  /** Adds an item, and all items in a folder. `parents`: remote folders from the selected one down to the item. */
  async function add(item: TreeItem, attributes: Attributes, parents: readonly string[] = []): Promise<void> {
    const { remote, local } = item
    signal.throwIfAborted()
    items += 1
    checkLimit(items <= maxItems && parents.length <= maxDepth && remote.length <= maxPathLength)
    if (attributes.kind === 'folder') return addFolder(item, attributes, parents)
    if (attributes.kind !== 'file') {
      progress.skipped += 1
      return
    }
    const file = jobFile(remote, local, attributes.size ?? 0, parents.length === 0, {
      mode: sourceMode(attributes),
      modifiedAt: attributes.modifiedAt,
    })
    // The copy of a root exists since its name was chosen.
    file.isMade = file.isRoot
    file.finalMode = deps.finalMode(local)
    files.push(file)
  }

  return { files, folders, add }
}
