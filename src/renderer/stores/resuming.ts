import { computed, onScopeDispose, watch } from 'vue'
import type { AccountId, AccountView } from '#shared/bridge/account'
import type { Failure } from '#shared/failure'
import { useAccounts } from './accounts'
import { useApp } from './app'

/** Minimum time between two repeats of a reading. */
const gapMs = 5_000

/** Returns whether the cause of a failed reading is over: a pause, no network, no sign-in. */
function isOver(failure: Failure, { heldUntil, state }: AccountView, online: boolean): boolean {
  switch (failure.kind) {
    case 'rate-limited':
      return failure.until !== undefined && heldUntil === null
    case 'offline':
      return online
    case 'not-signed-in':
      return state === 'signed-in'
    default:
      return false
  }
}

/** Repeats a page's failed reading when its cause is over. Data that main polls do not need this. */
export function useResuming(reading: {
  account(): AccountId | null
  failure(): Failure | null
  read(): unknown
}): void {
  const accounts = useAccounts()
  const app = useApp()
  const due = computed(() => {
    const failure = reading.failure()
    const account = accounts.byId(reading.account() ?? '')
    return failure && account && isOver(failure, account, app.online) ? failure : null
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = -Infinity
  watch(
    due,
    (failure) => {
      clearTimeout(timer)
      if (failure === null) return
      timer = setTimeout(
        () => {
          last = Date.now()
          void reading.read()
        },
        Math.max(0, last + gapMs - Date.now()),
      )
    },
    { immediate: true },
  )
  onScopeDispose(() => clearTimeout(timer))
}
