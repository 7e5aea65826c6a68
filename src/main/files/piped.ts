import type { FileHandle } from 'node:fs/promises'
import { posixQuoted } from '../ssh/launcher/quoting'
import { isPlain } from './checksums'
import { type CopyDeps, taken, writeWhole } from './copy'
import { type JobFile, large } from './transfer-job'
import type { TransferChannel } from './transfer-channel'
import { lengthOf } from './sftp/packet'
import { send, withPipe } from './pipe-command'

/** Bytes that are read, sent or written at once. */
const pieceBytes = 512 * 1024
/**
 * Bytes that were sent and may not be in the file yet: twice what OpenSSH's server takes before the command has read it
 * (2 MiB). Where a line is cut, the copy goes on before them.
 */
const unsure = 4 * 1024 * 1024

const empty = Buffer.alloc(0)
const none = { memory: empty, content: empty }

/**
 * Whether a file is worth a command: where the machine is near, the processor is what bounds a copy, and the bytes of one
 * command take about half of what SFTP's requests take. Far away one channel carries too little.
 */
export const isWorthCommand = ({ size, remote, copy }: JobFile): boolean =>
  size - copy.done >= large && isPlain(remote)

/**
 * Sends a file from its beginning to one that is there and empty, through a command. Answers the SHA-256 of what the machine
 * has then, null where it does not say in time. Rejects as SshConnection.pipe does, with errors of the disk, and where the
 * command has not written all: what is in `copy` then may be more than the machine has.
 */
export async function uploadPiped(
  deps: CopyDeps,
  from: FileHandle,
  path: string,
  line: TransferChannel,
): Promise<string | null> {
  const { size, signal } = deps
  // Commands may see other folders than SFTP does: they have no file there, or another one.
  const script =
    '[ -f "$1" ] && [ ! -s "$1" ] && cat > "$1" && echo written && openssl dgst -sha256 -r -- "$1"'
  let answer = ''
  await withPipe(
    { line, signal },
    `sh -c '${script}' sh ${posixQuoted(path)}`,
    async (stream, ended, alive) => {
      const written = new Promise<void>((resolve) =>
        stream.on('data', (data: Buffer) => {
          answer = (answer + data.toString('latin1')).slice(-1_000)
          if (/^written$/m.test(answer)) resolve()
        }),
      )
      /** Memory for what was sent last, for what is being sent and for what is being read, used again and again. */
      const free = Array.from({ length: unsure / pieceBytes + 2 }, () => Buffer.allocUnsafe(pieceBytes))
      const sent: (typeof none)[] = []
      const read = async (offset: number) => {
        const bytes = Math.min(pieceBytes, size - offset)
        const memory = bytes > 0 ? free.pop() : undefined
        if (!memory) return none
        const { bytesRead } = await from.read(memory, 0, bytes, offset)
        return { memory, content: memory.subarray(0, bytesRead) }
      }
      const count = (): void => {
        const { memory, content } = sent.shift() ?? none
        taken(deps, [content])
        free.push(memory)
      }
      let offset = 0
      for (let piece = await read(0); piece.content.length > 0;) {
        const { content } = piece
        offset += content.length
        const [next] = await Promise.all([read(offset), send(stream, content)])
        alive()
        sent.push(piece)
        if (sent.length > unsure / pieceBytes) count()
        piece = next
      }
      stream.end()
      await Promise.race([written, ended])
      if (!/^written$/m.test(answer)) throw new Error('the command did not write all of it')
      while (sent.length > 0) count()
      alive()
      // A large file on a slow disk takes longer.
      await ended.catch(() => signal.throwIfAborted())
    },
  )
  return /^[0-9a-f]{64}(?=\s)/m.exec(answer)?.[0] ?? null
}

/**
 * Fetches what is left of a file, as far as a command prints it. Rejects as SshConnection.pipe does, and with errors of the
 * disk; what is in `copy` is on the disk.
 */
export async function downloadPiped(
  deps: CopyDeps,
  path: string,
  to: FileHandle,
  line: TransferChannel,
): Promise<void> {
  const { copy, size, signal } = deps
  const command = copy.done === 0 ? 'cat' : `tail -c +${copy.done + 1}`
  await withPipe({ line, signal }, `${command} -- ${posixQuoted(path)}`, async (stream, _ended, alive) => {
    stream.end()
    let batch: Buffer[] = []
    let left = size - copy.done
    /** One piece is written while the next one comes. */
    let writing = Promise.resolve()
    const flush = async (): Promise<void> => {
      const pieces = batch
      batch = []
      await writing
      writing = writeWhole(to, pieces, copy.done).then(() => taken(deps, pieces))
      // Whoever waits for it next fails with it.
      writing.catch(() => undefined)
    }
    try {
      for await (const data of stream) {
        if (!Buffer.isBuffer(data)) continue
        alive()
        const piece = data.subarray(0, left)
        batch.push(piece)
        left -= piece.length
        if (lengthOf(batch) >= pieceBytes || left === 0) await flush()
        if (left === 0) break
      }
      if (lengthOf(batch) > 0) await flush()
    } finally {
      await writing
    }
  })
}
