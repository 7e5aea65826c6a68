import type { FileHandle } from 'node:fs/promises'
import { posixQuoted } from '../ssh/launcher/quoting'
import { isPlain } from './checksums'
import { type CopyDeps, countCopied, writeWhole } from './copy'
import { type JobFile, largeBytes } from './transfer-job'
import type { TransferChannel } from './transfer-channel'
import { lengthOf } from './sftp/packet'
import { send, withPipe } from './pipe-command'

const pieceBytes = 512 * 1024
/**
 * Sent bytes that may not be in the file yet: twice the 2 MiB that OpenSSH's server buffers for the command. After a lost
 * connection the copy continues before them.
 */
const unconfirmedBytes = 4 * 1024 * 1024

const empty = Buffer.alloc(0)
const noPiece = { memory: empty, content: empty }

/**
 * Returns whether a command should copy the file. On a near machine the processor limits a copy, and a command needs about
 * half of the work of SFTP's requests. To a far machine one channel is too slow.
 */
export const isWorthCommand = ({ size, remote, copy }: JobFile): boolean =>
  size - copy.done >= largeBytes && isPlain(remote)

/**
 * Sends a file to an existing empty file, through a command. Returns the SHA-256 on the machine; null: not reported in time.
 * Rejects as SshConnection.pipe does, with errors of the disk, and if the command has not written everything: the machine may
 * then have less than `copy`.
 */
export async function uploadPiped(
  deps: CopyDeps,
  from: FileHandle,
  path: string,
  channel: TransferChannel,
): Promise<string | null> {
  const { size, signal } = deps
  // Commands may see other folders than SFTP: the path may not exist there, or be another file.
  const script =
    '[ -f "$1" ] && [ ! -s "$1" ] && cat > "$1" && echo written && openssl dgst -sha256 -r -- "$1"'
  let answer = ''
  await withPipe(
    { channel, signal },
    `sh -c '${script}' sh ${posixQuoted(path)}`,
    async (stream, ended, alive) => {
      const written = new Promise<void>((resolve) =>
        stream.on('data', (data: Buffer) => {
          answer = (answer + data.toString('latin1')).slice(-1_000)
          if (/^written$/m.test(answer)) resolve()
        }),
      )
      /** Reused memory for the unconfirmed pieces, the piece being sent and the piece being read. */
      const free = Array.from({ length: unconfirmedBytes / pieceBytes + 2 }, () =>
        Buffer.allocUnsafe(pieceBytes),
      )
      const unconfirmed: (typeof noPiece)[] = []
      const read = async (offset: number) => {
        const bytes = Math.min(pieceBytes, size - offset)
        const memory = bytes > 0 ? free.pop() : undefined
        if (!memory) return noPiece
        const { bytesRead } = await from.read(memory, 0, bytes, offset)
        return { memory, content: memory.subarray(0, bytesRead) }
      }
      const countFirst = (): void => {
        const { memory, content } = unconfirmed.shift() ?? noPiece
        countCopied(deps, [content])
        free.push(memory)
      }
      let offset = 0
      for (let piece = await read(0); piece.content.length > 0;) {
        const { content } = piece
        offset += content.length
        const [next] = await Promise.all([read(offset), send(stream, content)])
        alive()
        unconfirmed.push(piece)
        if (unconfirmed.length > unconfirmedBytes / pieceBytes) countFirst()
        piece = next
      }
      stream.end()
      await Promise.race([written, ended])
      if (!/^written$/m.test(answer)) throw new Error('the command did not write all of it')
      while (unconfirmed.length > 0) countFirst()
      alive()
      // The checksum of a large file on a slow disk may time out.
      await ended.catch(() => signal.throwIfAborted())
    },
  )
  return /^[0-9a-f]{64}(?=\s)/m.exec(answer)?.[0] ?? null
}

/**
 * Fetches the rest of a file through a command. Rejects as SshConnection.pipe does, and with errors of the disk; the bytes in
 * `copy` are on the disk.
 */
export async function downloadPiped(
  deps: CopyDeps,
  path: string,
  to: FileHandle,
  channel: TransferChannel,
): Promise<void> {
  const { copy, size, signal } = deps
  const command = copy.done === 0 ? 'cat' : `tail -c +${copy.done + 1}`
  await withPipe({ channel, signal }, `${command} -- ${posixQuoted(path)}`, async (stream, _ended, alive) => {
    stream.end()
    let batch: Buffer[] = []
    let remaining = size - copy.done
    /** Write of the last batch, which runs while the next batch arrives. */
    let writing = Promise.resolve()
    const flush = async (): Promise<void> => {
      const pieces = batch
      batch = []
      await writing
      writing = writeWhole(to, pieces, copy.done).then(() => countCopied(deps, pieces))
      // The next await of `writing` handles its error.
      writing.catch(() => undefined)
    }
    try {
      for await (const data of stream) {
        if (!Buffer.isBuffer(data)) continue
        alive()
        const piece = data.subarray(0, remaining)
        batch.push(piece)
        remaining -= piece.length
        if (lengthOf(batch) >= pieceBytes || remaining === 0) await flush()
        if (remaining === 0) break
      }
      if (lengthOf(batch) > 0) await flush()
    } finally {
      await writing
    }
  })
}
