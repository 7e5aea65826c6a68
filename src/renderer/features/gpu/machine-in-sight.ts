import { onUnmounted, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { useAction } from '../../components/action'
import type { MessagePath } from '../../platform/i18n'

/** Says which machine the person looks at, while the component stands and its window is in sight. */
export function useMachineInSight(
  props: { readonly account: AccountId; readonly machine: MachineView },
  action: MessagePath,
  look: (account: AccountId, machine: string, looking: boolean) => Promise<void>,
) {
  const looking = useAction(action, look)
  /** The component is gone: there is nowhere to show a failure. */
  const leave = (account: AccountId, machine: string): void =>
    void look(account, machine, false).catch(() => undefined)

  watch(
    () => [props.account, props.machine.id] as const,
    ([account, machine], before) => {
      if (before) leave(before[0], before[1])
      void looking.run(account, machine, true)
    },
    { immediate: true },
  )
  // Nobody looks at a window that is minimized or covered.
  function heed(): void {
    if (document.visibilityState === 'visible') void looking.run(props.account, props.machine.id, true)
    else leave(props.account, props.machine.id)
  }
  document.addEventListener('visibilitychange', heed)
  onUnmounted(() => {
    document.removeEventListener('visibilitychange', heed)
    leave(props.account, props.machine.id)
  })
  return looking
}
