import { onUnmounted, watch } from 'vue'
import type { AccountId } from '#shared/bridge/account'
import type { MachineView } from '#shared/bridge/fleet'
import { servingLast, useAction } from '../../components/action'
import type { MessagePath } from '../../platform/i18n'

/** Reports the machine in view while the component is mounted and the window is visible. */
export function useMachineInSight(
  props: { readonly account: AccountId; readonly machine: MachineView },
  action: MessagePath,
  look: (account: AccountId, machine: string, looking: boolean) => Promise<void>,
) {
  const looking = useAction(action, look)
  let isInSight = true
  const reportInSight = servingLast(async () => {
    if (isInSight) await looking.run(props.account, props.machine.id, true)
  })
  function begin(): void {
    isInSight = true
    void reportInSight()
  }
  const leave = (account: AccountId, machine: string): void =>
    void look(account, machine, false).catch(() => undefined)
  function end(): void {
    isInSight = false
    leave(props.account, props.machine.id)
  }

  watch(
    [() => props.account, () => props.machine.id] as const,
    (_, [account, machine]) => {
      if (account !== undefined && machine !== undefined) leave(account, machine)
      begin()
    },
    { immediate: true },
  )
  function followVisibility(): void {
    if (document.visibilityState === 'visible') begin()
    else end()
  }
  document.addEventListener('visibilitychange', followVisibility)
  onUnmounted(() => {
    document.removeEventListener('visibilitychange', followVisibility)
    end()
  })
  return looking
}
