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
  /** What is charged for now, each resource once in each currency. */
  readonly costs: readonly ActiveCost[]
  readonly machines: readonly MachineView[]
  readonly volumes: readonly VolumeView[]
  readonly instances: readonly BareMetalView[]
  readonly idle: readonly IdleMachine[]
  /** When machines and volumes were both read last (epoch seconds); null: not yet, so that nothing counts as unlisted. */
  readonly listedAsOf: number | null
  /** Since when each resource is billed whose creation the service does not date (epoch seconds, as observed here). */
  readonly seenSince: ReadonlyMap<string, number>
  /** Ids that nothing may call unlisted: gone a moment ago, or being looked for. */
  readonly pending: ReadonlySet<string>
  /** Bare metal whose GPUs are seen at work. */
  readonly atWork: ReadonlySet<string>
  /** What the service offers, as far as it is known not to. */
  readonly canDelete: { readonly machine: boolean; readonly volume: boolean }
}

/** Seconds for which something new may be charged for before a list names it. */
const listedWithin = 120

const servesNobody = ({ status }: MachineView): boolean =>
  ['stopped', 'failed'].includes(machineState(status))

/** What comes before a volume that a machine may boot from can be deleted, by whether it is bootable. */
const firstStep = { true: 'delete-machine-first', null: 'detach-first' } as const

interface Found {
  readonly name: string | null
  readonly reason: WasteReason
  readonly end: WasteEnd
  /** Where that is not all that the resource has cost. */
  readonly soFar?: Money | null
}

/** Everything that is charged for and serves nobody, by money per hour, the most first; each resource once in each currency. Pure. */
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
    const found = idle.get(machine.id)
    if (!found || machineState(status) !== 'running') return null
    const { since, strength, cost } = found
    return { name, end: by, soFar: cost, reason: { kind: 'idle', since, strength } }
  }
  /** Whether another machine, which is not waste, may use the volume: the service's list does not say which one does. */
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
    // A volume that is being created, downloaded, attached or detached is about to be used, or it was until now.
    if (volumeState(status) === 'moving') return null
    const named = naming.get(id)
    // Without a status the attachment was never observed: the volume may have been attached elsewhere since.
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
  function find({ id, name, type, createdAt }: ActiveCost): Found | null {
    const machine = machines.get(id)
    if (machine) return ofMachine(machine)
    const volume = volumes.get(id)
    if (volume) return ofVolume(volume)
    const instance = instances.get(id)
    if (instance)
      return sources.atWork.has(id)
        ? null
        : { name: instance.name, end: 'elsewhere', reason: { kind: 'bare-metal' } }
    const { listedAsOf, pending } = sources
    const since = createdAt ?? sources.seenSince.get(id) ?? Infinity
    if (listedAsOf === null || pending.has(id) || since + listedWithin > listedAsOf) return null
    return { name, end: 'elsewhere', reason: { kind: 'unlisted', type } }
  }

  const items = costs.flatMap((cost): readonly WasteItem[] => {
    // What is charged nothing wastes nothing; an unknown fee may be one.
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

/** By money per hour, the most first, currency by currency; what is unknown stands last. */
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

/** The sums of what is known, one for each currency that something is wasted in. Pure. */
export function wasteTotals(items: readonly WasteItem[]): readonly WasteTotal[] {
  const sums = (amounts: readonly (Money | null)[]) => sumByCurrency(amounts.filter((one) => one !== null))
  const soFar = sums(items.map((item) => item.soFar))
  return sums(items.map((item) => item.perHour)).map((perHour) => ({
    perHour,
    perMonth: estimate(perHour).month,
    soFar: soFar.find(({ currency }) => currency === perHour.currency) ?? null,
  }))
}
