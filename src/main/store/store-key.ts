import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Keychain } from './keychain'

/** Identifies the key of a file and verifies it. Not secret. */
const KeyId = z.object({ version: z.literal(1), keyId: z.uuid(), verifier: z.string() })
export type KeyId = z.infer<typeof KeyId>

const keyBytes = 32
const Key = z.string().regex(/^[0-9a-f]{64}$/)

const entryOf = (keyId: string): string => `store/${keyId}`

/** Distinguishes a wrong key from damage, which the library cannot. */
const verifierOf = (key: string, keyId: string): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(`wheelhouse store ${keyId}`).digest('hex')

const isKeyOf = (key: string, { keyId, verifier }: KeyId): boolean => {
  const [expected, actual] = [Buffer.from(verifierOf(key, keyId)), Buffer.from(verifier)]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

export const parseKeyId = (text: string): KeyId | undefined => {
  try {
    return KeyId.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Creates a key and stores it in the keychain. Fails with keychain-unavailable. */
export async function makeKey(keychain: Keychain): Promise<{ readonly key: string; readonly keyId: KeyId }> {
  const keyId = randomUUID()
  const key = randomBytes(keyBytes).toString('hex')
  await keychain.write(entryOf(keyId), key)
  return { key, keyId: { version: 1, keyId, verifier: verifierOf(key, keyId) } }
}

/** Returns the key of this id if the keychain returns it. Fails with keychain-unavailable. */
export async function readKey(keychain: Pick<Keychain, 'read'>, keyId: KeyId): Promise<string | undefined> {
  const key = Key.safeParse(await keychain.read(entryOf(keyId.keyId))).data
  return key !== undefined && isKeyOf(key, keyId) ? key : undefined
}

/**
 * Returns the key of this id, or undefined if the unlocked keychain lacks it. A locked keychain may return nothing
 * for a read, so a missing key is verified with a write. Fails with keychain-unavailable.
 */
export async function findKey(keychain: Keychain, keyId: KeyId): Promise<string | undefined> {
  const key = await readKey(keychain, keyId)
  if (key !== undefined) return key
  await proveOpen(keychain)
  return undefined
}

export const removeKey = (keychain: Keychain, { keyId }: KeyId): Promise<void> =>
  keychain.remove(entryOf(keyId))

/** Fails with keychain-unavailable if the keychain is locked. */
export async function proveOpen(keychain: Pick<Keychain, 'write' | 'remove'>): Promise<void> {
  const entry = entryOf('check')
  await keychain.write(entry, 'check')
  await keychain.remove(entry)
}
