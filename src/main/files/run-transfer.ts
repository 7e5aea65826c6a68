import type { FileHandle } from 'node:fs/promises'
import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { differingFiles, type MachineShell, machineSums, noShell, shellFor } from './checksums'
import { type CopyDeps, digestOf, newCopy } from './copy'
import { filesFault } from './transfer-failure'
import {
  filesAtOnce,
  type JobFile,
  largeBytes,
  maxPackedBytes,
  type Outcome,
  type Progress,
} from './transfer-job'
import { causeOf, checkSpace, type Receiver } from './free-space'
import type { TransferChannel } from './transfer-channel'
import { isWorthCommand } from './piped'
import { ReusedHandle } from './sftp/client'

export interface CopyContext extends Pick<CopyDeps, 'signal' | 'sharing' | 'clock'> {
  /** Returns whether a command may copy the file, one file at a time: servers open few channels. */
  byCommand(): Promise<boolean>
}

export interface TransferDeps {
  readonly action: string
  readonly progress: Progress
  readonly channel: TransferChannel
  readonly signal: AbortSignal
  prepare(): Promise<readonly JobFile[]>
  /** Copies a file. `gone`: the source no longer exists. */
  copy(file: JobFile, context: CopyContext): Promise<'gone' | undefined>
  /** Copies many small files in an archive. Files that were not copied have no digest. */
  pack(files: readonly JobFile[]): Promise<void>
  /** Restarts packed files that did not arrive. Absent if `pack` already checks that. */
  confirm?(): Promise<void>
  /** Returns whether the source has changed since its copy. Absent if that cannot affect the checksum. */
  changedSince?(file: JobFile): Promise<boolean>
  /** The sources are on the machine, which computes their checksums during the copy. */
  readonly isOnMachine?: true
  readonly receiver: Receiver
  finish(): Promise<readonly string[]>
}

/** Seconds that a large file waits until the machine's shell is known. */
const shellTimeoutSeconds = 0.3
const minPackedFiles = 20

export function restart(file: JobFile, progress: Progress): void {
  progress.bytesDone -= file.copy.done
  if (file.digest !== null) progress.filesDone -= 1
  Object.assign(file.copy, newCopy())
  file.digest = null
  file.remoteDigest = null
}

/** Counts the bytes of a file whose size is reported as 0. */
export function noteUnsized(file: JobFile, size: number, progress: Progress): void {
  if (size > 0 || file.copy.done === 0 || file.isUnsized) return
  file.isUnsized = true
  progress.bytesTotal += file.copy.done
}

function skipGone(file: JobFile, progress: Progress): void {
  restart(file, progress)
  file.isGone = true
  progress.skipped += 1
  progress.filesTotal -= 1
  progress.bytesTotal -= file.size
  progress.changed()
}

export const copyDeps = (
  { copy }: JobFile,
  size: number,
  progress: Progress,
  { signal, clock, sharing }: CopyContext,
): CopyDeps => ({
  copy,
  size,
  signal,
  clock,
  sharing,
  moved(bytes) {
    progress.bytesDone += bytes
    progress.changed()
  },
})

export async function withFile<Value>(
  opened: Promise<FileHandle> | FileHandle,
  use: (file: FileHandle) => Promise<Value>,
): Promise<Value> {
  const file = await opened
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** Copies the remaining files in parallel, compares checksums and finishes. */
export async function runTransfer(deps: TransferDeps): Promise<Outcome> {
  enter(deps.progress, 'counting')
  const files = await deps.prepare()
  try {
    await checkSpace(deps.receiver, files)
    return await copyAll(deps, files)
  } catch (error) {
    if (error instanceof ReusedHandle) {
      // The server may have mixed up the bytes of incomplete copies.
      for (const file of files) if (file.digest === null) restart(file, deps.progress)
    }
    throw await causeOf(error, deps.receiver, files)
  }
}

function enter(progress: Progress, phase: Progress['phase']): void {
  progress.phase = phase
  progress.changed()
}

const remainingOf = (files: readonly JobFile[]): JobFile[] =>
  files.filter(({ digest, isGone }) => digest === null && !isGone)

type Sums = Awaited<ReturnType<typeof machineSums>>

async function copyAll(deps: TransferDeps, files: readonly JobFile[]): Promise<Outcome> {
  const { progress, signal, channel } = deps
  // The machine may have lost data that was not on its disk.
  for (const file of files) file.remoteDigest = null
  progress.filesTotal = files.filter(({ isGone }) => !isGone).length
  enter(progress, 'running')
  const remaining = remainingOf(files)
  // tar does not promise to keep an existing root, and believes a size of 0.
  const small = remaining.filter(
    ({ size, copy, isRoot }) => !isRoot && size > 0 && size <= maxPackedBytes && copy.done === 0,
  )
  const failure = new AbortController()
  const copied = new AbortController()
  const either = AbortSignal.any([signal, failure.signal])
  // A command that signs in again would ask the user for a password.
  const largeFiles = channel.signsInAgain ? [] : remaining.filter(({ size }) => size >= largeBytes)
  const shell = shellFor(largeFiles, channel.exec, AbortSignal.any([either, copied.signal])).catch(
    () => noShell,
  )
  let sums: Promise<Sums> = deps.isOnMachine
    ? sumsDuringCopy(remaining, channel, either, shell).catch(() => 'unknown')
    : Promise.resolve('unknown')
  if (small.length >= minPackedFiles) {
    await deps.pack(small)
    if (deps.confirm) {
      const packed = channel.signsInAgain ? [] : small.filter(({ digest }) => digest !== null)
      sums = machineSums(packed, channel, either).then(
        (packedSums) => (packedSums === 'too-slow' ? 'unknown' : packedSums),
        () => 'unknown',
      )
      await deps.confirm()
    }
  }
  await copyFiles(deps, remainingOf(files), shell, failure, either).finally(() => copied.abort())
  enter(progress, 'verifying')
  const verified = await verify(deps, files, await sums, shell)
  signal.throwIfAborted()
  const left = await deps.finish()
  return { verified, changed: files.filter(({ hasChanged }) => hasChanged).length, left }
}

async function sumsDuringCopy(
  files: readonly JobFile[],
  channel: TransferChannel,
  signal: AbortSignal,
  shell: Promise<MachineShell>,
): Promise<Sums> {
  const largeFiles = files.filter(({ size }) => size >= largeBytes)
  // Two commands that sign in would ask the user for a password twice.
  const others = channel.signsInAgain ? [] : files.filter(({ size }) => size < largeBytes)
  const otherSums = await machineSums(others, channel, signal)
  const largeSums = await machineSums(largeFiles, channel, signal, (await shell).by)
  // Checksums of small files are cheap to compute again.
  return typeof otherSums === 'string' || typeof largeSums === 'string'
    ? largeSums
    : new Map([...otherSums, ...largeSums])
}

function commandTurns(shell: Promise<MachineShell>, channel: TransferChannel) {
  let current: JobFile | undefined
  /** Returns the shell if it is known soon: no copy waits longer. */
  async function knownShell(): Promise<MachineShell> {
    let cancel = (): void => undefined
    const timeout = new Promise<MachineShell>((resolve) => {
      cancel = channel.clock.after(shellTimeoutSeconds, () => resolve(noShell))
    })
    return Promise.race([shell, timeout]).finally(cancel)
  }
  return {
    async take(file: JobFile): Promise<boolean> {
      if (!isWorthCommand(file) || !(await channel.near) || !(await knownShell()).carriesFiles) return false
      current ??= file
      return current === file
    },
    release(file: JobFile): void {
      if (current === file) current = undefined
    },
  }
}

/**
 * Copies files in parallel. The first error aborts `failure`. Settles once every copy has ended: the next attempt opens the same
 * files. `signal` aborts with the transfer or with `failure`.
 */
async function copyFiles(
  deps: TransferDeps,
  files: readonly JobFile[],
  shell: Promise<MachineShell>,
  failure: AbortController,
  signal: AbortSignal,
): Promise<void> {
  const { progress, channel } = deps
  const limit = pLimit(filesAtOnce)
  const turns = commandTurns(shell, channel)
  let largeCopies = 0
  async function copy(file: JobFile): Promise<'gone' | undefined> {
    const isLarge = file.size >= largeBytes
    if (isLarge) largeCopies += 1
    try {
      return await deps.copy(file, {
        signal,
        sharing: () => Math.max(1, largeCopies),
        clock: channel.clock,
        byCommand: () => turns.take(file),
      })
    } finally {
      if (isLarge) largeCopies -= 1
      turns.release(file)
    }
  }
  const ended = await Promise.allSettled(
    files.map((file) =>
      limit(async () => {
        signal.throwIfAborted()
        try {
          if ((await copy(file)) === 'gone') return skipGone(file, progress)
        } catch (error) {
          failure.abort(error)
          throw error
        }
        file.digest = digestOf(file.copy)
        progress.filesDone += 1
        progress.changed()
      }),
    ),
  )
  deps.signal.throwIfAborted()
  if (ended.some(({ status }) => status === 'rejected')) throw failure.signal.reason
}

/** Compares checksums if the machine reports them. Fails with local-fault if copies differ from unchanged sources. */
async function verify(
  { channel, signal, progress, action, changedSince }: TransferDeps,
  files: readonly JobFile[],
  sums: Sums,
  shell: Promise<MachineShell>,
): Promise<Outcome['verified']> {
  const sumOf = (file: JobFile): string | undefined =>
    file.remoteDigest ?? (typeof sums === 'string' ? undefined : sums.get(file))
  // A source may have changed between its checksum and its copy.
  const unsure = files.filter((file) => !file.isGone && (file.digest === null || sumOf(file) !== file.digest))
  if (unsure.length === 0) return 'checksum'
  if (sums === 'too-slow') return 'size'
  const differing = await differingFiles(unsure, channel, signal, (await shell).by)
  if (differing === 'unknown') return 'size'
  // A source may also change after its copy, like a log.
  const limit = pLimit(filesAtOnce)
  const suspects = differing.filter(({ hasChanged }) => !hasChanged)
  await Promise.all(
    suspects.map((file) =>
      limit(async () => {
        file.hasChanged = file.isUnsized || ((await changedSince?.(file)) ?? false)
      }),
    ),
  )
  const wrong = suspects.filter(({ hasChanged }) => !hasChanged)
  for (const file of wrong) {
    restart(file, progress)
    file.mismatches += 1
  }
  if (wrong.length === 0) return 'checksum'
  const problem = wrong.some(({ mismatches }) => mismatches > 1) ? 'checksumAgain' : 'checksum'
  throw filesFault(action, translate(`files.problem.${problem}`, { count: wrong.length }))
}
