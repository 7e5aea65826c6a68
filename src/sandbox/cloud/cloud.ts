import type { Clock } from '../clock'
import { createRandom } from '../random'
import type {
  ApiTokenRecord,
  BareMetalRecord,
  MachineRecord,
  UsageRecord,
  VolumeRecord,
  WorldState,
} from './records'

/** The living world: the state, found by identifier, and moved along by the clock. */
export interface World {
  /** Newest last. */
  readonly machines: ReadonlyMap<string, MachineRecord>
  readonly bareMetal: ReadonlyMap<string, BareMetalRecord>
  readonly volumes: ReadonlyMap<string, VolumeRecord>
  readonly usage: ReadonlyMap<string, UsageRecord>
  readonly apiTokens: ReadonlyMap<string, ApiTokenRecord>
  readonly speed: number
  readonly ownAddresses: boolean
  /** The moment that the seeded history leads up to, epoch seconds. */
  readonly startTime: number
  /** Grows when something begins or ceases to be billed, so that what was computed from the usage can be kept until then. */
  usageRevision(): number
  sessionGeneration(): number
  /** Epoch seconds. */
  now(): number
  newId(): string
  addMachine(machine: MachineRecord, usage: UsageRecord): void
  addBareMetal(instance: BareMetalRecord, usage: UsageRecord): void
  addVolume(volume: VolumeRecord, usage: UsageRecord): void
  addApiToken(token: ApiTokenRecord): void
  /** Removes a machine, bare metal instance or volume, and ends its billing. False where there is none. */
  remove(id: string): boolean
  /** To be called after a record was changed; `moving` where it now waits for a transition. */
  changed(moving?: Moving): void
  setMachineStatus(machine: MachineRecord, status: string): void
  revokeSessions(): void
  /** Ends every state whose time has come. */
  settle(): void
  /** `listener` is called after every change. */
  onChange(listener: () => void): void
  /** `listener` is called after machines came, went, started or stopped. */
  onMachinesChange(listener: () => void): void
  /** What is kept on disk. */
  snapshot(): WorldState
}

export type Moving = MachineRecord | BareMetalRecord | VolumeRecord

export interface WorldParts {
  readonly state: WorldState
  readonly clock: Clock
  readonly speed: number
  readonly ownAddresses: boolean
}

const mapOf = <T extends { readonly id: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map((item) => [item.id, item]))

/** A volume that no machine holds any more. */
const free = { attachedTo: null, status: 'available', transition: null }

export function createWorld({ state, clock, speed, ownAddresses }: WorldParts): World {
  const machines = mapOf(state.machines)
  const bareMetal = mapOf(state.bareMetal)
  const volumes = mapOf(state.volumes)
  const usage = mapOf(state.usage)
  const apiTokens = mapOf(state.apiTokens)
  const moving = new Set<Moving>(
    [...state.machines, ...state.bareMetal, ...state.volumes].filter((record) => record.transition !== null),
  )
  let issued = state.issued
  let sessionGeneration = state.sessionGeneration
  let usageRevision = 0
  const changeListeners: (() => void)[] = []
  const machineListeners: (() => void)[] = []

  const changed = (record?: Moving): void => {
    if (record !== undefined) moving.add(record)
    for (const listener of changeListeners) listener()
  }
  const machinesChanged = (): void => {
    for (const listener of machineListeners) listener()
  }
  const begin = (entry: UsageRecord): void => {
    usage.set(entry.id, entry)
    usageRevision += 1
  }
  const end = (id: string): void => {
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
    ownAddresses,
    startTime: state.startTime,
    usageRevision: () => usageRevision,
    sessionGeneration: () => sessionGeneration,
    now: () => clock.now(),
    newId: () => {
      issued += 1
      return createRandom(`wheelhouse/${state.seed}/${issued}`).id()
    },
    addMachine: (machine, entry) => {
      machines.set(machine.id, machine)
      begin(entry)
      changed(machine)
      machinesChanged()
    },
    addBareMetal: (instance, entry) => {
      bareMetal.set(instance.id, instance)
      begin(entry)
      changed(instance)
      machinesChanged()
    },
    addVolume: (volume, entry) => {
      volumes.set(volume.id, volume)
      begin(entry)
      changed(volume)
    },
    addApiToken: (token) => {
      apiTokens.set(token.id, token)
      changed()
    },
    remove: (id) => {
      const removed = [machines.delete(id), bareMetal.delete(id), volumes.delete(id)].includes(true)
      if (!removed) return false
      for (const volume of volumes.values()) {
        if (volume.attachedTo === id) Object.assign(volume, free)
      }
      end(id)
      changed()
      machinesChanged()
      return true
    },
    changed,
    setMachineStatus: (machine, status) => {
      const now = clock.now()
      const starts = status === 'running' && machine.status !== 'running'
      if (starts) machine.startedTime = now
      if (status === 'running') machine.stoppedTime = null
      if (status === 'stopped') machine.stoppedTime ??= now
      machine.status = status
      machine.transition = null
      changed()
      machinesChanged()
    },
    revokeSessions: () => {
      sessionGeneration += 1
      changed()
    },
    settle: () => {
      const now = clock.now()
      for (const record of moving) {
        const { transition } = record
        if (transition === null) moving.delete(record)
        else if (transition.at <= now) {
          finish(record, transition)
          moving.delete(record)
          changed()
          if ('address' in record) machinesChanged()
        }
      }
    },
    onChange: (listener) => void changeListeners.push(listener),
    onMachinesChange: (listener) => void machineListeners.push(listener),
    snapshot: () => ({
      ...state,
      clockOffset: clock.offset(),
      issued,
      sessionGeneration,
      machines: [...machines.values()],
      bareMetal: [...bareMetal.values()],
      volumes: [...volumes.values()],
      usage: [...usage.values()],
      apiTokens: [...apiTokens.values()],
    }),
  }
}

function finish(record: Moving, transition: { to: string; at: number }): void {
  const at = Math.floor(transition.at)
  if ('startedTime' in record && transition.to === 'running') record.startedTime = at
  if ('stoppedTime' in record) record.stoppedTime = transition.to === 'stopped' ? at : null
  if ('attachedTo' in record && record.status === 'detaching') record.attachedTo = null
  record.status = transition.to
  record.transition = null
}
