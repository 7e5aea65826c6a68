import pLimit from 'p-limit'
import type { SshConnection } from '../ssh/client/transport'
import { posixQuoted } from '../ssh/launcher/quoting'
import type { JobFile } from './transfer-job'
import type { TransferChannel } from './transfer-channel'

/** Characters of one command at most. */
const longestCommand = 30_000
/** Files of one command at most: the answer, of 65 characters each, is read up to 64 kB. */
const mostInOne = 900
/** Bytes of them together that a slow disk reads before the command counts as too slow; a larger file goes alone. */
const mostBytes = 2 * 1024 ** 3

/** Bytes up to which two commands are asked at once: of more a disk reads one file after the other soonest. */
const mostBeside = 256 * 1024 ** 2

/** Whether Windows calls a path so. */
export const isWindows = (path: string): boolean => /^\/[a-z]:/i.test(path)

/**
 * Shells read these differently between quotes, and sha256sum escapes them. What Windows calls `/C:/…` is in no shell's
 * command: cmd and PowerShell would run what a name may hold.
 */
export const isPlain = (path: string): boolean => !isWindows(path) && !/[\\!\p{Cc}]/u.test(path)

/** The folder that all are in, without its last slash: names are shorter from there. */
function folderOf(files: readonly JobFile[]): string {
  const folders = files.map(({ remote }) => remote.split('/').slice(0, -1))
  const [first = []] = folders
  const differs = first.findIndex((name, depth) => folders.some((folder) => folder[depth] !== name))
  const shortest = Math.min(...new Set(folders.map(({ length }) => length)))
  return first.slice(0, Math.min(differs < 0 ? first.length : differs, shortest)).join('/')
}

/** The files in groups that fit one command each, with how a command names them in `folder`. */
function groups(files: readonly JobFile[], folder: string) {
  const all: { file: JobFile; name: string }[][] = []
  let room = 0
  let bytes = 0
  for (const file of files) {
    const name = posixQuoted(`.${file.remote.slice(folder.length)}`)
    const length = Buffer.byteLength(name) + 1
    const last = all.at(-1)
    if (last && last.length < mostInOne && length <= room && bytes + file.size <= mostBytes)
      last.push({ file, name })
    else {
      all.push([{ file, name }])
      bytes = 0
      room = longestCommand - Buffer.byteLength(folder)
    }
    room -= length
    bytes += file.size
  }
  return all
}

const commands = { sha256sum: 'sha256sum --', openssl: 'openssl dgst -sha256 -r' } as const
type SumCommand = keyof typeof commands

export interface MachineShell {
  /** What makes checksums soonest: some sha256sums leave the processor's own instructions unused, OpenSSL does not. */
  readonly by: SumCommand
  /** It prints nothing by itself, so that the bytes of a file can go through a command; and there is OpenSSL. */
  readonly carriesFiles: boolean
}
export const noShell: MachineShell = { by: 'sha256sum', carriesFiles: false }

/** What there is on the machine for these files. */
export async function shellFor(
  files: readonly JobFile[],
  exec: SshConnection['exec'],
  signal: AbortSignal,
): Promise<MachineShell> {
  if (files.length === 0 || !files.every(({ remote }) => isPlain(remote))) return noShell
  const found = await exec('command -v openssl', signal)
  if (found.kind !== 'finished' || found.status !== 0 || !found.stdout.trim().endsWith('openssl'))
    return noShell
  return { by: 'openssl', carriesFiles: /^\S*openssl\n$/.test(found.stdout) }
}

/**
 * The SHA-256 of what the machine has, by file. `unknown`: it has no sha256sum, or said something else. `too-slow`: it
 * would take as long again.
 */
export async function machineSums(
  files: readonly JobFile[],
  line: Pick<TransferChannel, 'exec' | 'signsInAgain'>,
  signal: AbortSignal,
  by: SumCommand = 'sha256sum',
): Promise<ReadonlyMap<JobFile, string> | 'unknown' | 'too-slow'> {
  if (!files.every(({ remote }) => isPlain(remote))) return 'unknown'
  const found = new Map<JobFile, string>()
  const folder = folderOf(files)
  const ask = async (group: ReturnType<typeof groups>[number]): Promise<'unknown' | 'too-slow' | null> => {
    const names = group.map(({ name }) => name).join(' ')
    const outcome = await line.exec(
      `cd ${posixQuoted(folder || '/')} && ${commands[by]} ${names} | cut -c 1-64`,
      signal,
    )
    if (outcome.kind === 'timed-out') return 'too-slow'
    if (outcome.kind !== 'finished' || outcome.status !== 0) return 'unknown'
    const sums = outcome.stdout.split('\n').flatMap((text) => /^[0-9a-f]{64}(?=\s|$)/.exec(text) ?? [])
    if (sums.length !== group.length) return 'unknown'
    group.forEach(({ file }, index) => found.set(file, sums[index] ?? ''))
    return null
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const isOneByOne = bytes > mostBeside || line.signsInAgain === true
  const limit = pLimit(isOneByOne ? 1 : 2)
  let problem: Awaited<ReturnType<typeof ask>> = null
  const asked = groups(files, folder).map((group) =>
    limit(async () => {
      if (problem !== null) return
      const said = await ask(group)
      problem ??= said
    }),
  )
  await Promise.all(asked).finally(() => limit.clearQueue())
  if (problem === 'unknown' && by !== 'sha256sum') return machineSums(files, line, signal)
  return problem ?? found
}

/** The files whose SHA-256 differs between both sides. `unknown`: the machine does not say. */
export async function differingFiles(
  files: readonly JobFile[],
  line: Pick<TransferChannel, 'exec' | 'signsInAgain'>,
  signal: AbortSignal,
  by?: SumCommand,
): Promise<readonly JobFile[] | 'unknown'> {
  const sums = await machineSums(files, line, signal, by)
  return typeof sums === 'string' ? 'unknown' : files.filter((file) => sums.get(file) !== file.digest)
}
