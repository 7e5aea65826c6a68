import { statfs } from 'node:fs/promises'
import { FailureError } from '#shared/failure'
import { isFullDisk } from '../core/failure-of'
import { posixQuoted } from '../ssh/launcher/quoting'
import { isPlain } from './checksums'
import type { JobFile } from './transfer-job'
import type { TransferChannel } from './transfer-channel'
import { SftpError } from './sftp/session'

/** Room on a disk. In bytes. */
export interface FreeSpace {
  /** For everybody. */
  readonly free: number
  /** With what is reserved for root. */
  readonly reserved: number
}

/** A disk that is written to. Null: its room is not known. */
export interface Receiver {
  readonly kind: 'machine' | 'here'
  space(): Promise<FreeSpace | null>
}

/** Room for the files of this folder of this computer. */
export async function spaceHere(folder: string): Promise<FreeSpace | null> {
  const { bavail, bfree, blocks, bsize } = await statfs(folder)
  return blocks === 0 ? null : { free: bavail * bsize, reserved: bfree * bsize }
}

/** The free bytes that `df -P -k` prints; its device may hold spaces (POSIX.1-2017, df). */
export function freeInDf(output: string): number | null {
  const columns = /\s\d+\s+\d+\s+(\d+)\s+\d+%\s/.exec(output.split('\n')[1] ?? '')
  return columns?.[1] === undefined ? null : Number(columns[1]) * 1_024
}

/** Room in a folder of a machine, from its SFTP server, else from `df`. */
export async function spaceThere(
  { sftp, exec, signsInAgain }: TransferChannel,
  folder: string,
): Promise<FreeSpace | null> {
  const space = await sftp.space(folder)
  // A command of its own connection would have the user sign in once more.
  if (space || signsInAgain || !isPlain(folder)) return space
  const printed = await exec(`LC_ALL=C df -P -k -- ${posixQuoted(folder)}`)
  const free = printed.kind === 'finished' && printed.status === 0 ? freeInDf(printed.stdout) : null
  return free === null ? null : { free, reserved: free }
}

/** Bytes that are still to be written. */
const neededFor = (files: readonly JobFile[]): number =>
  files
    .filter(({ digest, isGone }) => digest === null && !isGone)
    .reduce((sum, { size, copy }) => sum + Math.max(0, size - copy.done), 0)

/** What a transfer needs and a disk lacks. */
export class NoSpace extends Error {
  override readonly name = 'NoSpace'
  constructor(
    readonly kind: Receiver['kind'],
    readonly free: number,
    readonly needed: number,
  ) {
    super('no space')
  }
}

/** Throws NoSpace if a disk can't take the files whoever writes them. A disk that doesn't report its room may. */
export async function checkSpace({ kind, space }: Receiver, files: readonly JobFile[]): Promise<void> {
  const needed = neededFor(files)
  if (needed === 0) return
  const found = await space().catch(() => null)
  if (found && found.reserved < needed) throw new NoSpace(kind, found.free, needed)
}

/** Returns why a write has failed: NoSpace if the disk is full, else the error itself. */
export async function causeOf(
  error: unknown,
  { kind, space }: Receiver,
  files: readonly JobFile[],
): Promise<unknown> {
  const mayBeFull =
    kind === 'here' ? isFullDisk(error) : error instanceof SftpError && error.problem === 'failure'
  if (!mayBeFull) return error
  const needed = neededFor(files)
  const found = await space().catch(() => null)
  return found && found.free < needed ? new NoSpace(kind, found.free, needed) : error
}

/** Names the disk that is full. */
export const spaceFailure = ({ kind, free, needed }: NoSpace, machineName: string): FailureError =>
  new FailureError({ kind: 'no-space', machine: kind === 'machine' ? machineName : null, free, needed })
