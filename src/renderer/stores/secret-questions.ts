import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { SecretQuestion } from '#shared/bridge/secret'
import { bridge } from '../platform/bridge'

/** Commands of the command line that wait for permission to print a password. */
export const useSecretQuestions = defineStore('secret-questions', () => {
  const questions = shallowRef<readonly SecretQuestion[]>([])
  /** The oldest one. */
  const first = computed(() => questions.value[0] ?? null)

  function start(): void {
    bridge.on('secret.asked', (next) => (questions.value = next))
    // If this fails, the next question arrives as an event.
    void bridge.call('secret.questions', {}).then(
      (next) => (questions.value = next),
      () => undefined,
    )
  }
  const answer = (id: string, isAllowed: boolean): Promise<void> =>
    bridge.call('secret.answer', { id, isAllowed })

  return { first, start, answer }
})
