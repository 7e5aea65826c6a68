import { createHash } from 'node:crypto'
import { close, open, read, write } from 'node:fs'
import { dirname } from 'node:path/posix'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { posixQuoted } from '../ssh/launcher/quoting'
import { isPlain } from './checksums'
import { restart } from './attempt'
import { filesAtOnce, type JobFile, largestPacked, type Progress, remotePath, wholeFolder } from './job'
import type { Line } from './line'
import { listedFile } from './local-names'
import { SftpError } from './sftp/session'
import { endOfArchive, fileEntry } from './tar/header'
import { unpack } from './tar/unpack'
import { send, withPipe } from './with-pipe'

/** Files that are read, and sent, at once. */
const batchSize = 64
/** Bytes that are written at once: a slow line takes so many before the patience ends. */
const pieceBytes = 256 * 1024

export interface PackDeps {
  readonly line: Line
  /** The folder of the machine that all files are in, at any depth. */
  readonly folder: string
  readonly progress: Progress
  readonly signal: AbortSignal
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

function whole(file: JobFile, data: Buffer, progress: Progress): void {
  file.copy.done = data.length
  file.digest = createHash('sha256').update(data).digest('hex')
  progress.filesDone += 1
  progress.bytesDone += data.length
  progress.changed()
}

/** By descriptors: a FileHandle costs as much again as all that is done with a small file. */
const openFile = promisify(open)
const readFile = promisify(read)
const writeFile = promisify(write)
const closeFile = promisify(close)

async function withDescriptor<Value>(
  path: string,
  flags: 'w' | 'wx' | number,
  use: (descriptor: number) => Promise<Value>,
): Promise<Value> {
  const descriptor = await openFile(path, flags)
  try {
    return await use(descriptor)
  } finally {
    await closeFile(descriptor)
  }
}

/** A file as it is now; null where it has not the size that was counted. */
const contentOf = ({ local, size }: JobFile): Promise<Buffer | null> =>
  withDescriptor(local, listedFile, async (file) => {
    const bytes = Buffer.allocUnsafe(size + 1)
    const { bytesRead } = await readFile(file, bytes, 0, size + 1, 0)
    return bytesRead === size ? bytes.subarray(0, size) : null
  }).catch(() => null)

/**
 * Sends files as one archive, over what they have on the machine. What is sent is in `sent` until `confirm` has seen it
 * there.
 */
export async function sendPacked(
  deps: PackDeps,
  files: readonly JobFile[],
  sent: Set<JobFile>,
): Promise<void> {
  const read = (from: number): Promise<(readonly [JobFile, Buffer | null])[]> =>
    Promise.all(
      files.slice(from, from + batchSize).map(async (file) => [file, await contentOf(file)] as const),
    )
  // `-o`, `-m`: the files are the person's who signs in, and of now, as over SFTP.
  await withPipe(deps, `tar -xmof - -C ${posixQuoted(deps.folder)}`, async (stream, ended, alive) => {
    stream.resume()
    let batch = read(0)
    for (let at = 0; at < files.length; at += batchSize) {
      const now = (await batch).flatMap(([file, data]) => (data ? [{ file, data }] : []))
      batch = read(at + batchSize)
      for (const { file } of now) file.isMade = true
      const entries = now.map(({ file, data }) => fileEntry(inFolder(deps.folder, file.remote), data))
      const bytes = Buffer.concat(entries)
      for (let from = 0; from < bytes.length; from += pieceBytes) {
        await send(stream, bytes.subarray(from, from + pieceBytes))
        alive()
      }
      for (const { file, data } of now) {
        sent.add(file)
        whole(file, data, deps.progress)
      }
    }
    stream.end(endOfArchive)
    await ended
  })
}

/** Looks which of the files that were sent stand on the machine; the others are begun anew. */
export async function confirm({ line, progress }: PackDeps, sent: Set<JobFile>): Promise<void> {
  const limit = pLimit(filesAtOnce)
  const folders = new Set([...sent].map(({ remote }) => dirname(remote)))
  const sizes = new Map<string, number | null>()
  const look = async (folder: string): Promise<void> => {
    const { entries } = await line.sftp.list(folder, wholeFolder).catch((error: unknown) => {
      if (error instanceof SftpError) return { entries: [] }
      throw error
    })
    for (const { name, size } of entries) sizes.set(remotePath(folder, name), size)
  }
  await Promise.all([...folders].map((folder) => limit(look, folder)))
  for (const file of sent) if (sizes.get(file.remote) !== file.copy.done) restart(file, progress)
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
  const writing = new Set<Promise<void>>()
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
        const written = withDescriptor(file.local, file.isMade ? 'w' : 'wx', async (copy) => {
          file.isMade = true
          for (let at = 0; at < data.length;)
            at += (await writeFile(copy, data, at, data.length - at, at)).bytesWritten
          file.stamp = `${data.length}/${modifiedAt}`
          file.hasChanged ||= data.length !== file.size
          whole(file, data, deps.progress)
        })
        const settled = written.catch(() => undefined).finally(() => writing.delete(settled))
        writing.add(settled)
        if (writing.size >= filesAtOnce) await Promise.race(writing)
      }
    })
  } finally {
    await Promise.all(writing)
  }
}
