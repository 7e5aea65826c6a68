import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { ArmedCreationView, ArmedTerms } from '#shared/bridge/creation'
import type { CallInput } from '#shared/bridge/index'
import { bridge } from '../platform/bridge'
import { usePerAccount } from './per-account'
import { useSignIn } from './sign-in'

/** Creations that wait until their flavor is back in stock. */
export const useArmedCreations = defineStore('armedCreations', () => {
  const signIn = useSignIn()
  const { values, follow } = usePerAccount<readonly ArmedCreationView[]>('armedCreations.list', (account) =>
    bridge.call('armedCreations.list', { account }),
  )
  /** Armed creations of all accounts, oldest first. */
  const all = computed(() =>
    [...values.values()].flat().toSorted((one, other) => one.armedAt - other.armedAt),
  )

  function start(): void {
    bridge.on('armedCreations.changed', ({ account, armed }) => values.set(account, armed))
    follow()
  }
  const arm = (order: CallInput<'armedCreations.arm'>) =>
    signIn.withReauthentication(order.account, () => bridge.call('armedCreations.arm', order))
  const change = ({ account, id }: ArmedCreationView, terms: ArmedTerms) =>
    bridge.call('armedCreations.change', { account, armed: id, ...terms })
  const cancel = ({ account, id }: ArmedCreationView, keepsDraft: boolean) =>
    bridge.call('armedCreations.cancel', { account, armed: id, keepsDraft })
  return { all, start, arm, change, cancel }
})
