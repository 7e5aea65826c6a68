import { FailureError } from '#shared/failure'
import { createEmitter, type Subscribe } from '#shared/emitter'
import { createMutex } from '../core/mutex'

/** Whether secrets can be stored, by the last use of the keychain. `reason` is the system's message. */
export interface KeychainState {
  readonly available: boolean
  readonly reason: string | null
}

export interface Keychain {
  state(): KeychainState
  readonly onChange: Subscribe<KeychainState>
  read(entry: string): Promise<string | undefined>
  /** If it fails, nothing is stored. */
  write(entry: string, secret: string): Promise<void>
  remove(entry: string): Promise<void>
  /**
   * Checks with a read that opens no prompt. On a locked keyring such a read may succeed, so the state stays if the
   * user refused to unlock it.
   */
  check(): Promise<KeychainState>
  /** Resolves when the calls made so far have ended. */
  idle(): Promise<void>
  /** Whether a call waits for the system, such as for the password of a locked keyring. */
  busy(): boolean
}

export interface SecretStore {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

/** Name of a test entry. Reading it shows whether the keychain answers, writing it whether it is unlocked. */
const testEntry = 'check'

const availableState: KeychainState = { available: true, reason: null }

const loadKeytar = async (): Promise<SecretStore> => (await import('keytar')).default

const reasonOf = (error: unknown): string => {
  if (error instanceof Error && 'code' in error && /MODULE_NOT_FOUND/.test(String(error.code))) {
    return 'keytar is not installed'
  }
  return error instanceof Error ? error.message : String(error)
}

/**
 * Opens the system's keychain under the service name "Wheelhouse". Calls run one at a time, because a locked keyring
 * blocks a thread of the pool that files and DNS share. A call times out after `timeoutSeconds`; until it ends,
 * further calls fail at once.
 */
export const openKeychain = ({
  load = loadKeytar,
  service = 'Wheelhouse',
  timeoutSeconds = 10,
}: {
  readonly load?: () => Promise<SecretStore>
  readonly service?: string
  readonly timeoutSeconds?: number
} = {}): Keychain => {
  const changed = createEmitter<KeychainState>()
  let state = availableState
  let stuck = false
  let waiting = 0
  let readShowsState = true
  const mutex = createMutex()

  /** Whether reads succeed although the keychain is unavailable, as on a locked keyring. */
  const answersRead = (): Promise<boolean> =>
    load()
      .then((store) => store.getPassword(service, testEntry))
      .then(
        () => true,
        () => false,
      )

  const replace = (next: KeychainState): void => {
    const before = state
    state = next
    if (next.available !== before.available || next.reason !== before.reason) changed.emit(state)
  }

  const fail = (reason: string): FailureError => {
    replace({ available: false, reason })
    return new FailureError({ kind: 'keychain-unavailable', reason })
  }

  const withinLimit = <Value>(operation: Promise<Value>, undo: () => Promise<unknown>): Promise<Value> =>
    new Promise((resolve, reject) => {
      let inTime = true
      waiting += 1
      const timer = setTimeout(() => {
        inTime = false
        stuck = true
        reject(fail(`no answer for ${String(timeoutSeconds)} seconds`))
      }, timeoutSeconds * 1000)
      const ended = (next: KeychainState): void => {
        clearTimeout(timer)
        stuck = false
        waiting -= 1
        replace(next)
      }
      operation
        .then(async (value) => {
          if (!inTime) await undo()
          ended(availableState)
          resolve(value)
        })
        .catch(async (error: unknown) => {
          const reason = reasonOf(error)
          readShowsState = !(await answersRead())
          ended({ available: false, reason })
          reject(new FailureError({ kind: 'keychain-unavailable', reason }))
        })
    })

  const use = <Value>(
    operation: (store: SecretStore) => Promise<Value>,
    undo: (store: SecretStore) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Value> =>
    mutex(() => {
      if (stuck) throw fail(state.reason ?? 'no answer')
      const store = load()
      return withinLimit(store.then(operation), () => store.then(undo))
    })

  const read = async (entry: string): Promise<string | undefined> =>
    (await use((store) => store.getPassword(service, entry))) ?? undefined

  return {
    state: () => state,
    busy: () => waiting > 0,
    idle: () => mutex(() => Promise.resolve()),
    onChange: changed.on,
    read,
    write: (entry, secret) =>
      use(
        (store) => store.setPassword(service, entry, secret),
        (store) => store.deletePassword(service, entry),
      ),
    remove: (entry) =>
      use(async (store) => {
        if (await store.deletePassword(service, entry)) return
        // A locked keyring reports a missing entry. Writing the test entry fails on it.
        await store.setPassword(service, testEntry, testEntry)
        await store.deletePassword(service, testEntry)
        await store.deletePassword(service, entry)
      }),
    check: async () => {
      if (readShowsState) await use((store) => store.getPassword(service, testEntry)).catch(() => undefined)
      return state
    },
  }
}
