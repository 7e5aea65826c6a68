import { useRouter } from 'vue-router'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { resourceKey } from '#shared/resource-key'
import { useCopy } from '../../components/copy'
import { useToast } from '../../components/toast'
import { showMachine } from '../../features/navigation/navigate'
import { useMachineMenu } from '../../pages/machines/actions/menu-items'
import { panelTabs } from '../../pages/machines/panel/panel-tabs'
import { t } from '../../platform/i18n'
import type { Command } from './palette-search'

/** What the menu of a machine offers now, the tabs of its panel, and what can be copied of it. */
export function useMachineCommands() {
  const router = useRouter()
  const toast = useToast()
  const menu = useMachineMenu()
  const copy = useCopy()

  return (account: AccountId, machine: MachineView, hint: string): readonly Command[] => {
    const command = (id: string, action: string, run: () => Promise<unknown>): Command => ({
      id: `${id}/${resourceKey(account, machine.id)}`,
      group: 'actions',
      title: t('common.palette.actionOn', { action: action.replace('…', ''), machine: machine.name }),
      hint,
      run: () => run().catch((error: unknown) => toast.failed(error, machine.name)),
    })
    const { address, id } = machine
    const addressName = t('machines.fields.address')
    return [
      ...menu
        .forOne(account, machine)
        .filter(({ disabledReason }) => disabledReason === undefined)
        .map((item) =>
          command(`do/${item.id}`, item.label, () => showMachine(router, account, id, { act: item.id })),
        ),
      ...panelTabs.map((tab) =>
        command(`tab/${tab.id}`, t(tab.label), () => showMachine(router, account, id, { tab: tab.id })),
      ),
      ...(address === null
        ? []
        : [command('copy/address', t('common.palette.copyAddress'), () => copy.text(addressName, address))]),
      command('copy/id', t('common.palette.copyId'), () => copy.text(t('machines.fields.id'), id)),
    ]
  }
}
