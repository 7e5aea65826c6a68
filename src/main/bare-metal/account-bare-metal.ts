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

/** Answers in a row other than the instance, none of them the service's own 404, before it counts as gone. */
const conclusive = 2

/** Seconds after which an id is read again that the service said nothing of. */
const findAgain = 300
/** Seconds after which an id is read again that the service said is no bare metal: it may have come late. */
const doubtAgain = 86_400
/** Ids that are looked for within `findAgain`: a service may charge for any number, and each is a request of its own. */
const mostSought = 50
/** Instances beyond which none is added automatically: each known one is polled. */
const mostFound = 500

/** Of the whole account, and not of one instance: the next one would fail alike. */
const concernsAll = ({ kind }: Failure): boolean =>
  kind === 'offline' || kind === 'not-signed-in' || kind === 'cannot-connect'

/** What the service said of an instance last; `gone` once it is no more. */
type Known = { readonly machine: Machine; readonly gone: boolean }

/** On its way to something else. Where no status is reported, one without an address or a start is being prepared. */
const isMoving = ({ status, fixed_ip, started_time }: Machine): boolean =>
  status ? machineState(status) === 'moving' : !fixed_ip && !started_time

/** An instance as a machine: with the same fields, only fewer (api-spec.md §2). */
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

/**
 * The bare metal instances of one account that are known here, each read by its id, and each change with its
 * revision. `now` is epoch seconds. One that the service does not know any more stays in the list as gone, until the
 * person removes it.
 */
export function accountBareMetal(
  account: AccountId,
  get: (id: string) => Promise<BareMetalInstance>,
  memory: BareMetalMemory,
  now: Clock['now'],
  publish: (change: BareMetalChange) => void,
) {
  const list = listRevisions<BareMetalView, ListStatus>(account, nothingRead, publish)
  const read = new Map<string, Known>()
  /** How often in a row the service answered something else than the instance. */
  const doubts = new Map<string, number>()

  function replace(status: Partial<ListStatus> = {}): void {
    const remembered = memory.of(account)
    for (const id of read.keys()) if (!remembered.some((one) => one.id === id)) read.delete(id)
    list.replace(new Map(remembered.map((one) => [one.id, viewOf(one, read.get(one.id))])), {
      ...list.status(),
      ...status,
      total: remembered.length,
    })
  }

  /** Fails as the client does, but where the instance is gone. */
  async function readOne({ id }: Remembered): Promise<void> {
    try {
      read.set(id, { machine: asMachine(await getNow(id)), gone: false })
      doubts.delete(id)
    } catch (error) {
      const presence = presenceAfter(failureOf(error, 'bareMetal.read'))
      if (presence === 'silent') throw error
      const doubt = (doubts.get(id) ?? 0) + 1
      doubts.set(id, doubt)
      if (presence === 'maybe-absent' && doubt < conclusive) throw error
      read.set(id, { machine: read.get(id)?.machine ?? { id, name: id }, gone: true })
    }
  }

  const { refresh, end } = sessionReadings(async (isCurrent) => {
    replace({ reading: true })
    let failure: Failure | null = null
    for (const one of memory.of(account)) {
      try {
        await readOne(one)
        const name = read.get(one.id)?.machine.name
        if (name !== undefined && name !== one.name && read.get(one.id)?.gone === false)
          await memory.rename(account, one.id, name)
      } catch (error) {
        if (!isCurrent()) return
        const mine = failureOf(error, 'bareMetal.read')
        if (concernsAll(mine)) {
          failure = mine
          break
        }
        failure ??= mine
      }
    }
    if (!isCurrent()) return
    replace({ ...(failure === null && { asOf: now() }), reading: false, failure })
  })

  /** Counts what ends a session. */
  let session = 0
  /** As `get`: fails with cancelled where the session has ended since, as nothing may be kept then. */
  async function getNow(id: string): Promise<BareMetalInstance> {
    const mine = session
    const [answer] = await Promise.allSettled([get(id)])
    if (mine !== session) throw new FailureError({ kind: 'cancelled' })
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  }

  let sought: readonly string[] = []
  /** Ids that were looked for: when (epoch seconds), and for how long they are not looked for again. */
  const looked = new Map<string, { readonly at: number; readonly pause: number }>()

  /** Reads one id that is charged for. Fails where the service says nothing, and the next one would fail alike. */
  async function find(id: string): Promise<void> {
    const mine = session
    looked.set(id, { at: now(), pause: findAgain })
    try {
      const machine = asMachine(await getNow(id))
      if (machine.id !== id) throw new FailureError({ kind: 'refused-by-service', message: '', status: 404 })
      read.set(id, { machine, gone: false })
      await memory.keep(account, { id, name: machine.name, origin: 'found', since: now() })
      replace()
    } catch (error) {
      const failure = failureOf(error, 'bareMetal.find')
      if (mine !== session) throw error
      const silent = presenceAfter(failure) === 'silent'
      looked.set(id, { at: now(), pause: silent ? findAgain : doubtAgain })
      if (silent) throw error
    }
  }
  const findAll = singleFlight(async () => {
    try {
      for (const id of sought) await find(id)
    } catch {
      // The next time that what is charged for is read tries again.
      return
    }
  })

  const viewNow = (id: string): BareMetalView => {
    const view = list.view(id)
    if (!view) throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
    return view
  }

  replace()
  return {
    snapshot: (): BareMetalSnapshot => ({ ...list.revision(), instances: list.views() }),
    /** Never fails: see `failure`. */
    refresh,
    failure: (): Failure | null => list.status().failure,
    moving: (): boolean => [...read.values()].some(({ machine, gone }) => !gone && isMoving(machine)),
    view: list.view,
    /** Remembers an instance that the service shows. Fails as the client does. */
    async add(id: string): Promise<BareMetalView> {
      const machine = asMachine(await getNow(id))
      read.set(machine.id, { machine, gone: false })
      const { name } = machine
      await memory.keep(account, { id: machine.id, name, origin: 'added', since: now() })
      replace()
      return viewNow(machine.id)
    },
    /** An instance that was created here: it is known at once, and read from now on. */
    async created({ id, name }: { readonly id: string; readonly name: string }): Promise<void> {
      await memory.keep(account, { id, name, origin: 'created', since: now() })
      replace()
    },
    /**
     * Looks for bare metal among ids that are charged for and in no list: each is read once, and again after a while
     * where the service did not say, after a day where it said no; of many, some now and others later. Null where there is
     * nothing to read now. Never fails.
     */
    find(ids: readonly string[]): Promise<void> | null {
      if (!memory.isReady()) return null
      for (const [id, { at, pause }] of looked) if (!isRecent(at, pause, now())) looked.delete(id)
      const lately = [...looked.values()].filter(({ at }) => isRecent(at, findAgain, now())).length
      const room = Math.min(mostSought - lately, mostFound - memory.of(account).length)
      const due = ids
        .filter((id) => !list.view(id) && !memory.wasRemoved(account, id) && !looked.has(id))
        .slice(0, Math.max(0, room))
      if (due.length === 0) return null
      sought = due
      return findAll()
    },
    async forget(id: string): Promise<void> {
      await memory.drop(account, id)
      replace()
    },
    /** The password, where the service announced one. */
    password: (id: string): string | undefined => read.get(id)?.machine.login?.password ?? undefined,
    /** Plain text of a field under "More"; undefined where there is none. */
    field(id: string, path: string): string | undefined {
      const known = read.get(id)
      return known && extraFieldText(known.machine, path)
    },
    /** Shows what is remembered by now. */
    showRemembered: (): void => replace(),
    /** Forgets what the service said, because the person signed out; what is known here stays known. */
    clear(): void {
      end()
      session += 1
      read.clear()
      doubts.clear()
      looked.clear()
      replace(nothingRead)
    },
  }
}
export type AccountBareMetal = ReturnType<typeof accountBareMetal>
