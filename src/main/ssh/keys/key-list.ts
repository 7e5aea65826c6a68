import { readdir } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import type { SshKeysView, SshKeyView } from '#shared/bridge/ssh-key'
import { agentKeys, agentSocket, type KeyPlaces } from '../client/agent-keys'
import { fingerprint, hostKeyOf } from '../client/host-key'
import { isPlainPath } from '../client/plain-values'
import { readKeyFile } from '../client/key-file'

/** Files of ~/.ssh that are looked at: far more than keys that a person has. */
const mostFiles = 500
const atOnce = 16

export const fingerprintOf = (blob: Buffer): string => fingerprint(hostKeyOf(blob))

/** A blob that begins with its type, as every public key does; a type is one word (RFC 4251 §6). */
export const isPublicKey = (blob: Buffer | null): blob is Buffer =>
  blob !== null &&
  blob.length > 4 &&
  blob.readUInt32BE(0) <= Math.min(100, blob.length - 4) &&
  /^[!-~]+$/.test(hostKeyOf(blob).type)

const publicLine = (blob: Buffer, comment: string | null): string =>
  [hostKeyOf(blob).type, blob.toString('base64'), ...(comment === null ? [] : [comment])].join(' ')

/** One line, as a file and a clipboard take it. */
const plainComment = (comment: string | null): string | null =>
  comment
    ?.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200) || null

type Found = Omit<SshKeyView, 'machines'>

const keyOf = (
  blob: Buffer,
  comment: string | null,
): Pick<Found, 'fingerprint' | 'type' | 'hardware' | 'publicKey' | 'comment'> => {
  const { type } = hostKeyOf(blob)
  return {
    fingerprint: fingerprintOf(blob),
    type,
    comment,
    hardware: type.startsWith('sk-'),
    publicKey: publicLine(blob, comment),
  }
}

const unknownKey = { fingerprint: null, type: null, hardware: false, publicKey: null }

/**
 * The private keys in ~/.ssh and those of the agent, each once, by path. No file is read that is none, or longer than
 * any key; no passphrase is asked for. Never fails.
 */
export async function listKeys(places: KeyPlaces): Promise<Omit<SshKeysView, 'keys'> & { keys: Found[] }> {
  const { home, platform } = places
  const { join } = platform === 'win32' ? win32 : posix
  const folder = join(home, '.ssh')
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => !name.endsWith('.pub'))
  const paths = names
    .toSorted()
    .slice(0, mostFiles)
    .map((name) => join(folder, name))
    .filter((path) => isPlainPath(path, platform))
  const socket = agentSocket(places)
  const held = socket === undefined ? null : await agentKeys(socket)
  const left = new Map(
    (held ?? []).filter(({ blob }) => isPublicKey(blob)).map((key) => [fingerprintOf(key.blob), key]),
  )

  const keys: Found[] = []
  for (let at = 0; at < paths.length; at += atOnce) {
    const files = await Promise.all(paths.slice(at, at + atOnce).map(readKeyFile))
    for (const file of files) {
      if (file === null) continue
      const { path, encrypted } = file
      const comment = plainComment(file.comment)
      if (!isPublicKey(file.blob)) {
        keys.push({ ...unknownKey, path, comment, encrypted, inAgent: false })
        continue
      }
      const print = fingerprintOf(file.blob)
      const agentKey = left.get(print)
      const inAgent = agentKey !== undefined || keys.some((key) => key.inAgent && key.fingerprint === print)
      left.delete(print)
      const words = comment ?? plainComment(agentKey?.comment ?? null)
      keys.push({ ...keyOf(file.blob, words), path, encrypted, inAgent })
    }
  }
  for (const { blob, comment } of left.values())
    keys.push({ ...keyOf(blob, plainComment(comment)), path: null, encrypted: null, inAgent: true })
  return { folder, hasAgent: held !== null, isCut: names.length > mostFiles, keys }
}
