import type { MachineView } from './bridge/fleet'

/** Shorter words in a machine's details are no id. */
const shortestId = 8

/**
 * The machine whose details name an id, as of a volume that is attached to it: the specification describes no such
 * field, but a service may report one. What several machines name says nothing.
 */
export function machinesNaming(machines: readonly MachineView[]): ReadonlyMap<string, string> {
  const found = new Map<string, string | null>()
  for (const { id: machine, more } of machines)
    for (const { value } of more)
      for (const word of value?.match(/[\w-]+/g) ?? [])
        if (word.length >= shortestId) {
          const before = found.get(word)
          found.set(word, before === undefined || before === machine ? machine : null)
        }
  return new Map([...found].flatMap(([id, machine]) => (machine === null ? [] : [[id, machine] as const])))
}
