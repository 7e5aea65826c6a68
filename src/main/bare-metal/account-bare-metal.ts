import type { AccountId } from '#shared/bridge/account'
import type { BareMetalChange, BareMetalSnapshot, BareMetalView } from '#shared/bridge/bare-metal'
import type { ListStatus } from '#shared/bridge/listing'
import { type Failure, FailureError } from '#shared/failure'
import type { BareMetalInstance } from '#shared/service/bare-metal'
import { Machine } from '#shared/service/machine'
import { machineState } from '#shared/service/machine-state'
import { failureOf } from '../core/failure-of'
import type { Clock } from '../core/clock'
import { isRecent } from '../core/elapsed'
import { listRevisions } from '../core/list-revisions'
import { presenceAfter } from '../core/absences'
import { sessionReadings, singleFlight } from '../core/single-flight'
import { extraFieldText, machineView } from '../fleet/machine-view'
import type { BareMetalMemory, Remembered } from './memory'

const nothingRead: ListStatus = { asOf: null, reading: false, total: null, failure: null }

/** Consecutive answers other than the instance or a 404 before the instance counts as gone. */
const minDoubts = 2

/** Pause before an id is read again after a failure. */
const retrySeconds = 300
/** Pause before an id is read again that was not bare metal: the service may know an instance only later. */
const recheckSeconds = 86_400
/** Upper bound on the ids read within `retrySeconds`: a service may charge for any number. */
const maxSought = 50
/** Upper bound on the instances with automatic additions: each known instance is polled. */
const maxKnown = 500

/** Whether the failure would affect every other instance too. */
const concernsAll = ({ kind }: Failure): boolean =>
  kind === 'offline' || kind === 'not-signed-in' || kind === 'cannot-connect'

type Known = { readonly machine: Machine; readonly gone: boolean }

/** Whether an instance is in transition. Without a status, an instance without address and start is being prepared. */
const isMoving = ({ status, fixed_ip, started_time }: Machine): boolean =>
  status ? machineState(status) === 'moving' : !fixed_ip && !started_time

/** Converts an instance to a machine, which has the same fields and more (api-spec.md §2). */
const asMachine = (instance: BareMetalInstance): Machine => {
  const parsed = Machine.safeParse(instance)
  return parsed.success ? parsed.data : { id: instance.id, name: instance.name }
}

function viewOf({ id, name, origin, since }: Remembered, known: Known | undefined): BareMetalView {
  return {
    ...machineView(known?.machine ?? { id, name: name || id }),
    origin,
    knownSince: since,
    presence: known === undefined ? 'unread' : known.gone ? 'gone' : 'there',
  }
}

/** Looks for bare metal among ids in the usage. `session`: number of the current session. */
function createSearch(
  get: (id: string) => Promise<BareMetalInstance>,
  found: (machine: Machine) => Promise<void>,
  session: () => number,
  now: Clock['now'],
) {
  let sought: readonly string[] = []
  /** Last read of each id (epoch seconds), and the pause before the next one. */
  const lastReads = new Map<string, { readonly at: number; readonly pause: number }>()

  /** Reads one id. Fails if the service does not answer, since the next id would fail too. */
  async function read(id: string): Promise<void> {
    const startSession = session()
    lastReads.set(id, { at: now(), pause: retrySeconds })
    try {
      const machine = asMachine(await get(id))
      if (machine.id !== id) throw new FailureError({ kind: 'refused-by-service', message: '', status: 404 })
      await found(machine)
    } catch (error) {
      if (startSession !== session()) throw error
      const isSilent = presenceAfter(failureOf(error, 'bareMetal.find')) === 'silent'
      lastReads.set(id, { at: now(), pause: isSilent ? retrySeconds : recheckSeconds })
      if (isSilent) throw error
    }
  }
  const readAll = singleFlight(async () => {
    try {
      for (const id of sought) await read(id)
    } catch {
      // The next reading of the usage tries again.
    }
  })

  return {
    /** Reads the due ids, at most `room` of them. Returns null if there are none. */
    start(ids: readonly string[], room: number): Promise<void> | null {
      for (const [id, { at, pause }] of lastReads) if (!isRecent(at, pause, now())) lastReads.delete(id)
      const recent = [...lastReads.values()].filter(({ at }) => isRecent(at, retrySeconds, now())).length
      const due = ids
        .filter((id) => !lastReads.has(id))
        .slice(0, Math.max(0, Math.min(room, maxSought - recent)))
      if (due.length === 0) return null
      sought = due
      return readAll()
    },
    clear: (): void => lastReads.clear(),
  }
}

/**
 * Manages the known bare metal instances of one account, each read by its id. An instance that the service no longer
 * knows stays in the list as gone until the user removes it. `now`: epoch seconds.
 */
export function accountBareMetal(
  account: AccountId,
  get: (id: string) => Promise<BareMetalInstance>,
  memory: BareMetalMemory,
  now: Clock['now'],
  publish: (change: BareMetalChange) => void,
) {
  const list = listRevisions<BareMetalView, ListStatus>(account, nothingRead, publish)
  const known = new Map<string, Known>()
  const doubts = new Map<string, number>()
  /** Number of the session; late answers to earlier sessions are dropped. */
  let session = 0

  function replace(status: Partial<ListStatus> = {}): void {
    const remembered = memory.of(account)
    for (const id of known.keys()) if (!remembered.some((entry) => entry.id === id)) known.delete(id)
    list.replace(new Map(remembered.map((entry) => [entry.id, viewOf(entry, known.get(entry.id))])), {
      ...list.status(),
      ...status,
      total: remembered.length,
    })
  }

  /** Reads an instance. Fails with cancelled if the session ended. */
  async function getNow(id: string): Promise<BareMetalInstance> {
    const startSession = session
    const [answer] = await Promise.allSettled([get(id)])
    if (startSession !== session) throw new FailureError({ kind: 'cancelled' })
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }

  /** Updates a known instance. Fails as the client does, unless the instance is gone. */
  async function readKnown({ id }: Remembered): Promise<void> {
    try {
      known.set(id, { machine: asMachine(await getNow(id)), gone: false })
      doubts.delete(id)
    } catch (error) {
      const presence = presenceAfter(failureOf(error, 'bareMetal.read'))
      if (presence === 'silent') throw error
      const doubt = (doubts.get(id) ?? 0) + 1
      doubts.set(id, doubt)
      if (presence === 'maybe-absent' && doubt < minDoubts) throw error
      known.set(id, { machine: known.get(id)?.machine ?? { id, name: id }, gone: true })
    }
  }

  const { refresh, end } = sessionReadings(async (isCurrent) => {
    replace({ reading: true })
    let failure: Failure | null = null
    for (const entry of memory.of(account)) {
      try {
        await readKnown(entry)
        const { machine, gone } = known.get(entry.id) ?? {}
        if (machine && gone === false && machine.name !== entry.name)
          await memory.rename(account, entry.id, machine.name)
      } catch (error) {
        if (!isCurrent()) return
        const instanceFailure = failureOf(error, 'bareMetal.read')
        if (concernsAll(instanceFailure)) {
          failure = instanceFailure
          break
        }
        failure ??= instanceFailure
      }
    }
    if (!isCurrent()) return
    replace({ ...(failure === null && { asOf: now() }), reading: false, failure })
  })

  const keep = async (machine: Machine, origin: Remembered['origin']): Promise<void> => {
    known.set(machine.id, { machine, gone: false })
    await memory.keep(account, { id: machine.id, name: machine.name, origin, since: now() })
    replace()
  }
  const search = createSearch(
    getNow,
    (machine) => keep(machine, 'found'),
    () => session,
    now,
  )

  replace()
  return {
    snapshot: (): BareMetalSnapshot => ({ ...list.revision(), instances: list.views() }),
    /** Never fails: see `failure`. */
    refresh,
    failure: (): Failure | null => list.status().failure,
    moving: (): boolean => [...known.values()].some(({ machine, gone }) => !gone && isMoving(machine)),
    view: list.view,
    /** Adds an instance by its id. Fails as the client does. */
    async add(id: string): Promise<BareMetalView> {
      const machine = asMachine(await getNow(id))
      await keep(machine, 'added')
      const view = list.view(machine.id)
      if (!view) throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
      return view
    },
    async created({ id, name }: { readonly id: string; readonly name: string }): Promise<void> {
      await memory.keep(account, { id, name, origin: 'created', since: now() })
      replace()
    },
    /**
     * Looks for bare metal among ids in the usage that no list contains. An id is read once, again some minutes after a
     * failure, and a day after it was not bare metal. Returns null if no id is due. Never fails.
     */
    find(ids: readonly string[]): Promise<void> | null {
      if (!memory.isReady()) return null
      const unknown = ids.filter((id) => !list.view(id) && !memory.wasRemoved(account, id))
      return search.start(unknown, maxKnown - memory.of(account).length)
    },
    async forget(id: string): Promise<void> {
      await memory.drop(account, id)
      replace()
    },
    password: (id: string): string | undefined => known.get(id)?.machine.login?.password ?? undefined,
    field(id: string, path: string): string | undefined {
      const instance = known.get(id)
      return instance && extraFieldText(instance.machine, path)
    },
    showRemembered: (): void => replace(),
    /** Drops the service's answers after a sign-out. The remembered instances stay. */
    clear(): void {
      end()
      session += 1
      known.clear()
      doubts.clear()
      search.clear()
      replace(nothingRead)
    },
  }
}
export type AccountBareMetal = ReturnType<typeof accountBareMetal>
