import type { HandlersOf } from '#shared/bridge/index'
import type { storeCalls, storeEvents, StoreState } from '#shared/bridge/store'
import { failureOf } from '../core/failure-of'
import type { Keychain } from './keychain'
import type { Clock } from '../core/clock'
import { isFullDisk } from '../core/file-failure'
import { createEmitter, type Subscribe } from '#shared/emitter'
import type { EventsOf } from '../core/module'
import { createMutex } from '../core/mutex'
import { writeFileAtomic } from './atomic-file'
import { schema as ownSchema, type Schema } from './schema'
import { words } from './settings-file'
import type { Database } from './sql'
import { loadSqlLibrary, type OpenDatabase, type SqlFault, type SqlLibrary } from './sql-library'
import { createCheckpoints } from './checkpoints'
import { limitCache, openMemoryDatabase, openStoreDatabase } from './store-database'
import { type Rename, storeFiles } from './store-files'
import { type DigestCheck, storeDigest } from './store-digest'
import { findKey, makeKey, parseKeyId } from './store-key'

export type { Database, SqlRow, SqlValue } from './sql'

/** The encrypted local store: wheelhouse.db in the user-data folder. */
export interface Store {
  readonly handlers: HandlersOf<Pick<typeof storeCalls, 'store.state' | 'store.retry' | 'store.startAfresh'>>
  readonly events: EventsOf<typeof storeEvents>
  readonly forgetAccount: 'keeps-nothing'
  state(): StoreState
  readonly onChange: Subscribe<StoreState>
  /**
   * The database. Where the file cannot be used it is one in memory, which lasts until the application is
   * quit; undefined before the store was opened, and where the library does not run. Ask anew each time.
   */
  database(): Database | undefined
  /** The file alone: undefined where what is written would not outlive the application. */
  file(): Database | undefined
  /**
   * Moves what was written into the file, over what was there before. False: it stays in the log for now.
   */
  checkpoint(): boolean
  /** Opens it, unless the keychain has refused before. Never fails: see `state`. */
  open(): Promise<void>
  /** Quarantines a file that cannot be read and begins a new one, where the state is key-lost or damaged. */
  startAfresh(): Promise<void>
  /** Without a window it keeps less of the file in memory. */
  windowChanged(isOpen: boolean): void
  /** The database is closed at once; nothing is written to the folder once it has resolved. */
  close(): Promise<void>
}

export interface StoreDeps {
  /** The user-data folder. */
  readonly folder: string
  readonly keychain: Keychain
  readonly clock: Pick<Clock, 'after'>
  readonly load?: () => Promise<SqlLibrary>
  readonly schema?: Schema
  readonly rename?: Rename
}

/** Seconds between two looks at whether a full disk has room again. */
const roomEvery = 30

/** Says that there is no keychain at all, rather than one that is locked (libsecret's and keytar's words). */
const noKeychain =
  /not installed|autolaunch|ServiceUnknown|not provided by any|connect to|No such (file|interface)/i

const keychainState = (reason: string): StoreState => ({
  kind: noKeychain.test(reason) ? 'no-keychain' : 'locked',
  reason,
})

/** Why the key could not be had or kept. */
const stateOfFailure = (error: unknown): StoreState => {
  const failure = failureOf(error, 'store.open')
  if (failure.kind === 'keychain-unavailable') return keychainState(failure.reason)
  return isFullDisk(error) ? { kind: 'disk-full' } : { kind: 'failed', reason: words(error) }
}

/** The store of this installation. Nothing is opened, and no keychain asked, before `open`. */
export function createStore(deps: StoreDeps): Store {
  const { folder, keychain, clock, load = loadSqlLibrary, schema = ownSchema } = deps
  const files = storeFiles(folder, deps.rename)
  const digest = storeDigest(files.path)
  const checkpoints = createCheckpoints({ path: files.path, digest, clock })
  const changes = createEmitter<StoreState>()
  let state: StoreState = { kind: 'opening' }
  let library: SqlLibrary | undefined
  let file: OpenDatabase | undefined
  let memory: OpenDatabase | undefined
  let quarantined: string | null = null
  let wanted = false
  let ended = false
  /** The key id on its way to the disk. */
  let writing: Promise<void> = Promise.resolve()
  let cancel: () => void = () => undefined
  let isWindowOpen = true

  function replace(next: StoreState): void {
    if (ended) return
    cancel()
    cancel = next.kind === 'disk-full' ? clock.after(roomEvery, lookForRoom) : () => undefined
    state = next
    if (file) {
      memory?.close()
      memory = undefined
    } else if (library && next.kind !== 'opening') memory ??= openMemoryDatabase(library, schema)
    changes.emit(next)
  }

  function lookForRoom(): void {
    if (!files.hasRoom()) cancel = clock.after(roomEvery, lookForRoom)
    else if (file) replace({ kind: 'open', quarantined })
    else void open()
  }

  const runExclusive = createMutex()

  function onFault(fault: SqlFault, reason: string): void {
    if (fault === 'disk-full' && state.kind === 'open') replace({ kind: 'disk-full' })
    if (fault !== 'damaged' || !file) return
    const broken = file
    // Later: the statement that found the damage is still being run. More than one may find it.
    setImmediate(
      () => void runExclusive(async () => (file === broken && !ended ? replaceDamaged(reason) : undefined)),
    )
  }

  /** Puts what cannot be read out of the way and begins anew. */
  async function replaceDamaged(reason: string): Promise<void> {
    checkpoints.end()
    digest.drop()
    file?.close()
    file = undefined
    try {
      // Windows does not rename a file that was open a moment ago.
      files.quarantineAtNextStart()
      quarantined = files.quarantine()
    } catch (error) {
      return replace({ kind: 'damaged', reason: [reason, words(error)].join('; ') })
    }
    await openFile({ replaced: true, asked: true })
  }

  /** The key of the file, and of a new file a new one; or why there is none. Fails with keychain-unavailable. */
  async function keyOfFile(asked: boolean): Promise<string | StoreState> {
    // An account may be asking it, too.
    if (!asked) await keychain.idle()
    // A keychain that has just refused would only ask the person once more.
    const { available, reason } = keychain.state()
    if (!available && !asked) return keychainState(reason ?? '')
    const text = files.keyIdText()
    const keyId = text === undefined ? undefined : parseKeyId(text)
    const key = keyId && (await findKey(keychain, keyId))
    if (key !== undefined) return key
    if (files.exists()) return { kind: 'key-lost' }
    if (ended) return state
    const made = await makeKey(keychain)
    if (ended) return state
    // Before the database, so that no file ever lacks its key id.
    writing = writeFileAtomic(files.keyIdPath, `${JSON.stringify(made.keyId)}\n`)
    await writing
    return made.key
  }

  async function openFile({ replaced = false, asked = false } = {}): Promise<void> {
    let key: string | StoreState
    let found: DigestCheck
    try {
      library ??= await load()
    } catch (error) {
      return replace({ kind: 'unsupported', reason: words(error) })
    }
    try {
      quarantined ??= files.quarantineIfAsked()
      key = await keyOfFile(asked)
      if (typeof key !== 'string') return replace(key)
      if (ended) return
      files.create()
      found = await digest.check(key)
    } catch (error) {
      return replace(stateOfFailure(error))
    }
    if (ended) return
    if (found === 'altered') return replaceDamaged('the file is not as it was when it was closed')
    const isVerified = found === 'same'
    const opened = openStoreDatabase(library, { path: files.path, key, schema, isVerified, onFault })
    switch (opened.kind) {
      case 'open':
        file = opened.database
        if (!isWindowOpen) limitCache(file, false)
        checkpoints.begin(file, key, isVerified)
        return replace({ kind: 'open', quarantined })
      case 'disk-full':
        return replace(opened)
      case 'damaged':
        return replaced ? replace({ kind: 'damaged', reason: opened.reason }) : replaceDamaged(opened.reason)
      case 'other':
        return replace({ kind: 'failed', reason: opened.reason })
    }
  }

  const opening = (asked: boolean): Promise<void> =>
    runExclusive(async () => {
      if (!file && !ended) await openFile({ asked })
    })
  function open(): Promise<void> {
    wanted = true
    return opening(false)
  }
  const startAfresh = (): Promise<void> =>
    runExclusive(async () => {
      if (state.kind === 'key-lost' || state.kind === 'damaged') await replaceDamaged(state.kind)
    })

  const stopListening = keychain.onChange(({ available }) => {
    const waits = state.kind === 'locked' || state.kind === 'no-keychain'
    if (wanted && available && waits) void open()
  })

  return {
    state: () => state,
    onChange: changes.on,
    events: { 'store.changed': changes.on },
    forgetAccount: 'keeps-nothing',
    database: () => file ?? memory,
    file: () => (ended ? undefined : file),
    checkpoint: checkpoints.run,
    open,
    startAfresh,
    windowChanged(isOpen): void {
      isWindowOpen = isOpen
      if (file && !ended) limitCache(file, isOpen)
    },
    handlers: {
      'store.state': () => state,
      'store.retry': async () => {
        await opening(true)
        return state
      },
      'store.startAfresh': async () => {
        await startAfresh()
        return state
      },
    },
    close: async () => {
      ended = true
      cancel()
      stopListening()
      checkpoints.run()
      checkpoints.end()
      file?.close()
      memory?.close()
      await Promise.all([writing.catch(() => undefined), checkpoints.settled()])
    },
  }
}
