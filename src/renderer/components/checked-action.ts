import { ref } from 'vue'
import type { ActionOutcome, LookUp } from '#shared/bridge/machine-action'
import type { MessagePath } from '../platform/i18n'
import { useAction } from './action'

/**
 * Something that is sent once: where its answer is lost, what became of it is looked up and shown, and it is never sent
 * again by itself.
 */
export function useCheckedAction(
  action: MessagePath,
  { send, lookUp }: { send(): Promise<ActionOutcome>; lookUp(): Promise<LookUp> },
  typed?: () => unknown,
) {
  /** Where the look-up stands; null: there was an answer, or nothing was sent yet. */
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
      const found = await lookUp().catch(() => 'unknown' as const)
      lost.value = found === 'done' ? null : found
    },
    typed,
  )

  return {
    busy,
    failure,
    lost,
    /** True when it was done, by its answer or by what was found. */
    run: async (): Promise<boolean> => (await start()) && lost.value === null,
  }
}
