import { FailureError } from '#shared/failure'
import { createEmitter, type Subscribe } from '#shared/emitter'
import { createMutex } from '../core/mutex'

/** Whether secrets can be kept, as the last use of the keychain showed; `reason` in the system's words. */
export interface KeychainState {
  readonly available: boolean
  readonly reason: string | null
}

/** The operating system's keychain. Every call fails with keychain-unavailable and nothing else. */
export interface Keychain {
  state(): KeychainState
  readonly onChange: Subscribe<KeychainState>
  read(entry: string): Promise<string | undefined>
  /** Where it fails, nothing is kept. */
  write(entry: string, secret: string): Promise<void>
  /** Where it succeeds, nothing is kept any more. */
  remove(entry: string): Promise<void>
  /**
   * Finds out whether it can be used now, with a read that opens no prompt. Such a read succeeds on a locked keyring too:
   * after the person refused to open one, the state stays as it is.
   */
  check(): Promise<KeychainState>
  /** Settles once the calls made so far have ended. */
  idle(): Promise<void>
  /** Whether a call still waits for the system, as it does while a locked keyring asks for its password. */
  busy(): boolean
}

/** What keytar offers of the system's keychain. */
export interface SecretStore {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

/** An entry that is never kept: read, it shows whether the keychain answers; written, whether it is open. */
const probe = 'check'

const usable: KeychainState = { available: true, reason: null }

const loadKeytar = async (): Promise<SecretStore> => (await import('keytar')).default

const reasonOf = (error: unknown): string => {
  if (error instanceof Error && 'code' in error && /MODULE_NOT_FOUND/.test(String(error.code))) {
    return 'keytar is not installed'
  }
  return error instanceof Error ? error.message : String(error)
}

/**
 * The system's keychain under the service name "Wheelhouse". Calls go one at a time: each may block a thread of the
 * pool that files and DNS share, for as long as a locked keyring waits for its password. One that takes longer than
 * `seconds` is given up; until it ends after all, the others fail at once.
 */
export const openKeychain = ({
  load = loadKeytar,
  service = 'Wheelhouse',
  seconds = 10,
}: {
  readonly load?: () => Promise<SecretStore>
  readonly service?: string
  readonly seconds?: number
} = {}): Keychain => {
  const changed = createEmitter<KeychainState>()
  let state = usable
  let stuck = false
  let waiting = 0
  let readShowsState = true
  const mutex = createMutex()

  /** Whether a read succeeds although the keychain cannot be used, as on a locked keyring. */
  const answersRead = (): Promise<boolean> =>
    load()
      .then((store) => store.getPassword(service, probe))
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
        reject(fail(`no answer for ${String(seconds)} seconds`))
      }, seconds * 1000)
      const ended = (next: KeychainState): void => {
        clearTimeout(timer)
        stuck = false
        waiting -= 1
        replace(next)
      }
      operation
        .then(async (value) => {
          if (!inTime) await undo()
          ended(usable)
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
        // A locked keyring that the person does not open answers that there was nothing; a write fails on it.
        await store.setPassword(service, probe, probe)
        await store.deletePassword(service, probe)
        await store.deletePassword(service, entry)
      }),
    check: async () => {
      if (readShowsState) await use((store) => store.getPassword(service, probe)).catch(() => undefined)
      return state
    },
  }
}
