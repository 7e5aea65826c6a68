import { computed, nextTick, shallowRef, watch, type Ref } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { MenuItem, Popup } from '../../../components/popup-menu'
import { useConnectionItems } from '../../../features/connection/connection-items'
import { type DialogAction, dialogActions, useMachineMenu } from './menu-items'

interface DialogRequest {
  readonly number: number
  readonly account: AccountId
  readonly action: DialogAction
  readonly machines: readonly MachineView[]
}

/** Actions on the selected machines, the menu of a machine, and the dialog that confirms an action. */
export function useMachineActions({
  account,
  chosen,
  machineOf,
  popup,
  tab,
  open,
}: {
  readonly account: Readonly<Ref<AccountId | null>>
  readonly chosen: Readonly<Ref<readonly MachineView[]>>
  machineOf(id: string): MachineView | undefined
  readonly popup: Readonly<Ref<Popup | null>>
  /** Tab of the panel. */
  readonly tab: Ref<string>
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
    const action = dialogActions.find((name) => name === id)
    if (action) ask(action, machines)
  }

  function showTab(machine: string, id: string): void {
    tab.value = id
    open(machine)
  }

  async function chooseFor(machine: MachineView, id: string): Promise<void> {
    if (account.value !== null) await connectionAction(id)?.(account.value, machine)
    if (id === 'like') await router.push({ name: 'new-machine', query: { like: machine.id } })
    if (id === 'notes') showTab(machine.id, 'notes')
    choose(id, [machine])
  }
  async function chooseFromMenu(id: string): Promise<void> {
    if (menu.value) await chooseFor(menu.value.machine, id)
  }

  // Executes the query of the command palette, and removes it so that going back does not repeat it.
  watch(
    () => route.query,
    async ({ tab: shownTab, act }) => {
      const machine = machineOf(String(route.params.machine))
      if (!machine || (typeof shownTab !== 'string' && typeof act !== 'string')) return
      await router.replace({ name: 'machines', params: route.params })
      if (typeof shownTab === 'string') showTab(machine.id, shownTab)
      if (typeof act === 'string') await chooseFor(machine, act)
    },
    { immediate: true },
  )

  return { chosenItems, dialog, ask, menu, showMenu, choose, chooseFromMenu, showTab }
}
