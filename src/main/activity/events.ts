import type { ActivityEvent } from '#shared/bridge/activity'
import type { AccountView } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { ListChange } from '#shared/bridge/listing'
import type { VolumeView } from '#shared/bridge/volume'

/** Last state of a list. Only changes of a `whole` list are events. */
export interface Known<View> {
  readonly items: ReadonlyMap<string, View>
  readonly whole: boolean
}

type Change<View> = Pick<ListChange<View, { readonly asOf: number | null }>, 'upserts' | 'removes' | 'status'>

interface Step<View> {
  readonly known: Known<View>
  readonly events: readonly ActivityEvent[]
}

function applyChange<View extends { readonly id: string }>(
  known: Known<View> | undefined,
  { upserts, removes, status }: Change<View>,
  eventOf: (before: View | undefined, after: View | undefined) => ActivityEvent | undefined,
): Step<View> {
  const whole = status.asOf !== null
  if (known?.whole === whole && upserts.length === 0 && removes.length === 0) return { known, events: [] }
  const items = new Map(known?.items)
  const events: ActivityEvent[] = []
  const apply = (id: string, after: View | undefined): void => {
    const event = eventOf(items.get(id), after)
    if (event && known?.whole && whole) events.push(event)
    if (after) items.set(id, after)
    else items.delete(id)
  }
  for (const view of upserts) apply(view.id, view)
  for (const id of removes) apply(id, undefined)
  return { known: { items, whole }, events }
}

export const machineEvents = (
  known: Known<MachineView> | undefined,
  change: Change<MachineView>,
): Step<MachineView> =>
  applyChange(known, change, (before, after) => {
    if (after) {
      const { id: machine, name, status } = after
      if (!before) return { kind: 'machine-new', machine, name, status }
      return before.status === status ? undefined : { kind: 'machine-state', machine, name, status }
    }
    return before && { kind: 'machine-gone', machine: before.id, name: before.name }
  })

const nameOf = ({ id, displayName, name }: VolumeView): string => displayName ?? name ?? id

export const volumeEvents = (
  known: Known<VolumeView> | undefined,
  change: Change<VolumeView>,
): Step<VolumeView> =>
  applyChange(known, change, (before, after) => {
    if (after) return before ? undefined : { kind: 'volume-new', volume: after.id, name: nameOf(after) }
    return before && { kind: 'volume-gone', volume: before.id, name: nameOf(before) }
  })

/** Whether an account's session ended without the user. Pure. */
export const lostSignIn = (before: AccountView | undefined, after: AccountView): boolean =>
  before?.state === 'signed-in' && after.state === 'signed-out' && after.failure !== null
