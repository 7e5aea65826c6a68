import { computed, type Ref } from 'vue'
import { type Router, useRoute, useRouter } from 'vue-router'
import type { AccountId, AccountView } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { resourceKey } from '#shared/resource-key'
import { sshDisabledReason } from '#shared/service/ssh-disabled-reason'
import { useConnectMachine } from '../../features/connection/connect-machine'
import { useConnectionItems } from '../../features/connection/connection-items'
import { statusText } from '../../features/machine-text'
import { machineActions } from '../../features/machine-actions/machine-action'
import { showMachine } from '../../features/navigation/navigate'
import type { PanelAsk } from '../../features/navigation/route-query'
import { useMachineMenu } from '../../pages/machines/actions/menu-items'
import { panelTabs } from '../../pages/machines/panel/panel-tabs'
import { t } from '../../platform/i18n'
import { useAccounts } from '../../stores/accounts'
import { useFleet } from '../../stores/fleet'
import { useNotes } from '../../stores/notes'
import { focusPanel, useAttempt, useCopyField } from './palette-actions'
import { type Command, distinctions, maxWithActions, namedFirst } from './palette-search'

/** Shows the panel of a machine and focuses its content. */
async function showPanel(router: Router, account: AccountId, machine: string, ask?: PanelAsk): Promise<void> {
  await showMachine(router, account, machine, ask)
  await focusPanel()
}

/** Commands that open machines and sessions on them. The selected account comes first. */
export function useMachineCommands(): () => readonly Command[] {
  const accounts = useAccounts()
  const fleet = useFleet()
  const notes = useNotes()
  const router = useRouter()
  const connectMachine = useConnectMachine()
  const attempt = useAttempt()
  const isSelected = ({ id }: AccountView): boolean => id === accounts.selected?.id

  return () => {
    const machines: Command[] = []
    const sessions: Command[] = []
    const ordered = [...accounts.all].sort(
      (left, right) => Number(isSelected(right)) - Number(isSelected(left)),
    )
    for (const account of ordered) {
      const listed = [...(fleet.fleets.get(account.id)?.items.values() ?? [])]
      const suffixOf = distinctions(listed)
      const prefix = accounts.all.length > 1 ? `${account.label} · ` : ''
      for (const machine of listed) {
        const { id, name, status } = machine
        machines.push({
          id: `machine/${resourceKey(account.id, id)}`,
          group: 'machines',
          title: name,
          hint: `${prefix}${statusText(status)}${suffixOf(machine)}`,
          keywords: notes.of(account.id, id).tags.join(' '),
          run: attempt(name, () => showPanel(router, account.id, id)),
        })
        if (sshDisabledReason(machine) !== null) continue
        sessions.push({
          id: `ssh/${resourceKey(account.id, id)}`,
          group: 'machines',
          title: t('common.palette.connectTo', { machine: name }),
          hint: `${prefix}${t('common.palette.connectHint')}${suffixOf(machine)}`,
          run: attempt(name, () => connectMachine(account.id, machine)),
        })
      }
    }
    return [...machines, ...sessions]
  }
}

/** Returns a verb before the name, as in "Stop train-01", and anything else, such as a tab, before a colon. */
function actionTitle(item: string, label: string, name: string): string {
  const action = label.replace('…', '')
  if (machineActions.some((verb) => verb === item)) return t('common.palette.verbOn', { action, name })
  return item === 'like'
    ? t('common.palette.like', { name })
    : t('common.palette.actionOn', { action, machine: name })
}
/** Items and tabs that hidden words find too. */
const withKeywords = [
  ...machineActions,
  'keep',
  'copy-ssh',
  'services',
  'notes',
  'metrics',
  'cost',
  'page',
] as const
function actionKeywords(item: string): string {
  const known = withKeywords.find((name) => name === item)
  return known ? t(`common.palette.also.${known}`) : ''
}

/** Returns the commands on one machine: its menu, the tabs of its panel, and fields to copy. */
function useCommandsOf() {
  const router = useRouter()
  const attempt = useAttempt()
  const menu = useMachineMenu()
  const copyField = useCopyField()
  const connectionAction = useConnectionItems()

  return (account: AccountId, machine: MachineView, hint: string): readonly Command[] => {
    const { address, id, name } = machine
    const command = (action: string, title: string, run: () => Promise<unknown>, keywords = ''): Command => ({
      id: `${action}/${resourceKey(account, id)}`,
      group: 'actions',
      title,
      hint,
      keywords,
      run: attempt(name, run),
    })
    const copy = (field: 'address' | 'id', text: string): Command => {
      const { title, run } = copyField(field, name, text)
      return command(`copy/${field}`, title, run)
    }
    return [
      ...menu
        .forOne(account, machine)
        // The group of machines has "Connect to".
        .filter((item) => item.disabledReason === undefined && item.id !== 'connect')
        .map((item) =>
          command(
            `do/${item.id}`,
            actionTitle(item.id, item.label, name),
            () =>
              connectionAction(item.id)?.(account, machine) ??
              showMachine(router, account, id, { act: item.id }),
            actionKeywords(item.id),
          ),
        ),
      command(
        'page',
        actionTitle('page', t('common.panel.asPage'), name),
        () => showMachine(router, account, id, {}, true),
        actionKeywords('page'),
      ),
      ...panelTabs.map((tab) =>
        command(
          `tab/${tab.id}`,
          actionTitle(tab.id, t(tab.label), name),
          () => showPanel(router, account, id, { tab: tab.id }),
          actionKeywords(tab.id),
        ),
      ),
      ...(address === null ? [] : [copy('address', address)]),
      copy('id', id),
    ]
  }
}

/** Actions on the machines that the query names, or on the first machines if it names none. */
export function useMachineActions(query: Readonly<Ref<string>>) {
  const accounts = useAccounts()
  const fleet = useFleet()
  const commandsOf = useCommandsOf()
  const route = useRoute()
  return computed((): readonly Command[] => {
    if (query.value.trim() === '') return []
    const all = accounts.all.flatMap((account) =>
      [...(fleet.fleets.get(account.id)?.items.values() ?? [])].map((machine) => ({
        account,
        machine,
        name: machine.name,
      })),
    )
    const suffixOf = distinctions(all.map(({ machine }) => machine))
    // Among equal matches, the machine whose panel is open comes first, then machines of the selected account.
    const rankOf = ({ account, machine }: (typeof all)[number]): number =>
      account.id === accounts.selected?.id ? 1 + Number(machine.id === route.params.machine) : 0
    all.sort((left, right) => rankOf(right) - rankOf(left))
    return namedFirst(all, query.value)
      .slice(0, maxWithActions)
      .flatMap(({ account, machine }) => {
        const label = accounts.all.length > 1 ? account.label : ''
        return commandsOf(account.id, machine, `${label}${suffixOf(machine)}`.replace(/^ · /, ''))
      })
  })
}
