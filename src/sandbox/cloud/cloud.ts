import { createEmitter, type Subscribe } from '#shared/emitter'
import type { Clock } from '../clock'
import { createRandom } from '../random'
import type { CatalogFlavor } from './catalog'
import {
  type ApiTokenRecord,
  type BareMetalRecord,
  type CloudState,
  type MachineRecord,
  transitionSeconds,
  type UsageRecord,
  type VolumeRecord,
} from './records'

/** Simulated cloud with its records by id. The clock drives transitions. */
export interface Cloud {
  /** Newest last. */
  readonly machines: ReadonlyMap<string, MachineRecord>
  readonly bareMetal: ReadonlyMap<string, BareMetalRecord>
  readonly volumes: ReadonlyMap<string, VolumeRecord>
  readonly usage: ReadonlyMap<string, UsageRecord>
  readonly apiTokens: ReadonlyMap<string, ApiTokenRecord>
  readonly speed: number
  readonly dedicatedAddresses: boolean
  /** End of the seeded history in epoch seconds. */
  readonly startTime: number
  /** Key of caches derived from usage: incremented when billing of a resource begins or ends. */
  usageRevision(): number
  /** Payments so far, in millionths of a dollar. */
  paid(): number
  setPaid(paid: number): void
  sessionGeneration(): number
  readonly now: Clock['now']
  newId(): string
  addMachine(machine: MachineRecord, usage: UsageRecord): void
  addBareMetal(instance: BareMetalRecord, usage: UsageRecord): void
  addVolume(volume: VolumeRecord, usage: UsageRecord): void
  addApiToken(token: ApiTokenRecord): void
  /** Removes a machine, bare metal instance or volume, and ends its billing. Returns false if there is none. */
  remove(id: string): boolean
  /** Call after each change of a record. Pass a `record` that now has a transition. */
  changed(record?: Transitional): void
  setMachineStatus(machine: MachineRecord, status: string): void
  /** Whether a flavor is in stock: as set by the control API, else as in the catalog. */
  isInStock(flavor: Pick<CatalogFlavor, 'id' | 'inStock'>): boolean
  setInStock(flavor: string, isInStock: boolean): void
  revokeSessions(): void
  /** Applies the transitions that are due. */
  completeTransitions(): void
  /** Emits after every change. */
  readonly onChange: Subscribe<undefined>
  /** Emits after machines were added, removed, started or stopped. */
  readonly onMachinesChange: Subscribe<undefined>
  snapshot(): CloudState
}

type Transitional = MachineRecord | BareMetalRecord | VolumeRecord

export interface CloudDeps {
  readonly state: CloudState
  readonly clock: Clock
  readonly speed: number
  readonly dedicatedAddresses: boolean
}

const mapOf = <T extends { readonly id: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map((item) => [item.id, item]))

const detached = { attachedTo: null, status: 'available', transition: null }

/** Machines whose SSH may not answer yet. */
function createBooting(machines: readonly (MachineRecord | BareMetalRecord)[]) {
  const booting = new Set(machines)
  return {
    add: (record: MachineRecord | BareMetalRecord): void => void booting.add(record),
    /** Returns whether SSH answers on some of them from now on. */
    complete(now: number): boolean {
      const answering = [...booting].filter(({ answersFrom = 0 }) => answersFrom <= now)
      for (const record of answering) booting.delete(record)
      return answering.length > 0
    },
  }
}

const transitionalIn = ({ machines, bareMetal, volumes }: CloudState): Set<Transitional> =>
  new Set([...machines, ...bareMetal, ...volumes].filter((record) => record.transition !== null))

/** The stock of flavors. Changes of the catalog's stock are lost with the process. */
function createStock(changed: () => void): Pick<Cloud, 'isInStock' | 'setInStock'> {
  const stock = new Map<string, boolean>()
  return {
    isInStock: ({ id, inStock }) => stock.get(id) ?? inStock,
    setInStock: (flavor, isInStock) => {
      stock.set(flavor, isInStock)
      changed()
    },
  }
}

export function createCloud({ state, clock, speed, dedicatedAddresses }: CloudDeps): Cloud {
  const machines = mapOf(state.machines)
  const bareMetal = mapOf(state.bareMetal)
  const volumes = mapOf(state.volumes)
  const usage = mapOf(state.usage)
  const apiTokens = mapOf(state.apiTokens)
  const transitional = transitionalIn(state)
  const booting = createBooting([...state.machines, ...state.bareMetal])
  let issued = state.issued
  let paid = state.paid
  let sessionGeneration = state.sessionGeneration
  let usageRevision = 0
  const changes = createEmitter<undefined>()
  const machineChanges = createEmitter<undefined>()

  const changed = (record?: Transitional): void => {
    if (record !== undefined) transitional.add(record)
    changes.emit(undefined)
  }
  /** Adds a record and starts its billing. */
  const add = <Item extends Transitional>(items: Map<string, Item>, item: Item, entry: UsageRecord): void => {
    items.set(item.id, item)
    usage.set(entry.id, entry)
    usageRevision += 1
    changed(item)
  }
  const endBilling = (id: string): void => {
    usageRevision += 1
    for (const entry of usage.values()) {
      if (entry.resource.id === id) entry.terminatedTime ??= clock.now()
    }
  }
  return {
    machines,
    bareMetal,
    volumes,
    usage,
    apiTokens,
    speed,
    dedicatedAddresses,
    startTime: state.startTime,
    usageRevision: () => usageRevision,
    paid: () => paid,
    setPaid: (total) => {
      paid = total
      changed()
    },
    sessionGeneration: () => sessionGeneration,
    now: () => clock.now(),
    newId: () => {
      issued += 1
      return createRandom(`wheelhouse/${state.seed}/${issued}`).id()
    },
    addMachine: (machine, entry) => {
      add(machines, machine, entry)
      machineChanges.emit(undefined)
    },
    addBareMetal: (instance, entry) => {
      add(bareMetal, instance, entry)
      machineChanges.emit(undefined)
    },
    addVolume: (volume, entry) => add(volumes, volume, entry),
    addApiToken: (token) => {
      apiTokens.set(token.id, token)
      changed()
    },
    remove: (id) => {
      const removed = [machines.delete(id), bareMetal.delete(id), volumes.delete(id)].includes(true)
      if (!removed) return false
      for (const volume of volumes.values()) {
        if (volume.attachedTo === id) Object.assign(volume, detached)
      }
      endBilling(id)
      changed()
      machineChanges.emit(undefined)
      return true
    },
    changed,
    setMachineStatus: (machine, status) => {
      setStatus(machine, status, clock.now())
      changed()
      machineChanges.emit(undefined)
    },
    ...createStock(changed),
    revokeSessions: () => {
      sessionGeneration += 1
      changed()
    },
    completeTransitions: () => {
      const now = clock.now()
      for (const record of transitional) {
        const { transition } = record
        if (transition === null) transitional.delete(record)
        else if (transition.at <= now) {
          complete(record, transition, speed)
          transitional.delete(record)
          changed()
          if ('address' in record) {
            booting.add(record)
            machineChanges.emit(undefined)
          }
        }
      }
      if (booting.complete(now)) machineChanges.emit(undefined)
    },
    onChange: changes.on,
    onMachinesChange: machineChanges.on,
    snapshot: () => ({
      ...state,
      clockOffset: clock.offset(),
      issued,
      paid,
      sessionGeneration,
      machines: [...machines.values()],
      bareMetal: [...bareMetal.values()],
      volumes: [...volumes.values()],
      usage: [...usage.values()],
      apiTokens: [...apiTokens.values()],
    }),
  }
}

function setStatus(machine: MachineRecord, status: string, now: number): void {
  const starts = status === 'running' && machine.status !== 'running'
  if (starts) machine.startedTime = now
  if (status === 'running') machine.stoppedTime = null
  if (status === 'stopped') machine.stoppedTime ??= now
  machine.status = status
  machine.transition = null
}

function complete(record: Transitional, transition: { to: string; at: number }, speed: number): void {
  const at = Math.floor(transition.at)
  if ('startedTime' in record && transition.to === 'running') {
    record.startedTime = at
    if (record.status === 'creating') record.answersFrom = at + transitionSeconds.booting / speed
  }
  if ('stoppedTime' in record) record.stoppedTime = transition.to === 'stopped' ? at : null
  if ('attachedTo' in record && record.status === 'detaching') record.attachedTo = null
  record.status = transition.to
  record.transition = null
}
