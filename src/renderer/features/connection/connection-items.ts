import { Copy, Pin, SquareTerminal, Terminal } from '@lucide/vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import { useCopy } from '../../components/copy'
import type { MenuItem } from '../../components/popup-menu'
import { useToast } from '../../components/toast'
import { bridge } from '../../platform/bridge'
import { t } from '../../platform/i18n'
import { useConnectMachine } from './connect-machine'

/** Returns the menu items that connect to a machine or copy its SSH command. */
export function connectionItems(machine: MachineView): MenuItem[] {
  const reason = sshDisabledReason(machine)
  const disabledReason = reason === null ? undefined : t(`ssh.disabledReason.${reason}`)
  return [
    { id: 'connect', label: t('ssh.connect'), icon: SquareTerminal, disabledReason },
    { id: 'open-here', label: t('terminal.open'), icon: Terminal, disabledReason },
    { id: 'keep', label: t('terminal.kept.open'), icon: Pin, disabledReason },
    { id: 'copy-ssh', label: t('ssh.command.copy'), icon: Copy, disabledReason },
  ]
}

export function useConnectionItems() {
  const connectMachine = useConnectMachine()
  const copy = useCopy()
  const toast = useToast()

  async function copyCommand(account: AccountId, machine: MachineView): Promise<void> {
    try {
      const { command } = await bridge.call('ssh.connection', { account, machine: machine.id })
      if (command === null) toast.notice(t('ssh.command.unknown'))
      else await copy.text(t('machines.fields.command'), command)
    } catch (error) {
      toast.failed(error, t('ssh.command.copy'))
    }
  }

  const actions: Readonly<Record<string, (account: AccountId, machine: MachineView) => Promise<void>>> = {
    connect: (account, machine) => connectMachine(account, machine),
    'open-here': (account, machine) => connectMachine(account, machine, { inside: true }),
    keep: (account, machine) => connectMachine(account, machine, { keep: 'new' }),
    'copy-ssh': copyCommand,
  }
  /** Returns the action of a menu item; undefined if the item is no connection item. */
  return (id: string) => (Object.hasOwn(actions, id) ? actions[id] : undefined)
}
