import { useRouter } from 'vue-router'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { resourceKey } from '#shared/resource-key'
import { useCopy } from '../../components/copy'
import { useToast } from '../../components/toast'
import { showMachine } from '../../features/navigation/navigate'
import { machineActions } from '../../features/machine-actions/machine-action'
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
    const command = (id: string, title: string, run: () => Promise<unknown>, also = ''): Command => ({
      id: `${id}/${resourceKey(account, machine.id)}`,
      group: 'actions',
      title,
      hint,
      also,
      run: () => run().catch((error: unknown) => toast.failed(error, machine.name)),
    })
    const { address, id, name } = machine
    const otherWords = (item: string): string => {
      const action = machineActions.find((one) => one === item)
      return action ? t(`common.palette.also.${action}`) : ''
    }
    /** A verb stands before the name: "Stop train-01"; what is none, such as a tab, is named before a colon. */
    const titleOf = (item: string, label: string): string => {
      const action = label.replace('…', '')
      if (machineActions.some((one) => one === item)) return t('common.palette.verbOn', { action, name })
      return item === 'like'
        ? t('common.palette.like', { name })
        : t('common.palette.actionOn', { action, machine: name })
    }
    const copyOf = (action: string): string => t('common.palette.copyOf', { action, name })
    const addressName = t('machines.fields.address')
    return [
      ...menu
        .forOne(account, machine)
        .filter(({ disabledReason }) => disabledReason === undefined)
        .map((item) =>
          command(
            `do/${item.id}`,
            titleOf(item.id, item.label),
            () => showMachine(router, account, id, { act: item.id }),
            otherWords(item.id),
          ),
        ),
      ...panelTabs.map((tab) =>
        command(`tab/${tab.id}`, titleOf(tab.id, t(tab.label)), () =>
          showMachine(router, account, id, { tab: tab.id }),
        ),
      ),
      ...(address === null
        ? []
        : [
            command('copy/address', copyOf(t('common.palette.copyAddress')), () =>
              copy.text(addressName, address),
            ),
          ]),
      command('copy/id', copyOf(t('common.palette.copyId')), () => copy.text(t('machines.fields.id'), id)),
    ]
  }
}
