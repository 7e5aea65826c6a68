import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { AgentAccess, type AgentQuestion, type AgentView } from '#shared/bridge/agent'
import { bridge } from '../platform/bridge'

/** Coding agents with their permissions and actions; null before they are loaded. */
export const useAgents = defineStore('agents', () => {
  const agents = shallowRef<readonly AgentView[] | null>(null)
  bridge.on('agents.changed', ({ agents: next }) => (agents.value = next))

  const questions = shallowRef<readonly AgentQuestion[]>([])
  /** The oldest creation that waits for the user. */
  const question = computed(() => questions.value[0] ?? null)

  function start(): void {
    bridge.on('agents.asked', (next) => (questions.value = next))
    // If this fails, the next question arrives as an event.
    void bridge.call('agents.questions', {}).then(
      (next) => (questions.value = next),
      () => undefined,
    )
  }
  const answer = (id: string, isAllowed: boolean): Promise<void> =>
    bridge.call('agents.answer', { id, isAllowed })

  async function load(): Promise<void> {
    agents.value = await bridge.call('agents.list', {})
  }
  /** Changes some permissions of an agent. Other permissions keep their current value, even if an earlier page or toast had another. */
  async function allow(agent: string, changed: Readonly<Record<string, unknown>>): Promise<void> {
    const access = agents.value?.find(({ name }) => name === agent)?.access
    await bridge.call('agents.allow', { agent, access: AgentAccess.parse({ ...access, ...changed }) })
  }
  const forget = (agent: string): Promise<void> => bridge.call('agents.forget', { agent })

  return { agents, question, start, answer, load, allow, forget }
})
