import { dirname } from 'node:path/posix'
import pLimit from 'p-limit'
import { systemClock } from '../core/clock'
import { posixQuoted } from '../ssh/launcher/quoting'
import { isPlain } from './checksums'
import { restart } from './run-transfer'
import type { Disk } from './disk'
import {
  filesAtOnce,
  type JobFile,
  largestPacked,
  type Progress,
  remotePath,
  wholeFolder,
} from './transfer-job'
import type { TransferChannel } from './transfer-channel'
import type { CopyModes } from './permissions'
import type { Attributes } from './sftp/packet'
import { SftpError } from './sftp/session'
import { endOfArchive, entryHeader } from './tar/header'
import { unpack } from './tar/unpack'
import { send, withPipe } from './pipe-command'

/** Files that a thread reads or writes at once, and their bytes, unless one file has more. */
const batchSize = 64
const largestBatch = 1024 * 1024
/** How many such there are in memory. */
const batchesAtOnce = 4
/** Seconds after which what has come is written, however little: the person sees that it comes. */
const longestBatch = 1
/** Bytes that are written at once: a slow line takes so many before the patience ends. */
const pieceBytes = 256 * 1024

export interface PackDeps {
  readonly line: TransferChannel
  /** The folder of the machine that all files are in, at any depth. */
  readonly folder: string
  readonly progress: Progress
  readonly signal: AbortSignal
  readonly disk: Disk
  readonly modes: CopyModes
}

const inFolder = (folder: string, path: string): string =>
  path.slice(folder.endsWith('/') ? folder.length : folder.length + 1)

/** Copies files in one archive where the machine runs tar. Whatever stops that, SFTP copies the rest, or says why. */
export async function tryPacked(
  { line, folder, signal }: PackDeps,
  copy: () => Promise<void>,
): Promise<void> {
  if (!isPlain(folder)) return
  const found = await line.exec('command -v tar', signal)
  if (found.kind !== 'finished' || found.status !== 0 || !found.stdout.trim().endsWith('tar')) return
  await copy().catch(() => signal.throwIfAborted())
}

function whole(file: JobFile, size: number, digest: string, progress: Progress): void {
  file.copy.done = size
  file.digest = digest
  progress.filesDone += 1
  progress.bytesDone += size
  progress.changed()
}

/** In their order. */
function batchesOf(files: readonly JobFile[]): JobFile[][] {
  const batches: JobFile[][] = []
  let bytes = 0
  for (const file of files) {
    const last = batches.at(-1)
    bytes += file.size
    if (last && last.length < batchSize && bytes <= largestBatch) last.push(file)
    else {
      batches.push([file])
      bytes = file.size
    }
  }
  return batches
}

/**
 * Sends files as one archive, over what they have on the machine. What is sent is in `sent` until `confirm` has seen it
 * there.
 */
export async function sendPacked(
  deps: PackDeps,
  files: readonly JobFile[],
  sent: Set<JobFile>,
): Promise<void> {
  const read = async (some: readonly JobFile[]) => {
    const batch = some.map((file) => {
      const mode = deps.modes.modeFor('file', file.mode)?.final
      const header = entryHeader(inFolder(deps.folder, file.remote), file.size, {
        mode,
        modifiedAt: file.modifiedAt ?? systemClock.now(),
      })
      return { file, header, path: file.local, size: file.size, before: header.length }
    })
    const { bytes, found } = await deps.disk.read(
      batch.map(({ path, size, before }) => ({ path, size, before })),
    )
    const archive = Buffer.from(bytes.buffer, 0, bytes.length)
    const entries = batch.flatMap(({ file, header }, index) => {
      const is = found[index]
      if (!is) return []
      header.copy(archive, is.at - header.length)
      return { file, digest: is.digest }
    })
    return { archive, entries }
  }
  // `-o`: the files belong to the user who signs in, as over SFTP.
  await withPipe(deps, `tar -xof - -C ${posixQuoted(deps.folder)}`, async (stream, ended, alive) => {
    stream.resume()
    const batches = batchesOf(files)
    const ahead: ReturnType<typeof read>[] = []
    for (;;) {
      for (const batch of batches.splice(0, batchesAtOnce - ahead.length)) {
        const reading = read(batch)
        // Nobody may wait for it.
        reading.catch(() => undefined)
        ahead.push(reading)
      }
      const next = ahead.shift()
      if (!next) break
      const { archive, entries } = await next
      for (const { file } of entries) file.isMade = true
      for (let from = 0; from < archive.length; from += pieceBytes) {
        await send(stream, archive.subarray(from, from + pieceBytes))
        alive()
      }
      for (const { file, digest } of entries) {
        sent.add(file)
        whole(file, file.size, digest, deps.progress)
      }
    }
    stream.end(endOfArchive)
    await ended
  })
}

/** Seconds by which the time of a copy may differ: FAT stores even seconds. */
const timeToleranceSeconds = 2

/**
 * Looks up on the machine which files of an archive arrived, and restarts the others. Counts a file without the time of its
 * source as one whose time was refused, since tar reports that only in words.
 */
export async function confirm(
  { line, progress, modes }: Pick<PackDeps, 'line' | 'progress' | 'modes'>,
  sent: Set<JobFile>,
): Promise<void> {
  const limit = pLimit(filesAtOnce)
  const folders = new Set([...sent].map(({ remote }) => dirname(remote)))
  const copies = new Map<string, Pick<Attributes, 'size' | 'modifiedAt'>>()
  const look = async (folder: string): Promise<void> => {
    const { entries } = await line.sftp.list(folder, wholeFolder).catch((error: unknown) => {
      if (error instanceof SftpError) return { entries: [] }
      throw error
    })
    for (const { name, size, modifiedAt } of entries)
      copies.set(remotePath(folder, name), { size, modifiedAt })
  }
  await Promise.all([...folders].map((folder) => limit(look, folder)))
  for (const file of sent) {
    const { size, modifiedAt = null } = copies.get(file.remote) ?? {}
    if (size !== file.copy.done) restart(file, progress)
    else if (file.modifiedAt !== null && modifiedAt !== null) {
      const difference = Math.abs(modifiedAt - Math.max(0, file.modifiedAt))
      if (difference > timeToleranceSeconds) modes.refuseTime(file.remote)
    }
  }
  sent.clear()
}

/**
 * Fetches files as one archive. Only what was asked for is taken, once, and written where it was to go all along: where
 * the machine sends anything else, the archive is left.
 */
export async function fetchPacked(deps: PackDeps, files: readonly JobFile[]): Promise<void> {
  const wanted = new Map<string, JobFile>(
    files
      .filter(({ remote }) => isPlain(remote))
      .map((file) => [`./${inFolder(deps.folder, file.remote)}`, file] as const),
  )
  const { clock } = deps.line
  const writing = new Set<Promise<void>>()
  let begun = clock.monotonic()
  let batch: { readonly file: JobFile; readonly data: Buffer; readonly modifiedAt: number | null }[] = []
  const bytesOf = (): number => batch.reduce((sum, { data }) => sum + data.length, 0)
  const write = async (): Promise<void> => {
    const entries = batch
    const bytes = new Uint8Array(bytesOf())
    batch = []
    let end = 0
    const places = entries.map(({ file, data, modifiedAt }) => {
      const at = end
      bytes.set(data, at)
      end += data.length
      const mode = deps.modes.modeFor('file', file.mode)
      return { path: file.local, isMade: file.isMade, at, size: data.length, mode, modifiedAt }
    })
    const written = await deps.disk.write(places, bytes)
    entries.forEach(({ file, data, modifiedAt }, index) => {
      const { isMade = file.isMade, isTimeRefused = false, digest = null } = written[index] ?? {}
      if (isTimeRefused) deps.modes.refuseTime(file.local)
      file.isMade = isMade
      if (digest === null) return
      file.stamp = `${data.length}/${modifiedAt}`
      file.hasChanged ||= data.length !== file.size
      whole(file, data.length, digest, deps.progress)
    })
  }
  const flush = (): void => {
    begun = clock.monotonic()
    const settled = write()
      .catch(() => undefined)
      .finally(() => writing.delete(settled))
    writing.add(settled)
  }
  try {
    // A list of names, as busybox has no `--null`; a name that begins with `./` is no option.
    await withPipe(deps, `tar -cf - -C ${posixQuoted(deps.folder)} -T -`, async (stream, _ended, alive) => {
      stream.end([...wanted.keys(), ''].join('\n'))
      for await (const { path, kind, modifiedAt, data } of unpack(stream, largestPacked)) {
        alive()
        const file = wanted.get(path)
        if (!file) break
        wanted.delete(path)
        if (kind !== 'file') continue
        batch.push({ file, data, modifiedAt })
        const isFull = batch.length >= batchSize || bytesOf() >= largestBatch
        if (!isFull && clock.monotonic() - begun < longestBatch) continue
        flush()
        if (writing.size >= batchesAtOnce) await Promise.race(writing)
      }
    })
  } finally {
    if (batch.length > 0) flush()
    await Promise.all(writing)
  }
}
