import type { AccountsView } from '#shared/bridge/account'
import type { FleetSnapshot, MachineView } from '#shared/bridge/fleet'
import { translate } from '#shared/messages/index'
import { machineState } from '#shared/service/machine-state'

/** What a click in the tray asks for. */
export type TrayAction =
  | { readonly do: 'open' }
  | { readonly do: 'quit' }
  | { readonly do: 'show'; readonly account: string; readonly machine?: string }
  | { readonly do: 'ssh'; readonly account: string; readonly machine: string }

export type TrayItem =
  | { readonly label: string; readonly action: TrayAction; readonly enabled?: boolean }
  | { readonly label: string; readonly heading: true }
  | { readonly label: string; readonly items: readonly TrayItem[] }
  | 'separator'

/** Machines that one account shows in the menu; menus do not scroll well everywhere. */
const machinesShown = 15

const isRunning = (machine: MachineView): boolean => machineState(machine.status) === 'running'

export const runningCount = (fleets: readonly FleetSnapshot[]): number =>
  fleets.reduce((count, fleet) => count + fleet.machines.filter(isRunning).length, 0)

/** The tray's menu: machines grouped by account, running ones first, each with SSH; then Open and Quit. */
export function trayMenu(view: AccountsView, fleets: readonly FleetSnapshot[]): readonly TrayItem[] {
  const groups = view.accounts.flatMap((account): TrayItem[] => {
    const fleet = fleets.find((candidate) => candidate.account === account.id)
    const heading: TrayItem = { label: account.label, heading: true }
    if (account.state !== 'signed-in')
      return [
        heading,
        {
          label: translate('desktop.tray.signedOut'),
          action: { do: 'show', account: account.id },
        },
        'separator',
      ]
    const machines = (fleet?.machines ?? []).toSorted(
      (a, b) => Number(isRunning(b)) - Number(isRunning(a)) || a.name.localeCompare(b.name),
    )
    const shown = machines.slice(0, machinesShown).map((machine) => machineItem(account.id, machine))
    const rest = machines.length - shown.length
    return [
      heading,
      ...(shown.length > 0
        ? shown
        : [{ label: translate('desktop.tray.noMachines'), heading: true } as const]),
      ...(rest > 0
        ? [
            {
              label: translate('desktop.tray.moreMachines', { count: rest }),
              action: { do: 'show', account: account.id },
            } as const,
          ]
        : []),
      'separator',
    ]
  })
  return [
    ...groups,
    { label: translate('desktop.tray.open'), action: { do: 'open' } },
    { label: translate('desktop.tray.quit'), action: { do: 'quit' } },
  ]
}

function machineItem(account: string, machine: MachineView): TrayItem {
  const state = machine.status ?? translate('desktop.tray.stateUnknown')
  return {
    label: translate('desktop.tray.machine', { name: machine.name, state }),
    items: [
      {
        label: translate('desktop.tray.ssh'),
        action: { do: 'ssh', account, machine: machine.id },
        enabled: isRunning(machine),
      },
      {
        label: translate('desktop.tray.show'),
        action: { do: 'show', account, machine: machine.id },
      },
    ],
  }
}
