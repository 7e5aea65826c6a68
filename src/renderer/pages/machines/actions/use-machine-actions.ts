import { computed, nextTick, shallowRef, watch, type Ref } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { MenuItem, Popup } from '../../../components/popup-menu'
import { useConnectionItems } from '../../../features/connection/connection-items'
import { type MachineAction, machineActions } from '../../../features/machine-actions/machine-action'
import { useMachineMenu } from './menu-items'

interface DialogRequest {
  readonly number: number
  readonly account: AccountId
  readonly action: MachineAction | 'run'
  readonly machines: readonly MachineView[]
}

/** Actions on the selected machines, the menu of a machine, and the dialog that confirms an action. */
export function useMachineActions({
  account,
  chosen,
  machineOf,
  popup,
  open,
}: {
  readonly account: Readonly<Ref<AccountId | null>>
  readonly chosen: Readonly<Ref<readonly MachineView[]>>
  machineOf(id: string): MachineView | undefined
  readonly popup: Readonly<Ref<Popup | null>>
  open(machine: string): void
}) {
  const router = useRouter()
  const route = useRoute()
  const items = useMachineMenu()
  const connectionAction = useConnectionItems()
  const dialog = shallowRef<DialogRequest | null>(null)
  const menuOf = shallowRef<{ readonly account: AccountId; readonly machine: MachineView } | null>(null)
  const menu = computed(
    (): { readonly machine: MachineView; readonly items: readonly MenuItem[] } | null =>
      menuOf.value && {
        machine: menuOf.value.machine,
        items: items.forOne(menuOf.value.account, menuOf.value.machine),
      },
  )
  const requestedTab = shallowRef<{ readonly machine: string; readonly tab: string } | null>(null)
  const tabOf = (machine: string): string | undefined =>
    requestedTab.value?.machine === machine ? requestedTab.value.tab : undefined
  /** Drops the requested tab when another panel opens. */
  function opened(machine: string | null): void {
    if (requestedTab.value?.machine !== machine) requestedTab.value = null
  }
  let number = 0

  const chosenItems = computed(() =>
    account.value === null || chosen.value.length === 0 ? [] : items.forMany(account.value, chosen.value),
  )
  watch(account, () => (dialog.value = null))

  function ask(action: DialogRequest['action'], machines: readonly MachineView[]): void {
    if (account.value === null) return
    number += 1
    dialog.value = { number, account: account.value, action, machines }
  }

  async function showMenu(id: string, at: Element | MouseEvent): Promise<void> {
    const machine = machineOf(id)
    if (!machine || account.value === null) return
    menuOf.value = { account: account.value, machine }
    await nextTick()
    await (at instanceof MouseEvent ? popup.value?.open(at.clientX, at.clientY) : popup.value?.openAt(at))
  }

  /** Performs the action of a menu item on machines, or opens its dialog. */
  function choose(id: string, machines: readonly MachineView[]): void {
    if (id === 'compare') {
      const ids = machines.map((machine) => machine.id)
      void router.push({ name: 'metrics', query: { machines: ids.join(',') } })
    }
    const action = ([...machineActions, 'run'] as const).find((name) => name === id)
    if (action) ask(action, machines)
  }

  async function showTab(machine: string, tab: string): Promise<void> {
    requestedTab.value = null
    await nextTick()
    requestedTab.value = { machine, tab }
    open(machine)
  }

  async function chooseFor(machine: MachineView, id: string): Promise<void> {
    if (account.value !== null) await connectionAction(id)?.(account.value, machine)
    if (id === 'like') await router.push({ name: 'new-machine', query: { like: machine.id } })
    if (id === 'notes') await showTab(machine.id, 'notes')
    choose(id, [machine])
  }
  async function chooseFromMenu(id: string): Promise<void> {
    if (menu.value) await chooseFor(menu.value.machine, id)
  }

  // Executes the query of the command palette, and removes it so that going back does not repeat it.
  watch(
    () => route.query,
    async ({ tab, act }) => {
      const machine = machineOf(String(route.params.machine))
      if (!machine || (typeof tab !== 'string' && typeof act !== 'string')) return
      await router.replace({ name: 'machines', params: route.params })
      if (typeof tab === 'string') await showTab(machine.id, tab)
      if (typeof act === 'string') await chooseFor(machine, act)
    },
    { immediate: true },
  )

  return { chosenItems, dialog, ask, menu, showMenu, choose, chooseFromMenu, tabOf, showTab, opened }
}
