import { computed, onScopeDispose, watch } from 'vue'
import type { AccountId, AccountView } from '#shared/bridge/account'
import type { Failure } from '#shared/failure'
import { useAccounts } from './accounts'
import { useApp } from './app'

/** Milliseconds between two repeats of one reading at least. */
const gapMs = 5_000

/** Whether what kept a reading from being sent is over: a pause, no network, no sign-in. Pure. */
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

/**
 * Repeats what a page reads once, when what kept it from being sent is over. What the main process polls needs no such
 * thing. `failure` is why the last reading failed.
 */
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
