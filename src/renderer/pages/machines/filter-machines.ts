import type { MachineView } from '#shared/bridge/fleet'
import { gpuText, statusText } from '../../features/machine-text'

const texts = new WeakMap<MachineView, string>()

/** What a filter is matched against: name, GPU, address, region and status, in lower case. */
function textOf(machine: MachineView): string {
  const known = texts.get(machine)
  if (known !== undefined) return known
  const { name, flavor, address, region, status, id } = machine
  const text = [name, gpuText(flavor), flavor.name, address, region, status, statusText(status), id]
    .filter((part) => part !== null)
    .join('\n')
    .toLowerCase()
  texts.set(machine, text)
  return text
}

/** Machines in which every word of `filter` occurs, wherever it does; `noted` is what the person wrote about one. */
export function filterMachines(
  machines: readonly MachineView[],
  filter: string,
  noted: (machine: string) => string = () => '',
): readonly MachineView[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return machines
  return machines.filter((machine) => {
    const text = `${textOf(machine)}\n${noted(machine.id).toLowerCase()}`
    return words.every((word) => text.includes(word))
  })
}

/** What matched here and what the service itself found; where both know a machine, the fleet's row is the fresher one. */
export function mergeFound(
  matched: readonly MachineView[],
  found: readonly MachineView[],
  fleet: ReadonlyMap<string, MachineView>,
): readonly MachineView[] {
  const shown = new Set(matched.map(({ id }) => id))
  const others = found.filter(({ id }) => !shown.has(id)).map((machine) => fleet.get(machine.id) ?? machine)
  return others.length === 0 ? matched : [...matched, ...others]
}
