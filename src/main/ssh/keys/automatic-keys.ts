import type { KeyPlaces } from '../client/agent-keys'
import { isUsualKey, publicHalfBytes, readStart } from '../client/identities'
import { isPublicKey, listKeys } from './key-list'

/** `blob`: the offered public key, or the certificate of `key`. */
interface AutomaticKey {
  readonly blob: Buffer
  readonly key: Buffer
}

const blobIn = (line: string): Buffer | null => {
  const blob = Buffer.from(line.trim().split(/\s+/)[1] ?? '', 'base64')
  return isPublicKey(blob) ? blob : null
}

/** Returns the keys that ssh offers without a chosen key: of the agent and the default files, with their certificates. Never fails. */
export async function automaticKeys(places: KeyPlaces): Promise<readonly AutomaticKey[]> {
  const { keys } = await listKeys(places)
  const offered = await Promise.all(
    keys.map(async ({ path, inAgent, publicKey }) => {
      const isUsual = path !== null && isUsualKey(path)
      const key = (isUsual || inAgent) && publicKey !== null ? blobIn(publicKey) : null
      if (key === null) return []
      const certificateText = isUsual
        ? await readStart(`${path}-cert.pub`, publicHalfBytes).catch(() => '')
        : ''
      const certificate = blobIn(certificateText)
      return [...(certificate ? [{ blob: certificate, key }] : []), { blob: key, key }]
    }),
  )
  return offered.flat()
}
