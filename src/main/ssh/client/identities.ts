import { open, readdir, stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import type { IdentityView } from '#shared/bridge/ssh'
import { type KeyText, keyTextIn } from './key-text'
import { isPlainPath, refused } from './plain-values'

/** Upper bound on a private key file. */
export const maxKeyBytes = 100_000
/** Upper bound on a public key line: an RSA key of 16,384 bits takes 2,750 bytes. */
export const publicHalfBytes = 8_192

/** Whether a path is a default identity file of ssh (ssh_config(5), IdentityFile). */
export const isUsualKey = (path: string): boolean =>
  /[/\\]\.ssh[/\\]id_(?:rsa|dsa|xmss|(?:ecdsa|ed25519)(?:_sk)?)$/.test(path)

/** Reads the beginning of a text file. Fails if it is no plain file: reading a pipe would wait for its writer. */
export const readStart = async (path: string, bytes: number): Promise<string> => {
  if (!(await stat(path)).isFile()) throw new Error(`${path} is no file`)
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Reads the private key in a file; null: the file holds none, is no file, or can't be read. */
const keyIn = async (path: string): Promise<KeyText | null> => {
  try {
    return keyTextIn(await readStart(path, maxKeyBytes))
  } catch {
    return null
  }
}

/** Reads the type and comment of a public key file; nulls if it is missing or malformed. */
const publicHalf = async (path: string): Promise<Omit<IdentityView, 'path'>> => {
  const unknown = { type: null, comment: null }
  try {
    const [line = ''] = (await readStart(`${path}.pub`, publicHalfBytes)).split(/\r?\n/, 1)
    const [, type, comment] = /^([a-z0-9@.-]+) [A-Za-z0-9+/=]+(?: (.*))?$/.exec(line.trim()) ?? []
    return type === undefined ? unknown : { type, comment: comment?.trim() || null }
  } catch {
    return unknown
  }
}

const pathsOf = (platform: NodeJS.Platform) => (platform === 'win32' ? win32 : posix)

/** Lists the private keys in ~/.ssh that ssh reads, by name. */
export const listIdentities = async (
  home: string,
  platform: NodeJS.Platform,
): Promise<readonly IdentityView[]> => {
  const { join } = pathsOf(platform)
  const folder = join(home, '.ssh')
  const names = await readdir(folder).catch((): string[] => [])
  const identities = await Promise.all(
    names.toSorted().map(async (name) => {
      const path = join(folder, name)
      if (!isPlainPath(path, platform) || (await keyIn(path))?.kind !== 'key') return []
      return [{ path, ...(await publicHalf(path)) }]
    }),
  )
  return identities.flat()
}

/** Expands `~` in a path that the user typed. */
export const expandedPath = (typed: string, home: string, platform: NodeJS.Platform): string => {
  const { join, normalize } = pathsOf(platform)
  const path = typed.trim()
  return path === '~' || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : normalize(path)
}

/**
 * Returns the absolute path of a private key. Fails with invalid-input (identityFile): not-a-file if there is no private
 * key, putty-key and damaged-key if ssh can't read it, malformed if ssh would not accept the name.
 */
export const checkedIdentity = async (
  typed: string,
  home: string,
  platform: NodeJS.Platform,
): Promise<string> => {
  const path = expandedPath(typed, home, platform)
  if (!isPlainPath(path, platform)) throw refused('identityFile', 'malformed')
  const key = pathsOf(platform).isAbsolute(path) ? await keyIn(path) : null
  if (key === null) throw refused('identityFile', 'not-a-file')
  if (key.kind === 'putty') throw refused('identityFile', 'putty-key')
  if (key.kind === 'damaged') throw refused('identityFile', 'damaged-key')
  return path
}
