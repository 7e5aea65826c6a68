import type { Machine } from '#shared/service/machine'
import { failureOf } from '../core/failure-of'
import { type Absences, presenceAfter } from '../core/absences'
import type { Reading } from '../core/read-all-pages'

/** Machines that are asked for by id in one reading because the list no longer names them. */
const confirmations = 20

export interface MissingDeps {
  get(id: string): Promise<Machine>
  /** Reads the whole list once more. Fails as the client does. */
  readAgain(): Promise<Reading<Machine>>
  /** The service has answered that it deleted the machine. */
  wasDeleted(id: string): boolean
  readonly absences: Absences
}

type Detail = Machine | ReturnType<typeof presenceAfter>

/**
 * The machines that are there: those of the list, and of those `known` before, in the order of the list, whatever is
 * not gone. Gone is what two complete lists in a row do not name while its detail answers something else than the
 * machine; where that is the service's own 404, the second list is read at once. One that was deleted here needs no
 * second list. If lists never count as complete, because their totals are wrong, three lists in a row with a 404 for
 * the machine are enough. Fails as the client does.
 */
export async function presentMachines(
  known: ReadonlyMap<string, Machine>,
  reading: Reading<Machine>,
  { get, readAgain, wasDeleted, absences }: MissingDeps,
): Promise<ReadonlyMap<string, Machine>> {
  const present = new Map(reading.items.map((machine) => [machine.id, machine]))
  const details = new Map<string, Detail>()

  async function detailOf(id: string): Promise<Detail> {
    try {
      return await get(id)
    } catch (error) {
      return presenceAfter(failureOf(error, 'fleet.read'))
    }
  }

  /** The ids that a list does not name, of those that nothing else shows. */
  const missingIn = ({ items, unreadable }: Reading<Machine>): readonly string[] => {
    const named = new Set([...items, ...unreadable].map(({ id }) => id))
    return [...known.keys()].filter((id) => !named.has(id) && typeof details.get(id) !== 'object')
  }

  for (const id of missingIn(reading).slice(0, confirmations)) details.set(id, await detailOf(id))
  const missing = missingIn(reading)
  let byLists = absences.take(missing, reading)
  const awaited = (id: string): boolean => details.get(id) === 'absent' && !byLists.has(id) && !wasDeleted(id)
  if (missing.some(awaited)) {
    const again = await readAgain()
    for (const machine of again.items) if (!present.has(machine.id)) present.set(machine.id, machine)
    byLists = absences.take(missingIn(again), again)
  }

  const denied = absences.takeDenied(
    missing.filter((id) => details.get(id) === 'absent'),
    reading,
  )

  for (const [id, machine] of known) {
    if (present.has(id)) continue
    const detail = details.get(id)
    const answered = detail !== undefined && detail !== 'silent'
    if (typeof detail === 'object') present.set(id, detail)
    else if (!(wasDeleted(id) || denied.has(id) || (byLists.has(id) && answered))) present.set(id, machine)
  }
  return present
}
