import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { AskpassQuestion } from '#shared/bridge/askpass'
import type { CallInput } from '#shared/bridge/index'
import { bridge } from '../platform/bridge'

/** Questions of ssh to the user, oldest first. */
export const useAskpass = defineStore('askpass', () => {
  const questions = shallowRef<readonly AskpassQuestion[]>([])
  const first = computed(() => questions.value[0] ?? null)

  function start(): void {
    bridge.on('askpass.changed', (next) => (questions.value = next))
    // If this fails, the next question arrives as an event.
    void bridge.call('askpass.questions', {}).then(
      (next) => (questions.value = next),
      () => undefined,
    )
  }
  const answer = (input: CallInput<'askpass.answer'>): Promise<void> => bridge.call('askpass.answer', input)
  const cancel = (id: string): Promise<void> => bridge.call('askpass.cancel', { id })

  return { first, start, answer, cancel }
})
