import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { AgentAccess, AgentView } from '#shared/bridge/agent'
import { bridge } from '../platform/bridge'

/** Coding agents with their permissions and actions; null before they are loaded. */
export const useAgents = defineStore('agents', () => {
  const agents = shallowRef<readonly AgentView[] | null>(null)
  bridge.on('agents.changed', ({ agents: next }) => (agents.value = next))

  async function load(): Promise<void> {
    agents.value = await bridge.call('agents.list', {})
  }
  const allow = (agent: string, access: AgentAccess): Promise<void> =>
    bridge.call('agents.allow', { agent, access })
  const forget = (agent: string): Promise<void> => bridge.call('agents.forget', { agent })

  return { agents, load, allow, forget }
})
