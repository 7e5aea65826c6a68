import type { FleetChange, FleetSnapshot, FleetStatus, MachineView } from '#shared/bridge/fleet'

/** What the window knows of one account's machines. Rows are never changed in place: a new one replaces the old. */
export interface AccountFleet {
  readonly revision: number
  readonly machines: ReadonlyMap<string, MachineView>
  readonly status: FleetStatus
}

/** What a change did: `old` was known already, `missed` needs a fresh snapshot. */
export type Step =
  | { readonly kind: 'applied'; readonly fleet: AccountFleet }
  | { readonly kind: 'old' }
  | { readonly kind: 'missed' }

export const fleetOf = ({ revision, machines, status }: FleetSnapshot): AccountFleet => ({
  revision,
  machines: new Map(machines.map((machine) => [machine.id, machine])),
  status,
})

export function applyChange(fleet: AccountFleet, change: FleetChange): Step {
  if (change.revision <= fleet.revision) return { kind: 'old' }
  if (change.revision !== fleet.revision + 1) return { kind: 'missed' }
  const { revision, status, upserts, removes } = change
  // Most changes only tell that nothing changed: the same map then spares every list that is built from it.
  if (upserts.length === 0 && removes.length === 0) {
    return { kind: 'applied', fleet: { ...fleet, revision, status } }
  }
  const machines = new Map(fleet.machines)
  for (const id of removes) machines.delete(id)
  for (const machine of upserts) machines.set(machine.id, machine)
  return { kind: 'applied', fleet: { revision, machines, status } }
}

/** A snapshot with the changes that arrived while it was on its way. */
export function catchUp(snapshot: FleetSnapshot, arrived: readonly FleetChange[]): Step {
  let fleet = fleetOf(snapshot)
  for (const change of [...arrived].sort((one, other) => one.revision - other.revision)) {
    const step = applyChange(fleet, change)
    if (step.kind === 'missed') return step
    if (step.kind === 'applied') fleet = step.fleet
  }
  return { kind: 'applied', fleet }
}
