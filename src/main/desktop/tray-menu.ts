import type { AccountsView } from '#shared/bridge/account'
import type { SpendingView } from '#shared/bridge/cost'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { EndRuleView } from '#shared/bridge/end-rule'
import type { FleetSnapshot, MachineView } from '#shared/bridge/fleet'
import type { IdleMachine } from '#shared/bridge/idle'
import type { ForwardView } from '#shared/bridge/tunnel'
import type { WasteView } from '#shared/bridge/waste'
import { durationSince } from '#shared/messages/duration-text'
import { wasteTotalText } from '#shared/messages/waste-text'
import { formatMoney, formatRate } from '#shared/money/format-money'
import { type Money, sumByCurrency } from '#shared/money/money'
import { translate } from '#shared/messages/index'
import { machineState } from '#shared/service/machine-state'
import { type SshDisabledReason, sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import { textOrder } from '#shared/locale'
import { systemLine } from './system-text'
import { attentionItems, type AttentionSources } from './tray-attention'
import { maxNameLength, show, type TrayItem } from './tray-item'

/** Upper bound on the machines per account: long menus do not scroll well on every system. */
const maxMachines = 15

const isRunning = (machine: MachineView): boolean => machineState(machine.status) === 'running'

export const runningCount = (fleets: readonly FleetSnapshot[]): number =>
  fleets.reduce((count, fleet) => count + fleet.machines.filter(isRunning).length, 0)

/** Returns the first `maxMachines` by name. Sorting a thousand names instead takes ten times as long. */
function firstByName(machines: readonly MachineView[]): readonly MachineView[] {
  const order = textOrder()
  const first: MachineView[] = []
  for (const machine of machines) {
    const last = first[maxMachines - 1]
    if (last && order(machine.name, last.name) >= 0) continue
    // Machines with equal names retain their order.
    const place = first.findIndex(({ name }) => order(machine.name, name) < 0)
    first.splice(place === -1 ? first.length : place, 0, machine)
    first.length = Math.min(first.length, maxMachines)
  }
  return first
}

function shownOf(machines: readonly MachineView[]): readonly MachineView[] {
  const running = firstByName(machines.filter(isRunning))
  const stopped = running.length < maxMachines ? machines.filter((machine) => !isRunning(machine)) : []
  return [...running, ...firstByName(stopped)].slice(0, maxMachines)
}

function perHourText(views: readonly SpendingView[]): string {
  const rates = views
    .filter(({ usageAsOf }) => usageAsOf !== null)
    .flatMap(({ currencies }) =>
      currencies.map(({ currency, perHour }): Money => ({ currency, millionths: perHour })),
    )
  const amounts = sumByCurrency(rates).filter(({ millionths }) => millionths !== 0)
  return amounts.map((money) => translate('desktop.tray.perHour', { amount: formatRate(money) })).join(' + ')
}

/** Formats the spending per hour of all own accounts, without the sandbox; empty if nothing is spent or known. */
export const ownPerHour = (spending: readonly SpendingView[]): string =>
  perHourText(spending.filter(({ sandbox }) => !sandbox))

const forwardItem = ({ id, name, port, localPort, machineName }: ForwardView): TrayItem => ({
  label: translate('desktop.tray.forward', {
    service: systemLine(name ?? translate('tunnels.port', { port }), maxNameLength),
    machine: systemLine(machineName, maxNameLength),
    address: `127.0.0.1:${localPort}`,
  }),
  items: [{ label: translate('tunnels.stop'), action: { kind: 'stop-forward', forward: id } }],
})

/** Data of the menu besides accounts and machines. */
export interface TraySources extends AttentionSources {
  readonly spending: readonly SpendingView[]
  idle(account: string, machine: string): IdleMachine | undefined
  instances(account: string): readonly BareMetalView[]
  waste(account: string): WasteView | undefined
  factsOf(account: string, machine: string): readonly string[]
  readonly forwards: readonly ForwardView[]
}

/** Returns the actions of a machine besides the connection. */
function actionsItem(account: string, machine: MachineView, ends: readonly EndRuleView[]): TrayItem {
  const page = { page: 'machines', account, machine: machine.id } as const
  const rule = ends.find((end) => end.machine === machine.id)
  return {
    label: systemLine(machine.name, maxNameLength),
    items: [
      { label: translate('desktop.tray.show'), action: show(page) },
      { label: translate('jobs.title'), action: show({ ...page, tab: 'jobs' }) },
      ...(rule && rule.state.kind !== 'ending'
        ? [
            {
              label: translate('endRules.extend'),
              action: { kind: 'extend-end', account, rule: rule.id } as const,
            },
            {
              label: translate(`endRules.keep.${rule.action}`),
              action: { kind: 'cancel-end', account, rule: rule.id } as const,
            },
          ]
        : []),
      // The window looks at the machine before it asks.
      ...(isRunning(machine)
        ? [{ label: translate('desktop.tray.stop'), action: show({ ...page, act: 'stop' }) }]
        : []),
    ],
  }
}

/** Returns the part of an account that is signed in, without its heading. */
function signedInItems(
  account: string,
  fleet: FleetSnapshot | undefined,
  sources: TraySources,
): readonly TrayItem[] {
  const { idle, now, factsOf, waste, instances, ends } = sources
  const machines = fleet?.machines ?? []
  const first = shownOf(machines)
  const shown = first.map((machine) =>
    machineItem(account, machine, [
      stateOf(machine, idle(account, machine.id), now),
      ...factsOf(account, machine.id),
    ]),
  )
  const rest = machines.length - shown.length
  const wasted = waste(account)
  const rules = ends(account)
  const lines: readonly (TrayItem | false | undefined)[] = [
    wasted &&
      wasted.items.length > 0 && {
        label: wasteTotalText(wasted.totals, translate),
        action: show({ page: 'overview', account }),
      },
    shown.length === 0 && { label: translate('desktop.tray.noMachines'), heading: true },
    ...shown,
    rest > 0 && {
      label: translate('desktop.tray.more', { count: rest }),
      action: show({ page: 'machines', account }),
    },
    ...instances(account)
      .filter(({ presence }) => presence !== 'gone')
      .toSorted((a, b) => textOrder()(a.name, b.name))
      .slice(0, maxMachines)
      .map((instance) => instanceItem(account, instance)),
    first.length > 0 && {
      label: translate('desktop.tray.actions'),
      items: first.map((machine) => actionsItem(account, machine, rules)),
    },
  ]
  return lines.filter((line) => line !== undefined && line !== false)
}

/**
 * Builds the tray's menu: what needs attention, then per account spending, waste, machines (running first) with load and
 * cost, bare metal, and further actions of each machine. Then the forwarded ports, Open and Quit. A click on a machine
 * connects, or shows the machine if SSH cannot work.
 */
export function trayMenu(
  view: AccountsView,
  fleets: readonly FleetSnapshot[],
  sources: TraySources,
): readonly TrayItem[] {
  const groups = view.accounts.flatMap((account): TrayItem[] => {
    const fleet = fleets.find((candidate) => candidate.account === account.id)
    const running = fleet ? runningCount([fleet]) : 0
    const isSignedIn = account.state === 'signed-in'
    const facts = isSignedIn
      ? [
          running > 0 ? translate('desktop.tray.running', { count: running }) : '',
          perHourText(sources.spending.filter((candidate) => candidate.account === account.id)),
        ]
      : []
    const label = [account.label, ...facts].filter((part) => part !== '').join(' · ')
    const page = { page: 'machines', account: account.id } as const
    return [
      { label, heading: true },
      ...(isSignedIn
        ? signedInItems(account.id, fleet, sources)
        : [{ label: translate('desktop.tray.signedOut'), action: show(page) }]),
      'separator',
    ]
  })
  return [
    ...attentionItems(view.accounts, sources),
    ...groups,
    ...(sources.forwards.length > 0
      ? [
          { label: translate('tunnels.forwards.title'), items: sources.forwards.map(forwardItem) },
          'separator' as const,
        ]
      : []),
    { label: translate('desktop.tray.open'), action: show(null) },
    { label: translate('desktop.tray.quit'), action: { kind: 'quit' } },
  ]
}

/** Returns the state of a machine; an idle machine's also has the duration and the cost. */
function stateOf(machine: MachineView, idle: IdleMachine | undefined, now: number): string {
  const state = systemLine(machine.status ?? translate('desktop.tray.stateUnknown'), maxNameLength)
  // A machine in transition is no longer idle.
  if (!idle || !isRunning(machine)) return state
  const duration = durationSince(idle.since, now, translate)
  const text = translate(`idle.tray.${idle.use}`, { state, duration })
  return idle.cost && idle.use !== 'cpu-idle'
    ? translate('idle.trayCost', { text, cost: formatMoney(idle.cost) })
    : text
}

/** Adds the reason why SSH is disabled. For a machine in transition the state itself is the reason. */
const withReason = (state: string, disabledReason: SshDisabledReason | null): string =>
  disabledReason === 'stopped' || disabledReason === 'no-address'
    ? translate('desktop.tray.notReachable', {
        state,
        reason: translate(`desktop.tray.disabledReason.${disabledReason}`),
      })
    : state

function machineItem(account: string, machine: MachineView, facts: readonly string[]): TrayItem {
  const { id, name } = machine
  const [state = '', ...details] = facts
  const disabledReason = sshDisabledReason(machine)
  return {
    label: [
      translate('desktop.tray.machine', {
        name: systemLine(name, maxNameLength),
        state: withReason(state, disabledReason),
      }),
      ...details,
    ].join(' · '),
    action:
      disabledReason === null
        ? { kind: 'ssh', account, machine: id }
        : show({ page: 'machines', account, machine: id }),
  }
}

function instanceItem(account: string, instance: BareMetalView): TrayItem {
  const { id, name } = instance
  const disabledReason = sshDisabledReason(instance)
  const state = withReason(translate('desktop.tray.bareMetal'), disabledReason)
  return {
    label: translate('desktop.tray.machine', { name: systemLine(name, maxNameLength), state }),
    action:
      disabledReason === null
        ? { kind: 'ssh', account, machine: id }
        : show({ page: 'bare-metal', account, instance: id }),
  }
}
