import type { SshConnection } from '../ssh/client/transport'
import { posixQuoted } from '../ssh/launcher/quoting'
import type { JobFile } from './job'

/** Characters of one command at most. */
const longestCommand = 30_000
/** Files of one command at most: the answer is read up to 64 kB. */
const mostInOne = 200

/**
 * Shells read these differently between quotes, and sha256sum escapes them. What Windows calls `/C:/…` is in no shell's
 * command: cmd and PowerShell would run what a name may hold.
 */
export const isPlain = (path: string): boolean => !/[\\!\p{Cc}]|^\/[a-z]:/iu.test(path)

/** The files in groups that fit one command each. */
function groups(files: readonly JobFile[]): JobFile[][] {
  const all: JobFile[][] = []
  let room = 0
  for (const file of files) {
    const length = Buffer.byteLength(file.remote) + 80
    const last = all.at(-1)
    if (last && last.length < mostInOne && length <= room) last.push(file)
    else {
      all.push([file])
      room = longestCommand
    }
    room -= length
  }
  return all
}

/**
 * Compares the SHA-256 of both sides. `unknown`: the machine has no sha256sum, was too slow or said something else;
 * else the files whose checksums differ.
 */
export async function differingFiles(
  files: readonly JobFile[],
  exec: SshConnection['exec'],
  signal: AbortSignal,
): Promise<readonly JobFile[] | 'unknown'> {
  const differing: JobFile[] = []
  if (!files.every(({ remote }) => isPlain(remote))) return 'unknown'
  for (const group of groups(files)) {
    const outcome = await exec(
      `sha256sum -- ${group.map(({ remote }) => posixQuoted(remote)).join(' ')}`,
      signal,
    )
    if (outcome.kind !== 'finished' || outcome.status !== 0) return 'unknown'
    const sums = outcome.stdout.split('\n').flatMap((line) => /^[0-9a-f]{64}(?=\s)/.exec(line) ?? [])
    if (sums.length !== group.length) return 'unknown'
    differing.push(...group.filter(({ digest }, index) => digest !== sums[index]))
  }
  return differing
}
