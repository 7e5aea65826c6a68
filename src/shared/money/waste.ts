import type { BareMetalView } from '../bridge/bare-metal'
import type { ActiveCost } from '../bridge/cost'
import type { MachineView } from '../bridge/fleet'
import type { IdleMachine } from '../bridge/idle'
import type { VolumeView } from '../bridge/volume'
import type { WasteEnd, WasteItem, WasteReason, WasteTotal } from '../bridge/waste'
import { machinesNaming } from '../attached-machines'
import { textOrder } from '../locale'
import { machineState } from '../service/machine-state'
import { volumeState } from '../service/volume-state'
import { sameRegion } from '../regions'
import { estimate } from './estimate'
import { type Money, sumByCurrency } from './money'

export interface WasteSources {
  /** Costs of active resources, once per resource and currency. */
  readonly costs: readonly ActiveCost[]
  readonly machines: readonly MachineView[]
  readonly volumes: readonly VolumeView[]
  readonly instances: readonly BareMetalView[]
  readonly idle: readonly IdleMachine[]
  /** Ids of running machines whose GPUs were not measured lately. */
  readonly unmeasured: ReadonlySet<string>
  /**
   * Epoch seconds of the last reading of both machines and volumes; null: none yet, so nothing counts as unlisted.
   */
  readonly listedAsOf: number | null
  /** Epoch seconds since when a resource without creation time was observed to be billed. */
  readonly seenSince: ReadonlyMap<string, number>
  /** Ids that must not count as unlisted: just removed, or being looked up. */
  readonly pending: ReadonlySet<string>
  /** Bare metal whose GPUs are observed at work. */
  readonly atWork: ReadonlySet<string>
  /** Operations that the service is not known to lack. */
  readonly canDelete: { readonly machine: boolean; readonly volume: boolean }
}

/** Seconds for which a new resource may be charged before a list contains it. */
const listedWithin = 120

const servesNobody = ({ status }: MachineView): boolean =>
  ['stopped', 'failed'].includes(machineState(status))

/** Step before the deletion of a volume that a machine may boot from, by `bootable`. */
const firstStep = { true: 'delete-machine-first', null: 'detach-first' } as const

function reasonOf({ use, since, held }: IdleMachine): WasteReason {
  if (use === 'barely-used' || use === 'cpu-idle') return { kind: use, since }
  return { kind: 'idle', since, held: held?.mebibytes ?? null }
}

/** Whether a resource is known to be unused. Machines whose GPUs were not read prove nothing, even if their CPU is idle. */
export const isChecked = ({ reason }: WasteItem): boolean =>
  !['cpu-idle', 'unmeasured', 'bare-metal'].includes(reason.kind)

interface Found {
  readonly name: string | null
  readonly reason: WasteReason
  readonly end: WasteEnd
  readonly isBareMetal?: true
  /** Cost while wasted, if the resource has cost more than that. */
  readonly soFar?: Money | null
}

/**
 * Finds everything that is charged and unused or unchecked, the highest hourly cost first, once per resource and currency. Pure.
 */
export function wasteOf(sources: WasteSources): readonly WasteItem[] {
  const { costs, canDelete } = sources
  const machines = new Map(sources.machines.map((machine) => [machine.id, machine]))
  const volumes = new Map(sources.volumes.map((volume) => [volume.id, volume]))
  const instances = new Map(sources.instances.map((instance) => [instance.id, instance]))
  const idle = new Map(sources.idle.map((one) => [one.machine, one]))
  const naming = machinesNaming(sources.machines)
  const end = (can: boolean, by: WasteEnd): WasteEnd => (can ? by : 'elsewhere')

  function ofMachine(machine: MachineView): Found | null {
    const { name, status } = machine
    const by = end(canDelete.machine, 'delete-machine')
    if (servesNobody(machine)) return { name, end: by, reason: { kind: 'stopped', status } }
    if (machineState(status) !== 'running') return null
    const found = idle.get(machine.id)
    if (!found)
      return sources.unmeasured.has(machine.id) ? { name, end: by, reason: { kind: 'unmeasured' } } : null
    return { name, end: by, soFar: found.cost, reason: reasonOf(found) }
  }
  /**
   * Whether another machine, which is no waste, may use the volume. The service's list of volumes does not name the
   * machine.
   */
  const mayBeUsedByOther = ({ region }: VolumeView, than: MachineView): boolean =>
    sources.machines.some(
      (machine) =>
        machine.id !== than.id &&
        !servesNobody(machine) &&
        sameRegion(region, { id: null, name: machine.region }) !== false,
    )
  function ofVolume(volume: VolumeView): Found | null {
    const { id, displayName, name: generated, attachment, bootable, status } = volume
    const name = displayName ?? generated
    // A volume that is created, downloaded, attached or detached is about to be used, or was used until now.
    if (volumeState(status) === 'moving') return null
    const named = naming.get(id)
    // Without a status, the attachment was never observed: the volume may have been attached elsewhere.
    if (status === null && named === undefined) return null
    if (attachment.kind === 'detached' && status !== null)
      return { name, end: end(canDelete.volume, 'delete-volume'), reason: { kind: 'detached' } }
    const attachedTo = named ?? (attachment.kind === 'attached' ? attachment.machine : null)
    const machine = machines.get(attachedTo ?? '')
    if (!machine || !servesNobody(machine)) return null
    if (named === undefined && mayBeUsedByOther(volume, machine)) return null
    return {
      name,
      end: bootable === false ? end(canDelete.volume, 'detach-and-delete') : firstStep[`${bootable}`],
      reason: { kind: 'of-stopped', machine: machine.id, name: machine.name },
    }
  }
  function ofInstance({ id, name }: BareMetalView): Found | null {
    const found = idle.get(id)
    const own = { name, end: 'elsewhere', isBareMetal: true } as const
    if (found) return { ...own, soFar: found.cost, reason: reasonOf(found) }
    return sources.atWork.has(id) ? null : { ...own, reason: { kind: 'bare-metal' } }
  }
  function find({ id, name, type, createdAt }: ActiveCost): Found | null {
    const machine = machines.get(id)
    if (machine) return ofMachine(machine)
    const volume = volumes.get(id)
    if (volume) return ofVolume(volume)
    const instance = instances.get(id)
    if (instance) return ofInstance(instance)
    const { listedAsOf, pending } = sources
    const since = createdAt ?? sources.seenSince.get(id) ?? Infinity
    if (listedAsOf === null || pending.has(id) || since + listedWithin > listedAsOf) return null
    return { name, end: 'elsewhere', reason: { kind: 'unlisted', type } }
  }

  const items = costs.flatMap((cost): readonly WasteItem[] => {
    // A resource without charge wastes nothing. An unknown fee may be a charge.
    const found = cost.perHour === 0 ? null : find(cost)
    if (!found) return []
    const { soFar, ...rest } = found
    const amount = (millionths: number | null): Money | null =>
      millionths === null ? null : { currency: cost.currency, millionths }
    const perHour = amount(cost.perHour)
    return [
      {
        id: cost.id,
        ...rest,
        perHour,
        perMonth: perHour && estimate(perHour).month,
        soFar: soFar === undefined ? amount(cost.soFar) : soFar?.currency === cost.currency ? soFar : null,
      },
    ]
  })
  return inOrder(items)
}

/** Sorts by hourly cost within each currency, the highest first, unknown costs last. */
export function inOrder<Item extends WasteItem>(items: readonly Item[]): readonly Item[] {
  const compare = textOrder()
  return items.toSorted(
    (one, other) =>
      Number(one.perHour === null) - Number(other.perHour === null) ||
      compare(one.perHour?.currency ?? '', other.perHour?.currency ?? '') ||
      (other.perHour?.millionths ?? 0) - (one.perHour?.millionths ?? 0) ||
      (other.soFar?.millionths ?? 0) - (one.soFar?.millionths ?? 0) ||
      compare(one.name ?? one.id, other.name ?? other.id) ||
      (one.id < other.id ? -1 : Number(one.id > other.id)),
  )
}

/**
 * Returns the sum of known costs for each currency with waste. `ended`: waste of ended resources, part of the sums so far.
 * Pure.
 */
export function wasteTotals(
  items: readonly WasteItem[],
  ended: readonly Money[] = [],
): readonly WasteTotal[] {
  const sums = (amounts: readonly (Money | null)[]) => sumByCurrency(amounts.filter((one) => one !== null))
  const soFar = sums([...items.map((item) => item.soFar), ...ended])
  return sums(items.map((item) => item.perHour)).map((perHour) => ({
    perHour,
    perMonth: estimate(perHour).month,
    soFar: soFar.find(({ currency }) => currency === perHour.currency) ?? null,
  }))
}
