import pLimit from 'p-limit'
import type { SshConnection } from '../ssh/client/transport'
import { posixQuoted } from '../ssh/launcher/quoting'
import type { JobFile } from './transfer-job'
import type { TransferChannel } from './transfer-channel'

const maxCommandLength = 30_000
/** Files of one command: `exec` reads up to 64 kB of output, which has 65 characters a file. */
const maxCommandFiles = 900
/** Bytes of the files of one command, which a slow disk reads before the timeout. A larger file has its own command. */
const maxCommandBytes = 2 * 1024 ** 3

/** Bytes of all files up to which two commands run at once. A disk reads more bytes faster in sequence. */
const maxParallelBytes = 256 * 1024 ** 2

/** Returns whether a path has the form that servers on Windows use. */
export const isWindows = (path: string): boolean => /^\/[a-z]:/i.test(path)

/**
 * Returns whether a path is safe in a shell's command. Shells differ in backslashes and exclamation marks between quotes, and
 * sha256sum escapes them. On Windows, cmd and PowerShell could run parts of a name.
 */
export const isPlain = (path: string): boolean => !isWindows(path) && !/[\\!\p{Cc}]/u.test(path)

function folderOf(files: readonly JobFile[]): string {
  const folders = files.map(({ remote }) => remote.split('/').slice(0, -1))
  const [first = []] = folders
  const differs = first.findIndex((name, depth) => folders.some((folder) => folder[depth] !== name))
  const shortest = Math.min(...new Set(folders.map(({ length }) => length)))
  return first.slice(0, Math.min(differs < 0 ? first.length : differs, shortest)).join('/')
}

function commandGroups(files: readonly JobFile[], folder: string) {
  const groups: { file: JobFile; name: string }[][] = []
  let room = 0
  let bytes = 0
  for (const file of files) {
    const name = posixQuoted(`.${file.remote.slice(folder.length)}`)
    const length = Buffer.byteLength(name) + 1
    const last = groups.at(-1)
    const fits = length <= room && bytes + file.size <= maxCommandBytes
    if (last && last.length < maxCommandFiles && fits) last.push({ file, name })
    else {
      groups.push([{ file, name }])
      bytes = 0
      room = maxCommandLength - Buffer.byteLength(folder)
    }
    room -= length
    bytes += file.size
  }
  return groups
}

const commands = { sha256sum: 'sha256sum --', openssl: 'openssl dgst -sha256 -r' } as const
type SumCommand = keyof typeof commands

export interface MachineShell {
  /** Fastest command: OpenSSL uses the processor's own instructions, some versions of sha256sum do not. */
  readonly by: SumCommand
  /** The shell prints nothing of its own, so that commands can transfer the bytes of files; OpenSSL is available. */
  readonly carriesFiles: boolean
}
export const noShell: MachineShell = { by: 'sha256sum', carriesFiles: false }

export async function shellFor(
  files: readonly JobFile[],
  exec: SshConnection['exec'],
  signal: AbortSignal,
): Promise<MachineShell> {
  if (files.length === 0 || !files.every(({ remote }) => isPlain(remote))) return noShell
  const outcome = await exec('command -v openssl', signal)
  if (outcome.kind !== 'finished' || outcome.status !== 0 || !outcome.stdout.trim().endsWith('openssl'))
    return noShell
  return { by: 'openssl', carriesFiles: /^\S*openssl\n$/.test(outcome.stdout) }
}

/**
 * Computes the SHA-256 of files on the machine. `unknown`: the machine has no sha256sum, or its output is not understood.
 * `too-slow`: the command timed out.
 */
export async function machineSums(
  files: readonly JobFile[],
  channel: Pick<TransferChannel, 'exec' | 'signsInAgain'>,
  signal: AbortSignal,
  by: SumCommand = 'sha256sum',
): Promise<ReadonlyMap<JobFile, string> | 'unknown' | 'too-slow'> {
  if (!files.every(({ remote }) => isPlain(remote))) return 'unknown'
  const sums = new Map<JobFile, string>()
  const folder = folderOf(files)
  type Group = ReturnType<typeof commandGroups>[number]
  const addSums = async (group: Group): Promise<'unknown' | 'too-slow' | null> => {
    const names = group.map(({ name }) => name).join(' ')
    const outcome = await channel.exec(
      `cd ${posixQuoted(folder || '/')} && ${commands[by]} ${names} | cut -c 1-64`,
      signal,
    )
    if (outcome.kind === 'timed-out') return 'too-slow'
    if (outcome.kind !== 'finished' || outcome.status !== 0) return 'unknown'
    const lines = outcome.stdout.split('\n').flatMap((text) => /^[0-9a-f]{64}(?=\s|$)/.exec(text) ?? [])
    if (lines.length !== group.length) return 'unknown'
    group.forEach(({ file }, index) => sums.set(file, lines[index] ?? ''))
    return null
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const isOneByOne = bytes > maxParallelBytes || channel.signsInAgain === true
  const limit = pLimit(isOneByOne ? 1 : 2)
  let problem: Awaited<ReturnType<typeof addSums>> = null
  const added = commandGroups(files, folder).map((group) =>
    limit(async () => {
      if (problem !== null) return
      const result = await addSums(group)
      problem ??= result
    }),
  )
  await Promise.all(added).finally(() => limit.clearQueue())
  if (problem === 'unknown' && by !== 'sha256sum') return machineSums(files, channel, signal)
  return problem ?? sums
}

/** Returns the files whose SHA-256 differs on the machine. `unknown`: the machine does not report checksums. */
export async function differingFiles(
  files: readonly JobFile[],
  channel: Pick<TransferChannel, 'exec' | 'signsInAgain'>,
  signal: AbortSignal,
  by?: SumCommand,
): Promise<readonly JobFile[] | 'unknown'> {
  const sums = await machineSums(files, channel, signal, by)
  return typeof sums === 'string' ? 'unknown' : files.filter((file) => sums.get(file) !== file.digest)
}
