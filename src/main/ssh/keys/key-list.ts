import { readdir } from 'node:fs/promises'
import { posix, win32 } from 'node:path'
import type { SshKeysView, SshKeyView } from '#shared/bridge/ssh-key'
import { agentKeys, agentSocket, type KeyPlaces } from '../client/agent-keys'
import { fingerprint, hostKeyOf } from '../client/host-key'
import { isPlainPath } from '../client/plain-values'
import { readKeyFile } from '../client/key-file'

/** Files of ~/.ssh that are read: far more than a user has keys. */
const maxFiles = 500
const filesAtOnce = 16

export const fingerprintOf = (blob: Buffer): string => fingerprint(hostKeyOf(blob))

/** Whether a blob begins with a type, as every public key does; a type is one word (RFC 4251 §6). */
export const isPublicKey = (blob: Buffer | null): blob is Buffer =>
  blob !== null &&
  blob.length > 4 &&
  blob.readUInt32BE(0) <= Math.min(100, blob.length - 4) &&
  /^[!-~]+$/.test(hostKeyOf(blob).type)

const publicLine = (blob: Buffer, comment: string | null): string =>
  [hostKeyOf(blob).type, blob.toString('base64'), ...(comment === null ? [] : [comment])].join(' ')

/** Shortens a comment to one line for files and the clipboard. */
const plainComment = (comment: string | null): string | null =>
  comment
    ?.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200) || null

type ListedKey = Omit<SshKeyView, 'machines'>

const keyOf = (
  blob: Buffer,
  comment: string | null,
): Pick<ListedKey, 'fingerprint' | 'type' | 'hardware' | 'publicKey' | 'comment'> => {
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
 * Lists the private keys in ~/.ssh and the keys of the agent, each once, by path. Reads only plain files that are not longer
 * than any key. Needs no passphrase. Never fails.
 */
export async function listKeys(
  places: KeyPlaces,
): Promise<Omit<SshKeysView, 'keys'> & { keys: ListedKey[] }> {
  const { home, platform } = places
  const { join } = platform === 'win32' ? win32 : posix
  const folder = join(home, '.ssh')
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => !name.endsWith('.pub'))
  const paths = names
    .toSorted()
    .slice(0, maxFiles)
    .map((name) => join(folder, name))
    .filter((path) => isPlainPath(path, platform))
  const socket = agentSocket(places)
  const agentHeld = socket === undefined ? null : await agentKeys(socket)
  const unlisted = new Map(
    (agentHeld ?? []).filter(({ blob }) => isPublicKey(blob)).map((key) => [fingerprintOf(key.blob), key]),
  )

  const keys: ListedKey[] = []
  for (let at = 0; at < paths.length; at += filesAtOnce) {
    const files = await Promise.all(paths.slice(at, at + filesAtOnce).map(readKeyFile))
    for (const file of files) {
      if (file === null) continue
      const { path, encrypted } = file
      const comment = plainComment(file.comment)
      if (!isPublicKey(file.blob)) {
        keys.push({ ...unknownKey, path, comment, encrypted, inAgent: false })
        continue
      }
      const print = fingerprintOf(file.blob)
      const agentKey = unlisted.get(print)
      const inAgent = agentKey !== undefined || keys.some((key) => key.inAgent && key.fingerprint === print)
      unlisted.delete(print)
      const words = comment ?? plainComment(agentKey?.comment ?? null)
      keys.push({ ...keyOf(file.blob, words), path, encrypted, inAgent })
    }
  }
  for (const { blob, comment } of unlisted.values())
    keys.push({ ...keyOf(blob, plainComment(comment)), path: null, encrypted: null, inAgent: true })
  return { folder, hasAgent: agentHeld !== null, isCut: names.length > maxFiles, keys }
}
