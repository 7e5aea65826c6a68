import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { GpuAccountView, GpuView } from '#shared/bridge/gpu'
import type { Clock } from '../../core/clock'
import { createEmitter } from '#shared/emitter'

/** Machines that are named per reason. */
const named = 8
/** Seconds in which the changes of many machines are one event. */
const together = 0.5

const nameOf = ({ id, name }: MachineView): { id: string; name: string } => ({ id, name })

/** Machines of one reason are one line. */
function reasonOf({ link, report }: GpuView): string {
  if (link.kind === 'connected') return `report/${report?.kind ?? ''}`
  if (link.kind === 'stopped') return `stop/${link.stop.kind}`
  return link.kind === 'off' ? `off/${link.why}` : link.kind
}

const isPending = ({ link, report }: GpuView): boolean =>
  link.kind === 'connecting' || (link.kind === 'connected' && report === null)

/** How reading stands, from the machines that are listed and what is known of each. Pure. */
export function progressOf(
  account: AccountId,
  all: boolean,
  machines: readonly MachineView[],
  viewOf: (id: string) => GpuView,
): GpuAccountView {
  const views = machines.map((machine) => ({ machine, view: viewOf(machine.id) }))
  const wanted = views.filter(({ view }) => view.consent)
  const isRead = ({ view }: { view: GpuView }): boolean =>
    view.link.kind === 'connected' && view.report?.kind === 'gpus'
  const unread = new Map<string, GpuAccountView['unread'][number]>()
  for (const { machine, view } of wanted) {
    if (isRead({ view }) || isPending(view)) continue
    const { link, report } = view
    const line = unread.get(reasonOf(view)) ?? { link, report, count: 0, machines: [] }
    unread.set(reasonOf(view), {
      ...line,
      count: line.count + 1,
      machines: line.machines.length < named ? [...line.machines, nameOf(machine)] : line.machines,
    })
  }
  return {
    account,
    all,
    total: wanted.length,
    read: wanted.filter(isRead).length,
    pending: wanted.filter(({ view }) => isPending(view)).length,
    unread: [...unread.values()].sort((one, other) => other.count - one.count),
    excepted: all ? views.filter(({ view }) => !view.consent).map(({ machine }) => nameOf(machine)) : [],
  }
}

/** Follows how reading stands in the accounts that somebody asked about. */
export function createProgress(clock: Clock, read: (account: AccountId) => GpuAccountView) {
  const changes = createEmitter<GpuAccountView>()
  /** The last event of each account, as text. */
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
      // Other callers have not seen this answer: only events count as emitted.
      if (!emitted.has(account)) emitted.set(account, '')
      return read(account)
    },
    /** Something of the account, or of all accounts (null), has changed. */
    touch(account: AccountId | null): void {
      for (const one of account === null ? emitted.keys() : [account])
        if (emitted.has(one) && !due.has(one))
          due.set(
            one,
            clock.after(together, () => emit(one)),
          )
    },
    forgetAccount: (account: AccountId): void => void emitted.delete(account),
    close: (): void => due.forEach((cancel) => cancel()),
  }
}
