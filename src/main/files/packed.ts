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
  maxPackedBytes,
  type Progress,
  remotePath,
  wholeFolder,
} from './transfer-job'
import type { TransferChannel } from './transfer-channel'
import type { CopyModes } from './permissions'
import type { Attributes } from './sftp/packet'
import { ifRefused } from './sftp/session'
import { endOfArchive, entryHeader } from './tar/header'
import { unpack } from './tar/unpack'
import { send, withPipe } from './pipe-command'

/** Files and bytes that a thread reads or writes in one call. A larger file has its own call. */
const maxBatchFiles = 64
const maxBatchBytes = 1024 * 1024
const parallelBatches = 4
/** Seconds after which an incomplete batch is written, so that the user sees progress. */
const maxBatchSeconds = 1
/** Bytes of one send: a slow connection accepts so many before the timeout for silence. */
const pieceBytes = 256 * 1024

export interface PackDeps {
  readonly channel: TransferChannel
  readonly folder: string
  readonly progress: Progress
  readonly signal: AbortSignal
  readonly disk: Disk
  readonly modes: CopyModes
}

const inFolder = (folder: string, path: string): string =>
  path.slice(folder.endsWith('/') ? folder.length : folder.length + 1)

/** Copies files in one archive if the machine has tar. After a failure, SFTP copies the rest or reports the error. */
export async function tryPacked(
  { channel, folder, signal }: PackDeps,
  copy: () => Promise<void>,
): Promise<void> {
  if (!isPlain(folder)) return
  const outcome = await channel.exec('command -v tar', signal)
  if (outcome.kind !== 'finished' || outcome.status !== 0 || !outcome.stdout.trim().endsWith('tar')) return
  await copy().catch(() => signal.throwIfAborted())
}

function complete(file: JobFile, size: number, digest: string, progress: Progress): void {
  file.copy.done = size
  file.digest = digest
  progress.filesDone += 1
  progress.bytesDone += size
  progress.changed()
}

function batchesOf(files: readonly JobFile[]): JobFile[][] {
  const batches: JobFile[][] = []
  let bytes = 0
  for (const file of files) {
    const last = batches.at(-1)
    bytes += file.size
    if (last && last.length < maxBatchFiles && bytes <= maxBatchBytes) last.push(file)
    else {
      batches.push([file])
      bytes = file.size
    }
  }
  return batches
}

async function readBatch({ folder, modes, disk }: PackDeps, files: readonly JobFile[]) {
  const batch = files.map((file) => {
    const mode = modes.modeFor('file', file.mode)?.final
    const modifiedAt = file.modifiedAt ?? systemClock.now()
    const header = entryHeader(inFolder(folder, file.remote), file.size, { mode, modifiedAt })
    return { file, header }
  })
  const { bytes, contents } = await disk.read(
    batch.map(({ file, header }) => ({ path: file.local, size: file.size, before: header.length })),
  )
  const archive = Buffer.from(bytes.buffer, 0, bytes.length)
  const entries = batch.flatMap(({ file, header }, index) => {
    const content = contents[index]
    if (!content) return []
    header.copy(archive, content.at - header.length)
    return { file, digest: content.digest }
  })
  return { archive, entries }
}

/** Sends files as one archive, over existing copies. `sent` contains the files until `confirm`. */
export async function sendPacked(
  deps: PackDeps,
  files: readonly JobFile[],
  sent: Set<JobFile>,
): Promise<void> {
  // `-o`: the files belong to the signed-in user, as over SFTP.
  await withPipe(deps, `tar -xof - -C ${posixQuoted(deps.folder)}`, async (stream, ended, alive) => {
    stream.resume()
    const batches = batchesOf(files)
    const ahead: ReturnType<typeof readBatch>[] = []
    for (;;) {
      for (const batch of batches.splice(0, parallelBatches - ahead.length)) {
        const reading = readBatch(deps, batch)
        // An earlier batch may fail before it is awaited.
        reading.catch(() => undefined)
        ahead.push(reading)
      }
      const first = ahead.shift()
      if (!first) break
      const { archive, entries } = await first
      for (const { file } of entries) file.isMade = true
      for (let from = 0; from < archive.length; from += pieceBytes) {
        await send(stream, archive.subarray(from, from + pieceBytes))
        alive()
      }
      for (const { file, digest } of entries) {
        sent.add(file)
        complete(file, file.size, digest, deps.progress)
      }
    }
    stream.end(endOfArchive)
    await ended
  })
}

/** Seconds by which the time of a copy may differ: FAT stores even seconds. */
const timeToleranceSeconds = 2

/**
 * Looks up on the machine which files of an archive arrived, and restarts missing files. A file without the time of its source
 * counts as refused: tar reports that only as text.
 */
export async function confirm(
  { channel, progress, modes }: Pick<PackDeps, 'channel' | 'progress' | 'modes'>,
  sent: Set<JobFile>,
): Promise<void> {
  const limit = pLimit(filesAtOnce)
  const folders = new Set([...sent].map(({ remote }) => dirname(remote)))
  const copies = new Map<string, Pick<Attributes, 'size' | 'modifiedAt'>>()
  const look = async (folder: string): Promise<void> => {
    const { entries } = await channel.sftp.list(folder, wholeFolder).catch(ifRefused({ entries: [] }))
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
 * Fetches files as one archive. Accepts only requested files, each once, and writes them to their own paths. Stops if the
 * machine sends another file.
 */
export async function fetchPacked(deps: PackDeps, files: readonly JobFile[]): Promise<void> {
  const requested = new Map<string, JobFile>(
    files
      .filter(({ remote }) => isPlain(remote))
      .map((file) => [`./${inFolder(deps.folder, file.remote)}`, file] as const),
  )
  const { clock } = deps.channel
  const writing = new Set<Promise<void>>()
  let batchBegan = clock.monotonic()
  let batch: { readonly file: JobFile; readonly data: Buffer; readonly modifiedAt: number | null }[] = []
  const batchBytes = (): number => batch.reduce((sum, { data }) => sum + data.length, 0)
  const write = async (): Promise<void> => {
    const entries = batch
    const bytes = new Uint8Array(batchBytes())
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
      complete(file, data.length, digest, deps.progress)
    })
  }
  const flush = (): void => {
    batchBegan = clock.monotonic()
    const written = write()
      .catch(() => undefined)
      .finally(() => writing.delete(written))
    writing.add(written)
  }
  try {
    // Names are separated by line breaks: busybox has no `--null`. With `./`, no name is an option.
    await withPipe(deps, `tar -cf - -C ${posixQuoted(deps.folder)} -T -`, async (stream, _ended, alive) => {
      stream.end([...requested.keys(), ''].join('\n'))
      for await (const { path, kind, modifiedAt, data } of unpack(stream, maxPackedBytes)) {
        alive()
        const file = requested.get(path)
        if (!file) break
        requested.delete(path)
        if (kind !== 'file') continue
        batch.push({ file, data, modifiedAt })
        const isFull = batch.length >= maxBatchFiles || batchBytes() >= maxBatchBytes
        if (!isFull && clock.monotonic() - batchBegan < maxBatchSeconds) continue
        flush()
        if (writing.size >= parallelBatches) await Promise.race(writing)
      }
    })
  } finally {
    if (batch.length > 0) flush()
    await Promise.all(writing)
  }
}
