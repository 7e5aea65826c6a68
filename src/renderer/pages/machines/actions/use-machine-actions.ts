import { computed, nextTick, shallowRef, watch, type Ref } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import type { MenuItem, Popup } from '../../../components/popup-menu'
import { type MachineAction, machineActions } from '../../../features/machine-actions/machine-action'
import { useMachineMenu } from './menu-items'

interface Asked {
  readonly number: number
  readonly account: AccountId
  readonly action: MachineAction | 'run'
  readonly machines: readonly MachineView[]
}

/** What can be done with the selected machines, the menu of one, and what the person is asked to confirm. */
export function useMachineActions({
  account,
  chosen,
  machineOf,
  popup,
  open,
}: {
  readonly account: Readonly<Ref<AccountId | null>>
  /** The selected machines. */
  readonly chosen: Readonly<Ref<readonly MachineView[]>>
  machineOf(id: string): MachineView | undefined
  readonly popup: Readonly<Ref<Popup | null>>
  open(machine: string): void
}) {
  const router = useRouter()
  const route = useRoute()
  const items = useMachineMenu()
  const asked = shallowRef<Asked | null>(null)
  const menuOf = shallowRef<{ readonly account: AccountId; readonly machine: MachineView } | null>(null)
  const menu = computed(
    (): { readonly machine: MachineView; readonly items: readonly MenuItem[] } | null =>
      menuOf.value && {
        machine: menuOf.value.machine,
        items: items.forOne(menuOf.value.account, menuOf.value.machine),
      },
  )
  /** The tab that the panel of a machine is to show. */
  const wantedTab = shallowRef<{ readonly machine: string; readonly tab: string } | null>(null)
  const tabOf = (machine: string): string | undefined =>
    wantedTab.value?.machine === machine ? wantedTab.value.tab : undefined
  /** What was wanted of another panel is over. */
  function opened(machine: string | null): void {
    if (wantedTab.value?.machine !== machine) wantedTab.value = null
  }
  let number = 0

  /** What can be done to all that are chosen. */
  const chosenItems = computed(() =>
    account.value === null || chosen.value.length === 0 ? [] : items.forMany(account.value, chosen.value),
  )
  watch(account, () => (asked.value = null))

  function ask(action: Asked['action'], machines: readonly MachineView[]): void {
    if (account.value === null) return
    number += 1
    asked.value = { number, account: account.value, action, machines }
  }

  async function showMenu(id: string, at: Element | MouseEvent): Promise<void> {
    const machine = machineOf(id)
    if (!machine || account.value === null) return
    menuOf.value = { account: account.value, machine }
    await nextTick()
    await (at instanceof MouseEvent ? popup.value?.open(at.clientX, at.clientY) : popup.value?.openAt(at))
  }

  /** Does or asks for what this id names, where there is such a thing. */
  function choose(id: string, machines: readonly MachineView[]): void {
    if (id === 'compare') {
      void router.push({ name: 'metrics', query: { machines: machines.map((one) => one.id).join(',') } })
    }
    const action = ([...machineActions, 'run'] as const).find((one) => one === id)
    if (action) ask(action, machines)
  }

  async function showTab(machine: string, tab: string): Promise<void> {
    wantedTab.value = null
    await nextTick()
    wantedTab.value = { machine, tab }
    open(machine)
  }

  async function chooseFor(machine: MachineView, id: string): Promise<void> {
    if (id === 'like') await router.push({ name: 'new-machine', query: { like: machine.id } })
    if (id === 'notes') await showTab(machine.id, 'notes')
    choose(id, [machine])
  }
  async function chooseFromMenu(id: string): Promise<void> {
    if (menu.value) await chooseFor(menu.value.machine, id)
  }

  // The command palette leads here with what is asked for; once done, going back does not ask again.
  watch(
    () => route.query,
    async ({ tab: wanted, act }) => {
      const machine = machineOf(String(route.params.machine))
      if (!machine || (typeof wanted !== 'string' && typeof act !== 'string')) return
      await router.replace({ name: 'machines', params: { machine: machine.id } })
      if (typeof wanted === 'string') await showTab(machine.id, wanted)
      if (typeof act === 'string') await chooseFor(machine, act)
    },
    { immediate: true },
  )

  return { chosenItems, asked, ask, menu, showMenu, choose, chooseFromMenu, tabOf, showTab, opened }
}
