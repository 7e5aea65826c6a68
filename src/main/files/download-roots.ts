import { basename, dirname, join } from 'node:path'
import {
  linkedFile,
  localName,
  makeEmpty,
  nameKey,
  numbered,
  statLocal,
  statLocalTarget,
} from './local-names'
import { comparedFile, finishLocal, nameConflicts, type WholeCopy } from './name-conflicts'
import { plainFs } from './original-fs'
import { type CopyModes, partialFile, permissionsOf } from './permissions'
import type { Attributes } from './sftp/packet'
import { type AskConflict, partSuffix, type Progress } from './transfer-job'

const { chmod, lstat } = plainFs.promises

/** Folder for all copies, or the path that the user chose for a single file. */
export interface DownloadTarget {
  readonly kind: 'folder' | 'file'
  readonly path: string
}

interface ReplacedItem {
  readonly kind: 'file' | 'folder'
  readonly mode: number
}

interface SelectedItem {
  readonly name: string
  readonly attributes: Attributes
}

interface DownloadRootsDeps {
  readonly target: DownloadTarget
  readonly platform: NodeJS.Platform
  readonly progress: Progress
  readonly modes: CopyModes
  readonly ask: AskConflict
  sourceMode(attributes: Attributes): number | null
}

const isCopied = ({ kind }: Attributes): boolean => kind === 'file' || kind === 'folder'

/** Makes the copies of a download's selected files and folders at free paths. */
export function downloadRoots(deps: DownloadRootsDeps) {
  const { target, platform, progress, modes, ask, sourceMode } = deps
  const isPicked = target.kind === 'file'
  const folder = isPicked ? dirname(target.path) : target.path
  const setsModes = platform !== 'win32'
  /** Incomplete copies that this job made, by index in the selection. */
  const copies = new Map<number, WholeCopy>()
  const conflicts = nameConflicts(ask, nameKey(platform))
  const finalModes = new Map<string, number>()
  let renamed = 0

  /** Makes a copy private until it is complete. Its first permissions show the umask. */
  async function narrow(part: string, kind: WholeCopy['kind'], mode: number | null): Promise<void> {
    if (!setsModes) return
    const made = (await lstat(part)).mode & 0o7777
    if (kind === 'file') {
      finalModes.set(part, permissionsOf(made) ?? made)
      return chmod(part, partialFile)
    }
    modes.learn(made)
    finalModes.set(part, modes.modeFor('folder', mode)?.final ?? made)
    await chmod(part, modes.partialRoot())
  }

  /** Makes the copy at the first free path, atomically. */
  async function make({ name, attributes }: SelectedItem, replaced: ReplacedItem | null): Promise<WholeCopy> {
    const kind = attributes.kind === 'folder' ? 'folder' : 'file'
    const mode = sourceMode(attributes)
    const local = isPicked ? target.path : join(folder, localName(name, platform))
    // A copy that replaces the target of a link is made in the folder of that target.
    const replacesFile = kind === 'file' && (isPicked || replaced?.kind === 'file')
    const place = (replacesFile ? await linkedFile(local) : null) ?? local
    const wanted = basename(place)
    const mayExist = isPicked || replaced !== null
    for (let count = 1; ; count += 1) {
      const free = numbered(wanted, count)
      const final = join(dirname(place), mayExist ? wanted : free)
      const part = join(dirname(place), isPicked ? numbered(wanted + partSuffix, count) : free + partSuffix)
      if (!mayExist && (await statLocal(final))) continue
      if (!(await makeEmpty(part, kind, kind === 'folder' ? null : mode))) continue
      await narrow(part, kind, mode)
      const existing = mayExist ? await statLocal(final) : null
      if (setsModes && kind === 'file' && existing?.kind === 'file')
        finalModes.set(part, existing.mode & 0o777)
      if (!isPicked && place === local && basename(final) !== name) {
        renamed += 1
        progress.renamed += 1
      }
      // The system's dialog has already asked about replacing the chosen file.
      return { part, final, kind, replaces: isPicked ? 'file' : (replaced?.kind ?? null) }
    }
  }

  async function decide(
    selected: readonly SelectedItem[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, ReplacedItem>> {
    const existing = new Map<number, ReplacedItem>()
    if (isPicked) return existing
    const open: Parameters<typeof conflicts.decide>[0][number][] = []
    for (const [index, { name, attributes }] of selected.entries()) {
      const local = localName(name, platform)
      const isOpen = isCopied(attributes) && !copies.has(index)
      const path = join(folder, local)
      const item = isOpen ? await statLocal(path) : null
      if (item === null) continue
      existing.set(index, item)
      const target = (await statLocalTarget(path)) ?? item
      open.push({
        index,
        name: local,
        there: item.kind,
        existing: comparedFile(target),
        copied: comparedFile(attributes),
      })
    }
    await conflicts.decide(open, signal)
    return new Map([...existing].filter(([index]) => conflicts.choiceOf(index) === 'replace'))
  }

  return {
    folder,
    parts: (): readonly string[] => [...copies.values()].map(({ part }) => part),
    renamed: () => renamed,
    finalMode: (part: string): number | null => finalModes.get(part) ?? null,
    async make(selected: readonly SelectedItem[], signal: AbortSignal) {
      const replaced = await decide(selected, signal)
      const roots: (SelectedItem & { readonly part: string })[] = []
      for (const [index, item] of selected.entries()) {
        if (conflicts.choiceOf(index) === 'skip') continue
        if (isCopied(item.attributes)) {
          const copy = copies.get(index) ?? (await make(item, replaced.get(index) ?? null))
          copies.set(index, copy)
          roots.push({ name: item.name, attributes: item.attributes, part: copy.part })
        } else progress.skipped += 1
      }
      progress.kept = selected.filter((_, index) => conflicts.choiceOf(index) === 'skip').length
      return roots
    },
    async finish(finished: (result: Awaited<ReturnType<typeof finishLocal>>) => void): Promise<void> {
      for (const [index, copy] of copies) {
        const result = await finishLocal(copy)
        // Another program may use the path of a finished copy.
        copies.delete(index)
        finished(result)
      }
    },
  }
}
