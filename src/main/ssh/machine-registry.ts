import type { AccountId } from '#shared/bridge/account'
import { createEmitter } from '#shared/emitter'
import { FailureError } from '#shared/failure'
import { resourceKey } from '#shared/resource-key'

interface Part {
  settle(): void
  close(): void
}
export interface MachineEntry<MachinePart> {
  readonly account: AccountId
  readonly machine: string
  readonly part: MachinePart
}

export interface MachineRegistryDeps<MachinePart, View> {
  machine(account: AccountId, id: string): unknown
  /** Makes the part of a machine, which calls `changed` when its view may have changed. */
  create(account: AccountId, machine: string, changed: () => void): MachinePart
  view(entry: MachineEntry<MachinePart>): View
  changed?(): void
}

/** Holds a module's part for each machine that the user opened, and emits its view if that has changed. */
export function machineRegistry<MachinePart extends Part, View>(
  deps: MachineRegistryDeps<MachinePart, View>,
) {
  const entries = new Map<string, MachineEntry<MachinePart>>()
  const views = createEmitter<View>()
  const emitted = new Map<string, string>()
  let isClosed = false

  const find = (account: AccountId, machine: string): MachinePart | undefined =>
    entries.get(resourceKey(account, machine))?.part

  function changed(key: string): void {
    const entry = entries.get(key)
    if (!entry || isClosed) return
    const view = deps.view(entry)
    const text = JSON.stringify(view)
    if (emitted.get(key) !== text) {
      emitted.set(key, text)
      views.emit(view)
    }
    deps.changed?.()
  }

  /** Returns the part of a machine, a new one if it has none. Fails with invalid-input (machine). */
  function of(account: AccountId, machine: string): MachinePart {
    const known = find(account, machine)
    if (known) return known
    if (!deps.machine(account, machine))
      throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
    const key = resourceKey(account, machine)
    const part = deps.create(account, machine, () => changed(key))
    entries.set(key, { account, machine, part })
    return part
  }

  return {
    entries: () => entries.values(),
    find,
    of,
    view: (account: AccountId, machine: string): View =>
      deps.view({ account, machine, part: of(account, machine) }),
    onView: views.on,
    settle: (): void => entries.forEach(({ part }) => part.settle()),
    /** Removes the parts of gone machines. The caller closes them. */
    remove(account: AccountId, isGone: (machine: string) => boolean): readonly MachineEntry<MachinePart>[] {
      const gone = [...entries].filter(([, entry]) => entry.account === account && isGone(entry.machine))
      for (const [key] of gone) {
        entries.delete(key)
        emitted.delete(key)
      }
      return gone.map(([, entry]) => entry)
    },
    mute(): void {
      isClosed = true
    },
    close(): void {
      isClosed = true
      for (const { part } of entries.values()) part.close()
      entries.clear()
    },
  }
}
