import { execFile } from 'node:child_process'
import { access, lstat, mkdir, readFile, readdir, rm, stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import type { PublicKeyView } from '#shared/bridge/creation'
import { FailureError } from '#shared/failure'
import { parsePublicKey } from '#shared/ssh-public-key'
import type { Action } from '#shared/messages/en/actions'
import { fileFailure } from '../../core/failure-of'
import { terminalEnvironment } from '../launcher/environment'
import { readKeyFile } from '../client/key-file'
import { findProgram, variable } from '../launcher/find-program'

export interface KeyPlace {
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
}

/** Upper bound on a public key file: an RSA key of 16,384 bits takes 2,750 bytes. */
const maxKeyFileBytes = 16_384
const keygenTimeoutMs = 30_000

const pathsOf = (platform: NodeJS.Platform) => (platform === 'win32' ? win32 : posix)

const exists = async (path: string): Promise<boolean> => {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}

/** Whether anything has this path, also a broken link: ssh-keygen would write the key to its target. */
const isTaken = async (path: string): Promise<boolean> => {
  try {
    await lstat(path)
    return true
  } catch {
    return false
  }
}

/** Reads a public key file; null: it contains no key. */
const readKey = async (path: string): Promise<PublicKeyView | null> => {
  try {
    const stats = await stat(path)
    if (!stats.isFile() || stats.size > maxKeyFileBytes) return null
    const text = (await readFile(path, 'utf8')).trim()
    const key = parsePublicKey(text)
    if (key === null) return null
    const identityFile = path.slice(0, -'.pub'.length)
    return {
      path,
      type: key.type,
      comment: key.comment || null,
      publicKey: text,
      identityFile: (await exists(identityFile)) ? identityFile : null,
    }
  } catch {
    // Removed since it was listed, or not readable.
    return null
  }
}

/** Lists the public keys in ~/.ssh by name. */
export async function listKeys({ home, platform }: KeyPlace): Promise<PublicKeyView[]> {
  const { join } = pathsOf(platform)
  const folder = join(home, '.ssh')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.pub')).toSorted()
  const keys = await Promise.all(names.map((name) => readKey(join(folder, name))))
  return keys.filter((key) => key !== null)
}

/** Returns a free name for a new key in ~/.ssh. */
export async function freeKeyName({ home, platform }: KeyPlace): Promise<string> {
  const { join } = pathsOf(platform)
  const names = new Set(await readdir(join(home, '.ssh')).catch(() => []))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'wheelhouse_ed25519' : `wheelhouse_ed25519_${String(number)}`
    if (!names.has(name) && !names.has(`${name}.pub`)) return name
  }
}

/** ssh-keygen failed, for this reason. */
export const keygenFault = (reason: string): FailureError =>
  new FailureError({ kind: 'local-fault', action: 'sshKeys.keygen' satisfies Action, reason })

/** Message of ssh-keygen on a full disk (strerror(3) of ENOSPC and EDQUOT). */
const fullDisk = /No space left on device|Disk quota exceeded|not enough space on the disk/i

const findKeygen = ({ platform, env }: KeyPlace): Promise<string | null> =>
  platform === 'win32'
    ? findProgram(
        [
          win32.join(variable(env, 'SystemRoot') ?? 'C:\\Windows', 'System32', 'OpenSSH', 'ssh-keygen.exe'),
          'ssh-keygen.exe',
        ],
        platform,
        env,
      )
    : findProgram(['ssh-keygen'], platform, env)

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = execFile(program, args, { timeout: keygenTimeoutMs, env }, (error, _, stderr) => {
      const reason = stderr.trim() || error?.message
      if (error)
        reject(fullDisk.test(stderr) ? new FailureError({ kind: 'disk-full' }) : keygenFault(reason ?? ''))
      else resolve()
    })
    // The end of input refuses any question, such as whether to overwrite a file.
    child.stdin?.end()
  })

async function removeHalves(path: string): Promise<void> {
  for (const half of [path, `${path}.pub`]) await rm(half, { force: true }).catch(() => undefined)
}

/**
 * Creates an Ed25519 key in ~/.ssh. `asking`: environment by which ssh-keygen gets a passphrase; without it the key has none.
 * Only the owner can read the private half (ssh-keygen sets the mode), and it never passes through this process. Fails with
 * invalid-input (name: already-there), disk-full and local-fault. Leaves no file on a full disk.
 */
export async function generateKey(
  place: KeyPlace,
  name: string,
  comment: string,
  asking?: NodeJS.ProcessEnv,
): Promise<PublicKeyView> {
  const { join } = pathsOf(place.platform)
  const folder = join(place.home, '.ssh')
  const path = join(folder, name)
  if ((await isTaken(path)) || (await isTaken(`${path}.pub`)))
    throw new FailureError({ kind: 'invalid-input', field: 'name', reason: 'already-there' })
  const program = await findKeygen(place)
  if (program === null) throw keygenFault('ssh-keygen was not found')
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw fileFailure(error, 'sshKeys.keygen')
  })
  try {
    await run(
      program,
      // Control characters can't be part of an argument or of a line.
      [
        '-q',
        '-t',
        'ed25519',
        ...(asking ? [] : ['-N', '']),
        '-C',
        comment.replace(/\p{Cc}/gu, ' '),
        '-f',
        path,
      ],
      { ...terminalEnvironment(place.env), ...asking },
    )
    if (asking && !(await readKeyFile(path))?.encrypted) {
      await removeHalves(path)
      throw keygenFault('no passphrase was set')
    }
    const key = await readKey(`${path}.pub`)
    if (key === null) throw keygenFault('no key was written')
    return key
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'disk-full') throw error
    // Removes half a key. After other failures the file may belong to another program.
    await removeHalves(path)
    throw error
  }
}
