import type { Machine } from '#shared/service/machine'
import { failureOf } from '../core/failure-of'
import { type Absences, presenceAfter } from '../core/absences'
import type { Reading } from '../core/read-all-pages'

/** Upper bound on the detail requests per reading for machines missing in the list. */
const maxDetailRequests = 20

export interface MissingDeps {
  get(id: string): Promise<Machine>
  /** Reads the whole list again. Fails as the client does. */
  readAgain(): Promise<Reading<Machine>>
  /** Whether the service confirmed the deletion of the machine. */
  wasDeleted(id: string): boolean
  readonly absences: Absences
}

type Detail = Machine | ReturnType<typeof presenceAfter>

/**
 * Returns the listed machines and the `known` machines that are not gone. A machine is gone if two
 * complete lists in a row do not name it and its detail call returns something else. After a 404 the second list is read
 * at once; a confirmed deletion needs none. If lists are never complete because their totals are wrong, three lists in
 * a row with a 404 are enough. Fails as the client does.
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

  /** Returns the known ids that neither the list nor a detail shows. */
  const missingIn = ({ items, unreadable }: Reading<Machine>): readonly string[] => {
    const named = new Set([...items, ...unreadable].map(({ id }) => id))
    return [...known.keys()].filter((id) => !named.has(id) && typeof details.get(id) !== 'object')
  }

  for (const id of missingIn(reading).slice(0, maxDetailRequests)) details.set(id, await detailOf(id))
  const missing = missingIn(reading)
  let absentInLists = absences.take(missing, reading)
  const needsSecondList = (id: string): boolean =>
    details.get(id) === 'absent' && !absentInLists.has(id) && !wasDeleted(id)
  if (missing.some(needsSecondList)) {
    const secondReading = await readAgain()
    for (const machine of secondReading.items) if (!present.has(machine.id)) present.set(machine.id, machine)
    absentInLists = absences.take(missingIn(secondReading), secondReading)
  }

  const denied = absences.takeDenied(
    missing.filter((id) => details.get(id) === 'absent'),
    reading,
  )

  for (const [id, machine] of known) {
    if (present.has(id)) continue
    const detail = details.get(id)
    const wasAnswered = detail !== undefined && detail !== 'silent'
    if (typeof detail === 'object') present.set(id, detail)
    else if (!(wasDeleted(id) || denied.has(id) || (absentInLists.has(id) && wasAnswered)))
      present.set(id, machine)
  }
  return present
}
