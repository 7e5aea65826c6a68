import {
  ChartLine,
  CopyPlus,
  LayoutTemplate,
  Play,
  RotateCcw,
  Square,
  SquareTerminal,
  Tag,
  Trash2,
} from '@lucide/vue'
import type { AccountId } from '#shared/bridge/account'
import { maxCommandMachines } from '#shared/bridge/command'
import type { CapabilityState } from '#shared/bridge/capability'
import type { MachineView } from '#shared/bridge/fleet'
import { machineState } from '#shared/service/machine-state'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import { t } from '../../../platform/i18n'
import { maxCompared } from '../../../features/metrics/metric-lines'
import type { MenuItem } from '../../../components/popup-menu'
import { connectionItems } from '../../../features/connection/connection-items'
import { useCapabilities } from '../../../stores/capabilities'
import { statusText } from '../../../features/machine-text'
import {
  canDo,
  capabilityOf,
  type MachineAction,
  machineActions,
} from '../../../features/machine-actions/machine-action'

/** Actions that open a dialog. */
export const dialogActions = [...machineActions, 'run', 'template'] as const
export type DialogAction = (typeof dialogActions)[number]

const icons = { start: Play, stop: Square, reboot: RotateCcw, delete: Trash2 } as const

/** States in which an action has nothing left to do. */
const reached = { start: 'running', stop: 'stopped' } as const

/** Returns why an action is unavailable for all of the machines; undefined if it is available or unknown. */
function disabledReasonOf(
  action: MachineAction,
  offered: CapabilityState,
  machines: readonly MachineView[],
): string | undefined {
  if (offered === 'no') return t('machineActions.why.not-offered')
  if (machines.some((machine) => canDo(action, machine))) return undefined
  if (
    (action === 'start' || action === 'stop') &&
    machines.every(({ status }) => machineState(status) === reached[action])
  )
    return t(`machineActions.why.${action}`)
  const status = [...new Set(machines.map((machine) => statusText(machine.status)))].join(
    t('common.listSeparator'),
  )
  return t('machineActions.why.not-now', { status })
}

const compareItem = (count: number): MenuItem => ({
  id: 'compare',
  label: t('metrics.compare.action'),
  icon: ChartLine,
  disabledReason: count > maxCompared ? t('metrics.compare.most', { count: maxCompared }) : undefined,
})

function runItem(machines: readonly MachineView[]): MenuItem {
  const disabledReason = (): string | undefined => {
    if (machines.length > maxCommandMachines)
      return t('machineActions.why.too-many', { count: maxCommandMachines })
    if (machines.some((machine) => sshDisabledReason(machine) === null)) return undefined
    const [first] = machines
    const reason = machines.length === 1 && first ? sshDisabledReason(first) : null
    return reason === null ? t('machineActions.why.none-reachable') : t(`ssh.disabledReason.${reason}`)
  }
  return {
    id: 'run',
    label: t('machineActions.menuItems.run'),
    icon: SquareTerminal,
    disabledReason: disabledReason(),
  }
}

export function useMachineMenu() {
  const capabilities = useCapabilities()

  const actions = (account: AccountId, machines: readonly MachineView[]): MenuItem[] =>
    machineActions.map((action) => ({
      id: action,
      label: t(`machineActions.menuItems.${action}`),
      icon: icons[action],
      danger: action === 'delete',
      disabledReason: disabledReasonOf(action, capabilities.of(account, capabilityOf(action)), machines),
    }))

  const template = (): MenuItem => ({
    id: 'template',
    label: t('machineActions.menuItems.template'),
    icon: LayoutTemplate,
  })
  const forOne = (account: AccountId, machine: MachineView): MenuItem[] => [
    ...connectionItems(machine),
    { id: 'like', label: t('machineActions.menuItems.like'), icon: CopyPlus },
    template(),
    { id: 'notes', label: t('machineActions.menuItems.tag'), icon: Tag },
    runItem([machine]),
    ...actions(account, [machine]),
  ]
  /** The panel has the connection, notes and similar machines elsewhere. */
  const forPanel = (account: AccountId, machine: MachineView): MenuItem[] => [
    template(),
    runItem([machine]),
    ...actions(account, [machine]),
  ]
  const forMany = (account: AccountId, machines: readonly MachineView[]): MenuItem[] => [
    compareItem(machines.length),
    runItem(machines),
    ...actions(account, machines),
  ]

  return { actions, forOne, forPanel, forMany }
}
