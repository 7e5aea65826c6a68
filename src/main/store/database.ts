import type { HandlersOf } from '#shared/bridge/index'
import type { storeCalls, storeEvents, StoreState } from '#shared/bridge/store'
import type { Keychain } from './keychain'
import type { Clock } from '../core/clock'
import { createEmitter, type Subscribe } from '#shared/emitter'
import type { EventsOf } from '../core/module'
import { createMutex } from '../core/mutex'
import { schema as ownSchema, type Schema } from './schema'
import { errorMessage } from './settings-file'
import type { Database } from './sql'
import { loadSqlLibrary, type OpenDatabase, type SqlFault, type SqlLibrary } from './sql-library'
import { createCheckpoints } from './checkpoints'
import { openMemoryDatabase, type Opened, openStoreDatabase } from './store-database'
import { type Rename, type StoreFiles, storeFiles } from './store-files'
import { storeDigest } from './store-digest'
import { proveOpen } from './store-key'
import { createFileUnlock, stateOfFailure } from './unlock-file'

export type { Database, SqlRow, SqlValue } from './sql'

/** The encrypted local store: wheelhouse.db in the user-data folder. */
export interface Store {
  readonly handlers: HandlersOf<Pick<typeof storeCalls, 'store.state' | 'store.retry' | 'store.startAfresh'>>
  readonly events: EventsOf<typeof storeEvents>
  readonly forgetAccount: 'keeps-nothing'
  state(): StoreState
  readonly onChange: Subscribe<StoreState>
  /**
   * Returns the database. If the file is not usable, it is in memory and lasts until the application quits. Undefined
   * before `open`, and if the library is not available. Callers must not keep it.
   */
  database(): Database | undefined
  /** Returns the database file, or undefined if writes would not outlive the application. */
  file(): Database | undefined
  /** Returns the file's key in hexadecimal, which also seals other files; undefined while the file is closed. */
  fileKey(): string | undefined
  /** Moves the log into the file. Returns false if it stays in the log for now. */
  checkpoint(): boolean
  /** Opens the file, unless the keychain has refused before. Never fails: see `state`. */
  open(): Promise<void>
  /** Quarantines an unreadable file and creates a new one if the state is key-lost or damaged. */
  startAfresh(): Promise<void>
  /** Closes the database at once. Resolves when nothing more is written to the folder. */
  close(): Promise<void>
}

export interface StoreDeps {
  readonly folder: string
  readonly keychain: Keychain
  readonly clock: Pick<Clock, 'after'>
  readonly load?: () => Promise<SqlLibrary>
  readonly schema?: Schema
  readonly rename?: Rename
}

/** Seconds between two checks of whether a full disk has room again. */
const roomCheckSeconds = 30

const stateOfOpened = (opened: Opened, quarantined: string | null): StoreState => {
  switch (opened.kind) {
    case 'open':
      return { kind: 'open', quarantined }
    case 'disk-full':
      return opened
    case 'damaged':
      return { kind: 'damaged', reason: opened.reason }
    case 'other':
      return { kind: 'failed', reason: opened.reason }
  }
}

/** Calls `onRoom` when the disk has room again. Returns a function that stops the checks. */
function watchForRoom(clock: StoreDeps['clock'], files: StoreFiles, onRoom: () => void): () => void {
  let cancel = clock.after(roomCheckSeconds, check)
  function check(): void {
    if (files.hasRoom()) onRoom()
    else cancel = clock.after(roomCheckSeconds, check)
  }
  return () => cancel()
}

const storeHandlers = (
  state: () => StoreState,
  retry: () => Promise<void>,
  startAfresh: () => Promise<void>,
): Store['handlers'] => ({
  'store.state': state,
  'store.retry': async () => {
    await retry()
    return state()
  },
  'store.startAfresh': async () => {
    await startAfresh()
    return state()
  },
})

/** Creates the store. Opens no file and uses no keychain before `open`. */
export function createStore(deps: StoreDeps): Store {
  const { folder, keychain, clock, load = loadSqlLibrary, schema = ownSchema } = deps
  const files = storeFiles(folder, deps.rename)
  const digest = storeDigest(files.path)
  const checkpoints = createCheckpoints({ path: files.path, digest, clock })
  const changes = createEmitter<StoreState>()
  let state: StoreState = { kind: 'opening' }
  let library: SqlLibrary | undefined
  let file: OpenDatabase | undefined
  let fileKey: string | undefined
  let memory: OpenDatabase | undefined
  let quarantined: string | null = null
  let isClosed = false
  let stopRoomWatch: () => void = () => undefined

  function replace(next: StoreState): void {
    if (isClosed) return
    stopRoomWatch()
    if (next.kind === 'disk-full') stopRoomWatch = watchForRoom(clock, files, resume)
    state = next
    if (file) {
      memory?.close()
      memory = undefined
    } else if (library && next.kind !== 'opening') memory ??= openMemoryDatabase(library, schema)
    changes.emit(next)
  }

  function resume(): void {
    if (file) replace({ kind: 'open', quarantined })
    else void openIfClosed(false)
  }

  const runExclusive = createMutex()
  const fileUnlock = createFileUnlock({ files, keychain, digest, isClosed: () => isClosed })

  function onFault(fault: SqlFault, reason: string): void {
    if (fault === 'disk-full' && state.kind === 'open') replace({ kind: 'disk-full' })
    if (fault !== 'damaged' || !file) return
    const broken = file
    // Deferred because the failing statement is still running. Several statements may report the same damage.
    const replaceOnce = async (): Promise<void> => {
      if (file === broken && !isClosed) await replaceDamaged(reason)
    }
    setImmediate(() => void runExclusive(replaceOnce))
  }

  async function replaceDamaged(reason: string): Promise<void> {
    checkpoints.end()
    digest.drop()
    file?.close()
    file = undefined
    try {
      quarantined = files.quarantine()
    } catch (error) {
      return replace({ kind: 'damaged', reason: [reason, errorMessage(error)].join('; ') })
    }
    await openFile({ replaced: true, byUser: true })
  }

  async function openFile({ replaced = false, byUser = false } = {}): Promise<void> {
    try {
      library ??= await load()
      quarantined ??= files.quarantineIfMarked()
    } catch (error) {
      return replace(library ? stateOfFailure(error) : { kind: 'unsupported', reason: errorMessage(error) })
    }
    const unlocked = await fileUnlock.unlock(byUser)
    if (isClosed || unlocked === undefined) return
    if ('kind' in unlocked) return replace(unlocked)
    const { key, check } = unlocked
    if (check === 'altered') return replaceDamaged('the file is not as it was when it was closed')
    const isVerified = check === 'same'
    const opened = openStoreDatabase(library, { path: files.path, key, schema, isVerified, onFault })
    if (opened.kind === 'damaged' && !replaced) return replaceDamaged(opened.reason)
    if (opened.kind === 'open') {
      file = opened.database
      fileKey = key
      checkpoints.begin(file, key, isVerified)
    }
    replace(stateOfOpened(opened, quarantined))
  }

  function openIfClosed(byUser: boolean): Promise<void> {
    return runExclusive(async () => {
      if (!file && !isClosed) await openFile({ byUser })
    })
  }
  /** Asks a keychain that was locked after the file had opened. Its state shows the answer. */
  const askKeychain = (): Promise<void> => runExclusive(() => proveOpen(keychain).catch(() => undefined))
  const startAfresh = (): Promise<void> =>
    runExclusive(async () => {
      if (state.kind === 'key-lost' || state.kind === 'damaged') await replaceDamaged(state.kind)
    })

  const stopListening = keychain.onChange(({ available }) => {
    const waits = state.kind === 'locked' || state.kind === 'no-keychain'
    if (available && waits) void openIfClosed(false)
  })

  return {
    state: () => state,
    onChange: changes.on,
    events: { 'store.changed': changes.on },
    forgetAccount: 'keeps-nothing',
    database: () => file ?? memory,
    file: () => (isClosed ? undefined : file),
    fileKey: () => (isClosed || !file ? undefined : fileKey),
    checkpoint: checkpoints.run,
    open: () => openIfClosed(false),
    startAfresh,
    handlers: storeHandlers(
      () => state,
      () => (file && !keychain.state().available ? askKeychain() : openIfClosed(true)),
      startAfresh,
    ),
    close: async () => {
      isClosed = true
      stopRoomWatch()
      stopListening()
      checkpoints.run()
      checkpoints.end()
      file?.close()
      memory?.close()
      await Promise.all([fileUnlock.idle(), checkpoints.idle()])
    },
  }
}
