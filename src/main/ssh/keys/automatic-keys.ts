import type { KeyPlaces } from '../client/agent-keys'
import { isUsualKey, publicHalfBytes, readStart } from '../client/identities'
import { isPublicKey, listKeys } from './key-list'

/** A public key as it is offered, and the key that it stands for: a certificate beside a file is found by the file. */
interface AutomaticKey {
  readonly blob: Buffer
  readonly key: Buffer
}

const blobIn = (line: string): Buffer | null => {
  const blob = Buffer.from(line.trim().split(/\s+/)[1] ?? '', 'base64')
  return isPublicKey(blob) ? blob : null
}

/** What ssh offers where no key is chosen: the keys of the agent and the usual files, with their certificates. Never fails. */
export async function automaticKeys(places: KeyPlaces): Promise<readonly AutomaticKey[]> {
  const { keys } = await listKeys(places)
  const found = await Promise.all(
    keys.map(async ({ path, inAgent, publicKey }) => {
      const isUsual = path !== null && isUsualKey(path)
      const key = (isUsual || inAgent) && publicKey !== null ? blobIn(publicKey) : null
      if (key === null) return []
      const beside = isUsual ? await readStart(`${path}-cert.pub`, publicHalfBytes).catch(() => '') : ''
      const certificate = blobIn(beside)
      return [...(certificate ? [{ blob: certificate, key }] : []), { blob: key, key }]
    }),
  )
  return found.flat()
}
