import type { MachineView } from './bridge/fleet'

const minIdLength = 8

/**
 * Maps ids, such as those of attached volumes, to the machine with the id in its details. The specification describes
 * no such field, but a service may report one. Ids in the details of several machines are left out.
 */
export function machinesNaming(machines: readonly MachineView[]): ReadonlyMap<string, string> {
  const machineOf = new Map<string, string | null>()
  for (const { id: machine, more } of machines)
    for (const { value } of more)
      for (const word of value?.match(/[\w-]+/g) ?? [])
        if (word.length >= minIdLength) {
          const before = machineOf.get(word)
          machineOf.set(word, before === undefined || before === machine ? machine : null)
        }
  return new Map(
    [...machineOf].flatMap(([id, machine]) => (machine === null ? [] : [[id, machine] as const])),
  )
}
