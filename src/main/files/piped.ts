import type { FileHandle } from 'node:fs/promises'
import { posixQuoted } from '../ssh/launcher/quoting'
import { isPlain } from './checksums'
import { type CopyDeps, digestSoFar, taken, writeWhole } from './copy'
import { type JobFile, large } from './job'
import type { Line } from './line'
import { lengthOf } from './sftp/packet'
import { send, withPipe } from './with-pipe'

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
 * Sends a file from its beginning to one that is there and empty, through a command that makes its SHA-256 as well, which
 * is answered. Null: the machine did not write all of it, or said something else. Rejects as SshConnection.pipe does, and with
 * errors of the disk. What is in `copy` after an error is on the machine.
 */
export async function uploadPiped(
  deps: CopyDeps,
  from: FileHandle,
  path: string,
  line: Line,
): Promise<string | null> {
  const { size, signal } = deps
  // tee makes no checksum of what it could not write: it says so on the way past OpenSSL.
  const script = '{ { tee -- "$1" || echo failed >&3; } | openssl dgst -sha256 -r; } 3>&1'
  let answer = ''
  await withPipe(
    { line, signal },
    `sh -c '${script}' sh ${posixQuoted(path)}`,
    async (stream, ended, alive) => {
      stream.on('data', (data: Buffer) => void (answer = (answer + data.toString('latin1')).slice(-1_000)))
      /** Memory that is used in turn: what was sent last, what is sent, and what is read meanwhile. */
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
      await ended
      if (/^failed$/m.test(answer)) return
      while (sent.length > 0) count()
    },
  )
  const digest = /^[0-9a-f]{64}(?=\s)/m.exec(answer)?.[0]
  return digest === digestSoFar(deps.copy) ? digest : null
}

/**
 * Fetches what is left of a file, as far as a command prints it. Rejects as SshConnection.pipe does, and with errors of the
 * disk; what is in `copy` is on the disk.
 */
export async function downloadPiped(deps: CopyDeps, path: string, to: FileHandle, line: Line): Promise<void> {
  const { copy, size, signal } = deps
  const command = copy.done === 0 ? 'cat' : `tail -c +${copy.done + 1}`
  await withPipe({ line, signal }, `${command} -- ${posixQuoted(path)}`, async (stream, _ended, alive) => {
    stream.end()
    let batch: Buffer[] = []
    let [bytes, left] = [0, size - copy.done]
    const flush = async (): Promise<void> => {
      const pieces = batch
      batch = []
      bytes = 0
      await writeWhole(to, pieces, copy.done)
      taken(deps, pieces)
    }
    for await (const data of stream) {
      if (!Buffer.isBuffer(data)) continue
      alive()
      const piece = data.subarray(0, left)
      batch.push(piece)
      left -= piece.length
      bytes += piece.length
      if (bytes >= pieceBytes || left === 0) await flush()
      if (left === 0) break
    }
    if (lengthOf(batch) > 0) await flush()
  })
}
