import type { FileHandle } from 'node:fs/promises'
import pLimit from 'p-limit'
import { translate } from '#shared/messages/index'
import { differingFiles, machineSums, noShell, shellFor } from './checksums'
import { type CopyDeps, digestOf, newCopy } from './copy'
import { filesFault } from './transfer-failure'
import { filesAtOnce, type JobFile, large, largestPacked, type Outcome, type Progress } from './transfer-job'
import { causeOf, checkSpace, type Receiver } from './free-space'
import type { TransferChannel } from './transfer-channel'
import { isWorthCommand } from './piped'
import { ReusedHandle } from './sftp/client'

/** How a copy ends early, and with how many others it shares the requests that are under way. */
export interface Ending extends Pick<CopyDeps, 'signal' | 'sharing' | 'clock'> {
  /** Whether the bytes of a command may carry it, for one copy at a time: the server opens few channels. */
  byCommand(): Promise<boolean>
}

export interface AttemptDeps {
  /** In words: what fails. */
  readonly action: string
  readonly progress: Progress
  readonly line: TransferChannel
  readonly signal: AbortSignal
  /** All files, once they are counted and the folders for them are made. */
  prepare(): Promise<readonly JobFile[]>
  /** Copies a file. `gone`: it is there no more. */
  copy(file: JobFile, ending: Ending): Promise<'gone' | undefined>
  /** Copies many small files at once, as far as that goes: those that are left have no digest. */
  pack(files: readonly JobFile[]): Promise<void>
  /** Looks which of those stand where they belong; the others lose their digest. Absent where `pack` has seen it. */
  confirm?(): Promise<void>
  /** Whether what was copied has changed since. Absent where that makes no difference to the copy. */
  changedSince?(file: JobFile): Promise<boolean>
  /** What is copied is whole on the machine before: checksums are made there while it is copied. */
  readonly isOnMachine?: true
  /** The disk that is written to. */
  readonly receiver: Receiver
  /** Gives all that was copied its own name. Answers what was replaced and could not be deleted. */
  finish(): Promise<readonly string[]>
}

/** Seconds that a large file waits for a shell of the machine. */
const shellPatience = 0.3
/** Small files that are worth an archive. */
const fewestPacked = 20

/** Begins the copy of a file anew. */
export function restart(file: JobFile, progress: Progress): void {
  progress.bytesDone -= file.copy.done
  if (file.digest !== null) progress.filesDone -= 1
  Object.assign(file.copy, newCopy())
  file.digest = null
  file.digestThere = null
}

/** Begins files anew that are not whole: their bytes may have been written to each other. */
function restartOpen(files: readonly JobFile[], progress: Progress): void {
  for (const file of files) if (file.digest === null) restart(file, progress)
}

/** Notes that a file has content although its size is reported as 0. */
export function noteUnsized(file: JobFile, size: number, progress: Progress): void {
  if (size > 0 || file.copy.done === 0 || file.isUnsized) return
  file.isUnsized = true
  progress.bytesTotal += file.copy.done
}

/** A file that was removed while the others were copied. */
function leaveOut(file: JobFile, progress: Progress): void {
  restart(file, progress)
  file.isGone = true
  progress.skipped += 1
  progress.filesTotal -= 1
  progress.bytesTotal -= file.size
  progress.changed()
}

/** What download and upload (copy.ts) need for the rest of a file. */
export const copyDeps = ({ copy }: JobFile, size: number, progress: Progress, ending: Ending): CopyDeps => ({
  copy,
  size,
  signal: ending.signal,
  clock: ending.clock,
  sharing: ending.sharing,
  moved(bytes) {
    progress.bytesDone += bytes
    progress.changed()
  },
})

/** Runs `use` with a file of this computer, and closes it. */
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

/** Copies what is not copied yet, many files at once, compares the checksums and finishes. */
export async function attempt(deps: AttemptDeps): Promise<Outcome> {
  enter(deps.progress, 'counting')
  const files = await deps.prepare()
  try {
    await checkSpace(deps.receiver, files)
    return await copyAll(deps, files)
  } catch (error) {
    if (error instanceof ReusedHandle) restartOpen(files, deps.progress)
    throw await causeOf(error, deps.receiver, files)
  }
}

function enter(progress: Progress, phase: Progress['phase']): void {
  progress.phase = phase
  progress.changed()
}

async function copyAll(deps: AttemptDeps, files: readonly JobFile[]): Promise<Outcome> {
  const { progress, signal, line, action } = deps
  const limit = pLimit(filesAtOnce)
  // The machine may have lost since what it had not written to its disk.
  for (const file of files) file.digestThere = null
  progress.filesTotal = files.filter(({ isGone }) => !isGone).length
  enter(progress, 'running')
  const remaining = (): JobFile[] => files.filter(({ digest, isGone }) => digest === null && !isGone)
  // A root is made only if nothing has its name, which tar does not promise; tar believes a size of 0.
  const small = remaining().filter(
    ({ size, copy, isRoot }) => !isRoot && size > 0 && size <= largestPacked && copy.done === 0,
  )
  const ending = new AbortController()
  const both = AbortSignal.any([signal, ending.signal])
  const largeOnes = remaining().filter(({ size }) => size >= large)
  // More than one command at a time would have the person asked for a password twice.
  const others = line.signsInAgain ? [] : remaining().filter(({ size }) => size < large)
  const copied = new AbortController()
  // Asked for while files are copied, and no longer; not where a command takes a connection of its own.
  const shell = shellFor(
    line.signsInAgain ? [] : largeOnes,
    line.exec,
    AbortSignal.any([both, copied.signal]),
  ).catch(() => noShell)
  /** What is not known by then makes no copy wait. */
  const soon = async (): Promise<typeof noShell> => {
    let cancel = (): void => undefined
    const late = new Promise<typeof noShell>((resolve) => {
      cancel = line.clock.after(shellPatience, () => resolve(noShell))
    })
    return Promise.race([shell, late]).finally(cancel)
  }
  const sumsBefore = async (): ReturnType<typeof machineSums> => {
    const ofOthers = await machineSums(others, line, both)
    const ofLarge = await machineSums(largeOnes, line, both, (await shell).by)
    // Of the others it is soon said again.
    return typeof ofOthers === 'string' || typeof ofLarge === 'string'
      ? ofLarge
      : new Map([...ofOthers, ...ofLarge])
  }
  let early: ReturnType<typeof machineSums> = deps.isOnMachine
    ? sumsBefore().catch(() => 'unknown')
    : Promise.resolve('unknown')
  if (small.length >= fewestPacked) {
    await deps.pack(small)
    if (deps.confirm) {
      const packed = line.signsInAgain ? [] : small.filter(({ digest }) => digest !== null)
      early = machineSums(packed, line, both).then(
        (sums) => (sums === 'too-slow' ? 'unknown' : sums),
        () => 'unknown',
      )
      await deps.confirm()
    }
  }
  let sharing = 0
  let byCommand: JobFile | undefined
  const copy = async (file: JobFile): Promise<'gone' | undefined> => {
    const takesMany = file.size >= large ? 1 : 0
    sharing += takesMany
    try {
      return await deps.copy(file, {
        signal: both,
        sharing: () => Math.max(1, sharing),
        clock: line.clock,
        byCommand: async () => {
          if (!isWorthCommand(file) || !(await line.near) || !(await soon()).carriesFiles) return false
          byCommand ??= file
          return byCommand === file
        },
      })
    } finally {
      sharing -= takesMany
      if (byCommand === file) byCommand = undefined
    }
  }
  // All have ended before an attempt has: the next one opens the same files.
  const ended = await Promise.allSettled(
    remaining().map((file) =>
      limit(async () => {
        both.throwIfAborted()
        try {
          if ((await copy(file)) === 'gone') return leaveOut(file, progress)
        } catch (error) {
          ending.abort(error)
          throw error
        }
        file.digest = digestOf(file.copy)
        progress.filesDone += 1
        progress.changed()
      }),
    ),
  )
  copied.abort()
  signal.throwIfAborted()
  if (ended.some(({ status }) => status === 'rejected')) throw ending.signal.reason
  enter(progress, 'verifying')
  const sums = await early
  // What has another checksum than before the copy may have changed in between.
  const sumOf = (file: JobFile): string | undefined =>
    file.digestThere ?? (typeof sums === 'string' ? undefined : sums.get(file))
  const unsure = files.filter((file) => !file.isGone && (file.digest === null || sumOf(file) !== file.digest))
  const differing =
    unsure.length === 0
      ? []
      : sums === 'too-slow'
        ? 'unknown'
        : await differingFiles(unsure, line, signal, (await shell).by)
  const suspects = differing === 'unknown' ? [] : differing.filter(({ hasChanged }) => !hasChanged)
  // A log grows while others are copied.
  await Promise.all(
    suspects.map((file) =>
      limit(async () => {
        file.hasChanged = file.isUnsized || ((await deps.changedSince?.(file)) ?? false)
      }),
    ),
  )
  const wrong = suspects.filter(({ hasChanged }) => !hasChanged)
  if (wrong.length > 0) {
    for (const file of wrong) {
      restart(file, progress)
      file.mismatches += 1
    }
    const problem = wrong.some(({ mismatches }) => mismatches > 1) ? 'checksumAgain' : 'checksum'
    throw filesFault(action, translate(`files.problem.${problem}`, { count: wrong.length }))
  }
  signal.throwIfAborted()
  const left = await deps.finish()
  return {
    verified: differing === 'unknown' ? 'size' : 'checksum',
    changed: files.filter(({ hasChanged }) => hasChanged).length,
    left,
  }
}
