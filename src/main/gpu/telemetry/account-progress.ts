import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { GpuAccountView, GpuView } from '#shared/bridge/gpu'
import type { Clock } from '../../core/clock'
import { createEmitter } from '#shared/emitter'
import { rotatedMaxAgeSeconds } from '#shared/gpu-load'
import { waitsForTurn } from '#shared/ssh-wait-reasons'

const maxNamed = 8
/** Delay that gathers the changes of many machines into one event. */
const gatherSeconds = 0.5

const nameOf = ({ id, name }: MachineView): { id: string; name: string } => ({ id, name })

/** Returns a key of the reason: machines with equal keys share one line. */
function reasonOf({ link, report }: GpuView): string {
  if (link.kind === 'connected') return `report/${report?.kind ?? ''}`
  if (link.kind === 'stopped') return `stop/${link.stop.kind}`
  return link.kind === 'off' ? `off/${link.why}` : link.kind
}

const isPending = ({ link, report }: GpuView): boolean =>
  link.kind === 'connecting' || (link.kind === 'connected' && report === null)

export function progressOf(
  account: AccountId,
  all: boolean,
  machines: readonly MachineView[],
  viewOf: (account: AccountId, id: string) => GpuView,
  now: number,
): GpuAccountView {
  const views = machines.map((machine) => ({ machine, view: viewOf(account, machine.id) }))
  const consented = views.filter(({ view }) => view.consent)
  const isRead = ({ view: { link, report, at } }: { view: GpuView }): boolean =>
    report?.kind === 'gpus' &&
    (link.kind === 'connected' || (waitsForTurn(link) && (at ?? -Infinity) >= now - rotatedMaxAgeSeconds))
  const unread = new Map<string, GpuAccountView['unread'][number]>()
  for (const { machine, view } of consented) {
    if (isRead({ view }) || isPending(view)) continue
    const { link, report } = view
    const line = unread.get(reasonOf(view)) ?? { link, report, count: 0, machines: [] }
    unread.set(reasonOf(view), {
      ...line,
      count: line.count + 1,
      machines: line.machines.length < maxNamed ? [...line.machines, nameOf(machine)] : line.machines,
    })
  }
  return {
    account,
    all,
    total: consented.length,
    read: consented.filter(isRead).length,
    pending: consented.filter(({ view }) => isPending(view)).length,
    unread: [...unread.values()].sort((a, b) => b.count - a.count),
    excepted: all ? views.filter(({ view }) => !view.consent).map(({ machine }) => nameOf(machine)) : [],
  }
}

export function createProgress(clock: Clock, read: (account: AccountId) => GpuAccountView) {
  const changes = createEmitter<GpuAccountView>()
  const emitted = new Map<AccountId, string>()
  const due = new Map<AccountId, () => void>()

  function emit(account: AccountId): void {
    due.delete(account)
    const next = read(account)
    const text = JSON.stringify(next)
    if (emitted.get(account) === text) return
    emitted.set(account, text)
    changes.emit(next)
  }

  return {
    onChange: changes.on,
    view(account: AccountId): GpuAccountView {
      // Only events count as emitted, because other callers have not seen this answer.
      if (!emitted.has(account)) emitted.set(account, '')
      return read(account)
    },
    /** Schedules an event for an account, or for all accounts (null). */
    touch(account: AccountId | null): void {
      for (const changed of account === null ? emitted.keys() : [account])
        if (emitted.has(changed) && !due.has(changed))
          due.set(
            changed,
            clock.after(gatherSeconds, () => emit(changed)),
          )
    },
    forgetAccount: (account: AccountId): void => void emitted.delete(account),
    close: (): void => due.forEach((cancel) => cancel()),
  }
}
