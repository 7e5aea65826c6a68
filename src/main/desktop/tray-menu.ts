import type { AccountsView } from '#shared/bridge/account'
import type { SpendingView } from '#shared/bridge/cost'
import type { BareMetalView } from '#shared/bridge/bare-metal'
import type { FleetSnapshot, MachineView } from '#shared/bridge/fleet'
import type { IdleMachine } from '#shared/bridge/idle'
import type { ForwardView } from '#shared/bridge/tunnel'
import type { WasteView } from '#shared/bridge/waste'
import { durationSince } from '#shared/messages/duration-text'
import { wasteTotalText } from '#shared/messages/waste-text'
import { formatMoney, formatRate, type Money, sumByCurrency } from '#shared/money/money'
import { translate } from '#shared/messages/index'
import { machineState } from '#shared/service/machine-state'
import { type SshDisabledReason, sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import { textOrder } from '#shared/locale'
import { systemLine } from './system-text'

/** What a click in the tray asks for. */
export type TrayAction =
  | { readonly kind: 'open' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'show'; readonly account: string; readonly machine?: string }
  | { readonly kind: 'show-waste'; readonly account: string }
  | { readonly kind: 'show-bare-metal'; readonly account: string; readonly instance: string }
  | { readonly kind: 'stop-forward'; readonly forward: string }
  | { readonly kind: 'ssh' | 'stop'; readonly account: string; readonly machine: string }

export type TrayItem =
  | { readonly label: string; readonly action: TrayAction }
  | { readonly label: string; readonly heading: true }
  | { readonly label: string; readonly items: readonly TrayItem[] }
  | 'separator'

/** A line as the system takes it: one `&` would make the character after it an access key, and not be shown. Pure. */
export const menuLabel = (text: string): string => systemLine(text).replaceAll('&', '&&')

/** Characters of a name and of a state, so that what stands behind them is read as well. */
const longestName = 60

/** Machines that one account shows in the menu; menus do not scroll well everywhere. */
const machinesShown = 15

const isRunning = (machine: MachineView): boolean => machineState(machine.status) === 'running'

export const runningCount = (fleets: readonly FleetSnapshot[]): number =>
  fleets.reduce((count, fleet) => count + fleet.machines.filter(isRunning).length, 0)

/** The first `machinesShown` by name. Sorting a thousand names for them takes ten times as long. */
function firstByName(machines: readonly MachineView[]): readonly MachineView[] {
  const order = textOrder()
  const first: MachineView[] = []
  for (const machine of machines) {
    const last = first[machinesShown - 1]
    if (last && order(machine.name, last.name) >= 0) continue
    // Those of one name stay in the order of the list.
    const place = first.findIndex(({ name }) => order(machine.name, name) < 0)
    first.splice(place === -1 ? first.length : place, 0, machine)
    first.length = Math.min(first.length, machinesShown)
  }
  return first
}

/** The machines that are shown: running ones first, each by name. */
function shownOf(machines: readonly MachineView[]): readonly MachineView[] {
  const running = firstByName(machines.filter(isRunning))
  const others = running.length < machinesShown ? machines.filter((machine) => !isRunning(machine)) : []
  return [...running, ...firstByName(others)].slice(0, machinesShown)
}

/** What some accounts spend per hour, as words; empty while nothing is spent or known. */
function perHourText(views: readonly SpendingView[]): string {
  const rates = views
    .filter(({ usageAsOf }) => usageAsOf !== null)
    .flatMap(({ currencies }) =>
      currencies.map(({ currency, perHour }): Money => ({ currency, millionths: perHour })),
    )
  const amounts = sumByCurrency(rates).filter(({ millionths }) => millionths !== 0)
  return amounts.map((money) => translate('desktop.tray.perHour', { amount: formatRate(money) })).join(' + ')
}

/** What all own accounts spend per hour: the sandbox's money is none. Empty while nothing is spent or known. */
export const ownPerHour = (spending: readonly SpendingView[]): string =>
  perHourText(spending.filter(({ sandbox }) => !sandbox))

const forwardItem = ({ id, name, port, localPort, machineName }: ForwardView): TrayItem => ({
  label: translate('desktop.tray.forward', {
    service: systemLine(name ?? translate('tunnels.port', { port }), longestName),
    machine: systemLine(machineName, longestName),
    address: `127.0.0.1:${localPort}`,
  }),
  items: [{ label: translate('tunnels.stop'), action: { kind: 'stop-forward', forward: id } }],
})

/**
 * The tray's menu: what runs and is spent in each account; its machines, running ones first, with load and cost, each
 * of which connects, or is shown where it cannot be reached; what can be stopped; the ports that are forwarded; then
 * Open and Quit.
 */
export function trayMenu(
  view: AccountsView,
  fleets: readonly FleetSnapshot[],
  spending: readonly SpendingView[] = [],
  idle: (account: string, machine: string) => IdleMachine | undefined = () => undefined,
  now = 0,
  instances: (account: string) => readonly BareMetalView[] = () => [],
  waste: (account: string) => WasteView | undefined = () => undefined,
  factsOf: (account: string, machine: string) => readonly string[] = () => [],
  forwards: readonly ForwardView[] = [],
): readonly TrayItem[] {
  const groups = view.accounts.flatMap((account): TrayItem[] => {
    const fleet = fleets.find((candidate) => candidate.account === account.id)
    const running = fleet ? runningCount([fleet]) : 0
    const facts =
      account.state === 'signed-in'
        ? [
            running > 0 ? translate('desktop.tray.running', { count: running }) : '',
            perHourText(spending.filter((one) => one.account === account.id)),
          ]
        : []
    const label = [account.label, ...facts].filter((part) => part !== '').join(' · ')
    const heading: TrayItem = { label, heading: true }
    if (account.state !== 'signed-in')
      return [
        heading,
        {
          label: translate('desktop.tray.signedOut'),
          action: { kind: 'show', account: account.id },
        },
        'separator',
      ]
    const machines = fleet?.machines ?? []
    const first = shownOf(machines)
    const shown = first.map((machine) =>
      machineItem(account.id, machine, [
        stateOf(machine, idle(account.id, machine.id), now),
        ...factsOf(account.id, machine.id),
      ]),
    )
    const rest = machines.length - shown.length
    const wasted = waste(account.id)
    const stoppable = first.filter(isRunning)
    return [
      heading,
      ...(wasted && wasted.items.length > 0
        ? [
            {
              label: wasteTotalText(wasted.totals, translate),
              action: { kind: 'show-waste', account: account.id },
            } as const,
          ]
        : []),
      ...(shown.length > 0
        ? shown
        : [{ label: translate('desktop.tray.noMachines'), heading: true } as const]),
      ...(rest > 0
        ? [
            {
              label: translate('desktop.tray.moreMachines', { count: rest }),
              action: { kind: 'show', account: account.id },
            } as const,
          ]
        : []),
      ...instances(account.id)
        .filter(({ presence }) => presence !== 'gone')
        .toSorted((a, b) => textOrder()(a.name, b.name))
        .slice(0, machinesShown)
        .map((instance) => instanceItem(account.id, instance)),
      ...(stoppable.length > 0
        ? [
            {
              label: translate('desktop.tray.stop'),
              items: stoppable.map(({ id, name }) => ({
                label: translate('desktop.tray.stopOne', { name }),
                action: { kind: 'stop', account: account.id, machine: id } as const,
              })),
            },
          ]
        : []),
      'separator',
    ]
  })
  return [
    ...groups,
    ...(forwards.length > 0
      ? [
          { label: translate('tunnels.forwards.title'), items: forwards.map(forwardItem) },
          'separator' as const,
        ]
      : []),
    { label: translate('desktop.tray.open'), action: { kind: 'open' } },
    { label: translate('desktop.tray.quit'), action: { kind: 'quit' } },
  ]
}

/** The state of a machine in the tray; of one that does nothing also since when, and what that has cost. */
function stateOf(machine: MachineView, idle: IdleMachine | undefined, now: number): string {
  const state = systemLine(machine.status ?? translate('desktop.tray.stateUnknown'), longestName)
  // What is on its way elsewhere is not called idle any more.
  if (!idle || !isRunning(machine)) return state
  const duration = durationSince(idle.since, now, translate)
  return idle.cost
    ? translate('idle.trayCost', { state, duration, cost: formatMoney(idle.cost) })
    : translate('idle.tray', { state, duration })
}

/** Of a machine in transition the state is the reason. */
const withReason = (state: string, disabledReason: SshDisabledReason | null): string =>
  disabledReason === 'stopped' || disabledReason === 'no-address'
    ? translate('desktop.tray.notReachable', {
        state,
        reason: translate(`desktop.tray.disabledReason.${disabledReason}`),
      })
    : state

/** A click connects; where that cannot work, the line says why, and the click shows the machine. */
function machineItem(account: string, machine: MachineView, facts: readonly string[]): TrayItem {
  const { id, name } = machine
  const [state = '', ...others] = facts
  const disabledReason = sshDisabledReason(machine)
  return {
    label: [
      translate('desktop.tray.machine', {
        name: systemLine(name, longestName),
        state: withReason(state, disabledReason),
      }),
      ...others,
    ].join(' · '),
    action:
      disabledReason === null
        ? { kind: 'ssh', account, machine: id }
        : { kind: 'show', account, machine: id },
  }
}

function instanceItem(account: string, instance: BareMetalView): TrayItem {
  const { id, name } = instance
  const disabledReason = sshDisabledReason(instance)
  const state = withReason(translate('desktop.tray.bareMetal'), disabledReason)
  return {
    label: translate('desktop.tray.machine', { name: systemLine(name, longestName), state }),
    action:
      disabledReason === null
        ? { kind: 'ssh', account, machine: id }
        : { kind: 'show-bare-metal', account, instance: id },
  }
}
