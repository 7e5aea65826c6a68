import { statfs } from 'node:fs/promises'
import { FailureError } from '#shared/failure'
import { isFullDisk } from '../core/failure-of'
import { posixQuoted } from '../ssh/launcher/quoting'
import { isPlain } from './checksums'
import type { JobFile } from './transfer-job'
import type { TransferChannel } from './transfer-channel'
import { SftpError } from './sftp/session'

export interface FreeSpace {
  /** For every user. */
  readonly free: number
  /** For root: includes the reserved blocks. */
  readonly reserved: number
}

export interface Receiver {
  readonly kind: 'machine' | 'here'
  space(): Promise<FreeSpace | null>
}

export async function localSpace(folder: string): Promise<FreeSpace | null> {
  const { bavail, bfree, blocks, bsize } = await statfs(folder)
  return blocks === 0 ? null : { free: bavail * bsize, reserved: bfree * bsize }
}

/** Parses the free bytes in the output of `df -P -k`. The device's name may contain spaces (POSIX.1-2017, df). */
export function freeInDf(output: string): number | null {
  const columns = /\s\d+\s+\d+\s+(\d+)\s+\d+%\s/.exec(output.split('\n')[1] ?? '')
  return columns?.[1] === undefined ? null : Number(columns[1]) * 1_024
}

/** Returns the free space of a folder on a machine, from its SFTP server, otherwise from `df`. */
export async function remoteSpace(
  { sftp, exec, signsInAgain }: TransferChannel,
  folder: string,
): Promise<FreeSpace | null> {
  const space = await sftp.space(folder)
  // A command with its own connection would ask the user for a password again.
  if (space || signsInAgain || !isPlain(folder)) return space
  const printed = await exec(`LC_ALL=C df -P -k -- ${posixQuoted(folder)}`)
  const free = printed.kind === 'finished' && printed.status === 0 ? freeInDf(printed.stdout) : null
  return free === null ? null : { free, reserved: free }
}

const remainingBytes = (files: readonly JobFile[]): number =>
  files
    .filter(({ digest, isGone }) => digest === null && !isGone)
    .reduce((sum, { size, copy }) => sum + Math.max(0, size - copy.done), 0)

/** The disk has less than the transfer needs. In bytes. */
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

/** Throws NoSpace if the files do not fit on the disk for any user. Accepts a disk whose free space is unknown. */
export async function checkSpace({ kind, space }: Receiver, files: readonly JobFile[]): Promise<void> {
  const needed = remainingBytes(files)
  if (needed === 0) return
  const available = await space().catch(() => null)
  if (available && available.reserved < needed) throw new NoSpace(kind, available.free, needed)
}

/** Returns the cause of a failed write: NoSpace if the disk is full, otherwise the error itself. */
export async function causeOf(
  error: unknown,
  { kind, space }: Receiver,
  files: readonly JobFile[],
): Promise<unknown> {
  const mayBeFull =
    kind === 'here' ? isFullDisk(error) : error instanceof SftpError && error.problem === 'failure'
  if (!mayBeFull) return error
  const needed = remainingBytes(files)
  const available = await space().catch(() => null)
  return available && available.free < needed ? new NoSpace(kind, available.free, needed) : error
}

export const spaceFailure = ({ kind, free, needed }: NoSpace, machineName: string): FailureError =>
  new FailureError({ kind: 'no-space', machine: kind === 'machine' ? machineName : null, free, needed })
