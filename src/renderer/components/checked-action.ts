import { ref } from 'vue'
import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import type { MessagePath } from '../platform/i18n'
import { useAction } from './action'

/** Runs an action that must be sent only once. If its answer is lost, looks up the outcome and never sends it again. */
export function useCheckedAction(
  action: MessagePath,
  { send, lookUp }: { send(): Promise<ActionOutcome>; lookUp(): Promise<LookUp> },
  typed?: () => unknown,
) {
  /** State of the look-up; null if there was an answer or nothing was sent. */
  const lost = ref<'checking' | 'not-done' | 'unknown' | null>(null)
  const {
    busy,
    failure,
    run: start,
  } = useAction(
    action,
    async () => {
      lost.value = null
      if ((await send()).kind === 'done') return
      lost.value = 'checking'
      const outcome = await lookUp().catch(() => 'unknown' as const)
      lost.value = outcome === 'done' ? null : outcome
    },
    typed,
  )

  return {
    busy,
    failure,
    lost,
    /** Returns true if the action succeeded, according to its answer or to the look-up. */
    run: async (): Promise<boolean> => (await start()) && lost.value === null,
  }
}
