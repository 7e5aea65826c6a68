import type { StoreState } from '#shared/bridge/store'
import { failureOf, isFullDisk } from '../core/failure-of'
import { writeFileAtomic } from './atomic-file'
import type { Keychain } from './keychain'
import { errorMessage } from './settings-file'
import type { DigestCheck, StoreDigest } from './store-digest'
import type { StoreFiles } from './store-files'
import { findKey, makeKey, parseKeyId } from './store-key'

/** Messages of libsecret and keytar for a missing keychain, as opposed to a locked one. */
const noKeychain =
  /not installed|autolaunch|ServiceUnknown|not provided by any|connect to|No such (file|interface)/i

const keychainState = (reason: string): StoreState => ({
  kind: noKeychain.test(reason) ? 'no-keychain' : 'locked',
  reason,
})

export const stateOfFailure = (error: unknown): StoreState => {
  const failure = failureOf(error, 'store.open')
  if (failure.kind === 'keychain-unavailable') return keychainState(failure.reason)
  return isFullDisk(error) ? { kind: 'disk-full' } : { kind: 'failed', reason: errorMessage(error) }
}

interface FileUnlockDeps {
  readonly files: StoreFiles
  readonly keychain: Keychain
  readonly digest: StoreDigest
  isClosed(): boolean
}

export interface UnlockedFile {
  readonly key: string
  readonly check: DigestCheck
}

export function createFileUnlock({ files, keychain, digest, isClosed }: FileUnlockDeps) {
  let writingKeyId: Promise<void> = Promise.resolve()

  /** Returns the state if the key is unavailable, and undefined if the store was closed in between. */
  async function findOrMakeKey(byUser: boolean): Promise<string | StoreState | undefined> {
    // An account may be using the keychain, too.
    if (!byUser) await keychain.idle()
    // A keychain that has just refused would prompt the user again.
    const { available, reason } = keychain.state()
    if (!available && !byUser) return keychainState(reason ?? '')
    const text = files.keyIdText()
    const keyId = text === undefined ? undefined : parseKeyId(text)
    const key = keyId && (await findKey(keychain, keyId))
    if (key !== undefined) return key
    if (files.exists()) return { kind: 'key-lost' }
    if (isClosed()) return undefined
    const made = await makeKey(keychain)
    if (isClosed()) return undefined
    // Written before the database, so that no file ever lacks its key id.
    writingKeyId = writeFileAtomic(files.keyIdPath, `${JSON.stringify(made.keyId)}\n`)
    await writingKeyId
    return made.key
  }

  return {
    /**
     * Creates the file if it is missing, and checks its digest. `byUser`: the user asked for it, so the keychain may
     * prompt. Returns the state if that fails, and undefined if the store was closed in between. Never fails.
     */
    async unlock(byUser: boolean): Promise<UnlockedFile | StoreState | undefined> {
      try {
        const key = await findOrMakeKey(byUser)
        if (typeof key !== 'string') return key
        if (isClosed()) return undefined
        files.create()
        return { key, check: await digest.check(key) }
      } catch (error) {
        return stateOfFailure(error)
      }
    },
    idle: (): Promise<void> => writingKeyId.catch(() => undefined),
  }
}
