import { basename } from 'node:path'
import { dirname } from 'node:path/posix'
import type { ComparedFile } from '#shared/bridge/files'
import pLimit from 'p-limit'
import { isWindows } from './checksums'
import type { LocalEntry } from './disk'
import { nameKey, numbered, statLocalTarget } from './local-names'
import {
  asidePath,
  comparedFile,
  followRemote,
  nameConflicts,
  statRemote,
  type WholeCopy,
} from './name-conflicts'
import { plainFs } from './original-fs'
import type { Sftp } from './sftp/client'
import { type AskConflict, filesAtOnce, partSuffix, type Progress, remotePath } from './transfer-job'
import { localEntry } from './upload-tree'

const { realpath, stat } = plainFs.promises

/** Existing file or folder on the machine. `mode`: permission bits; null: not reported. */
interface ExistingItem {
  readonly kind: 'file' | 'folder'
  readonly mode: number | null
  /** Path of the item; for a link to a file: of that file. */
  readonly path: string
  readonly facts: ComparedFile
}
type LookUp = (path: string) => Promise<ExistingItem | null>

interface UploadRoot {
  readonly path: string
  readonly name: string
  readonly entry: LocalEntry
  readonly copy: WholeCopy
  readonly replaced: ExistingItem | null
}

interface UploadRootsDeps {
  readonly folder: string
  readonly paths: readonly string[]
  reserved(): Set<string>
  readonly progress: Progress
  readonly ask: AskConflict
}

const unknownFacts: ComparedFile = { size: null, modifiedAt: null }

function lookUpOnce(sftp: Sftp): LookUp {
  const lookups = new Map<string, Promise<ExistingItem | null>>()
  async function lookUp(path: string): Promise<ExistingItem | null> {
    const item = await statRemote(sftp, path)
    const target = item?.kind === 'link' ? await followRemote(sftp, path) : null
    if (target?.attributes.kind === 'file')
      return {
        kind: 'file',
        mode: target.attributes.mode,
        path: target.path,
        facts: comparedFile(target.attributes),
      }
    return (
      item && {
        kind: item.kind === 'folder' ? 'folder' : 'file',
        mode: item.mode,
        path,
        facts: comparedFile(item),
      }
    )
  }
  return (path) => {
    const lookup = lookups.get(path) ?? lookUp(path)
    lookups.set(path, lookup)
    return lookup
  }
}

export function uploadRoots({ folder, paths, reserved, progress, ask }: UploadRootsDeps) {
  const copies = new Map<number, WholeCopy>()
  let reservedPaths: Set<string> | undefined
  const conflicts = nameConflicts(ask, nameKey(isWindows(folder) ? 'win32' : 'linux'))
  const selected = paths.map((path, index) => ({ path, index, name: basename(path) }))

  async function reserve(
    name: string,
    kind: WholeCopy['kind'],
    replaced: ExistingItem | null,
    lookUp: LookUp,
  ): Promise<WholeCopy> {
    const used = (reservedPaths ??= reserved())
    // A copy that replaces the target of a link is made in the folder of that target.
    const place = replaced && kind === 'file' ? replaced.path : remotePath(folder, name)
    for (let count = 1; ; count += 1) {
      const free = remotePath(dirname(place), numbered(basename(place), count))
      const part = free + partSuffix
      const candidates = replaced === null ? [free, part, asidePath(part)] : [part, asidePath(part)]
      if (candidates.some((path) => used.has(path))) continue
      // Reserves before the lookup: another upload may look up the same paths.
      for (const path of candidates) used.add(path)
      const existing = await Promise.all(candidates.map(lookUp)).catch((error: unknown) => {
        for (const path of candidates) used.delete(path)
        throw error
      })
      if (existing.some((item) => item !== null)) {
        for (const path of candidates) used.delete(path)
        continue
      }
      if (count > 1 && replaced === null) progress.renamed += 1
      const final = replaced === null ? free : place
      used.add(final)
      return { part, final, kind, replaces: replaced?.kind ?? null }
    }
  }

  /** Asks the user about existing names. Looks up each path: the list of a folder may be cut. */
  async function askAboutConflicts(lookUp: LookUp, signal: AbortSignal): Promise<void> {
    const undecided = selected.filter(({ index }) => !copies.has(index))
    const limit = pLimit(filesAtOnce)
    const lookups = undecided.flatMap(({ name }) => {
      const path = remotePath(folder, name)
      const part = path + partSuffix
      return [path, part, asidePath(part)].map((candidate) => limit(lookUp, candidate))
    })
    await Promise.all(lookups)
    const open: Parameters<typeof conflicts.decide>[0][number][] = []
    for (const { path, name, index } of undecided) {
      const existing = await lookUp(remotePath(folder, name))
      if (!existing) continue
      const local = await statLocalTarget(path)
      const copied = local ? comparedFile(local) : unknownFacts
      open.push({ name, index, there: existing.kind, existing: existing.facts, copied })
    }
    await conflicts.decide(open, signal)
  }

  return {
    copies: (): readonly WholeCopy[] => [...copies.values()],
    skipped: (): number => selected.filter(({ index }) => conflicts.choiceOf(index) === 'skip').length,
    async choose(sftp: Sftp, signal: AbortSignal): Promise<readonly UploadRoot[]> {
      const lookUp = lookUpOnce(sftp)
      await askAboutConflicts(lookUp, signal)
      const roots: UploadRoot[] = []
      for (const { path, index, name } of selected) {
        const choice = conflicts.choiceOf(index)
        if (choice === 'skip') continue
        const entry = localEntry(await stat(path))
        const place = remotePath(folder, name)
        const vanished = { kind: 'file', mode: null, path: place, facts: unknownFacts } as const
        const replaced = choice === 'replace' ? ((await lookUp(place)) ?? vanished) : null
        const isFolder = entry.kind === 'folder'
        const kind = isFolder ? 'folder' : 'file'
        const copy = copies.get(index) ?? (await reserve(name, kind, replaced, lookUp))
        copies.set(index, copy)
        roots.push({ path: isFolder ? await realpath(path) : path, name, entry, copy, replaced })
      }
      return roots
    },
    release(): void {
      for (const { part, final } of copies.values())
        for (const path of [part, asidePath(part), final]) reservedPaths?.delete(path)
    },
  }
}
