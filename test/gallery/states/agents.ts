import { h } from 'vue'
import { AgentAccess, type AgentActionView, type AgentQuestion, type AgentView } from '#shared/bridge/agent'
import { FailureError } from '#shared/failure'
import AgentQuestionDialog from '../../../src/renderer/features/agents/AgentQuestionDialog.vue'
import AgentActions from '../../../src/renderer/pages/settings/AgentActions.vue'
import AgentRow from '../../../src/renderer/pages/settings/AgentRow.vue'
import AgentsSection from '../../../src/renderer/pages/settings/AgentsSection.vue'
import { never } from '../fake-main'
import { entry } from '../state'
import { texts } from '../texts'
import { account, now, usd } from '../world'

const action = (changes: Partial<AgentActionView>): AgentActionView => ({
  id: 'a1',
  at: now - 600,
  account,
  kind: 'create',
  machine: 'm-eval',
  name: 'eval-nightly',
  result: 'done',
  why: null,
  times: 1,
  perHour: null,
  creation: null,
  endedAt: null,
  cost: null,
  ...changes,
})
const actions = [
  action({ id: 'a1', kind: 'delete', result: 'refused', why: 'not-looked', times: 3 }),
  action({ id: 'a2', perHour: usd(2.5), cost: usd(0.42), name: 'train-07' }),
  action({ id: 'a3', result: 'refused', why: 'above-cap', name: 'train-08' }),
  action({ id: 'a4', kind: 'set-end', name: 'train-07' }),
  action({ id: 'a5', kind: 'stop', result: 'unknown' }),
  action({ id: 'a6', kind: 'start', result: 'failed' }),
]
const agent = (changes: Partial<AgentView> = {}): AgentView => ({
  name: 'claude-code',
  seenAt: now - 120,
  access: AgentAccess.parse({ power: true, create: true, cap: usd(100), askAbove: usd(5) }),
  counted: usd(60),
  actions,
  ...changes,
})
const reader = agent({ name: 'new-agent', access: AgentAccess.parse({}), counted: null, actions: [] })
const section = (agents: AgentView[]) => ({
  handlers: { 'agents.list': () => agents },
  render: () => h(AgentsSection),
})
const row = (changes: Partial<AgentView>) => () => h('ul', [h(AgentRow, { agent: agent(changes) })])

const question = (changes: Partial<AgentQuestion> = {}) => ({
  handlers: {},
  render: () =>
    h(AgentQuestionDialog, {
      question: {
        id: 'q',
        request: '00000000-0000-4000-8000-000000000000',
        agent: 'claude-code',
        account,
        name: 'train-09',
        flavor: 'H100 × 8',
        perHour: usd(19.92),
        ...changes,
      },
    }),
})

export default [
  entry(AgentsSection, {
    agents: section([agent(), reader]),
    none: section([]),
    loading: { handlers: { 'agents.list': () => never }, render: () => h(AgentsSection) },
    failed: {
      handlers: {
        'agents.list': () => {
          throw new FailureError({ kind: 'local-fault', action: 'agents.list', reason: 'EACCES' })
        },
      },
      render: () => h(AgentsSection),
    },
  }),
  entry(AgentRow, {
    'without a cap': row({ access: AgentAccess.parse({ create: true }), counted: null }),
    blocked: row({ access: AgentAccess.parse({ isBlocked: true, delete: true }) }),
    hostile: row({ name: texts.rtl, actions: [action({ name: texts.long })] }),
    narrow: { render: row({}), width: 320 },
  }),
  entry(AgentQuestionDialog, {
    question: question(),
    hostile: question({ agent: texts.rtl, name: texts.long, flavor: texts.html }),
  }),
  entry(AgentActions, {
    none: () => h(AgentActions, { actions: [] }),
    'a megabyte': () => h(AgentActions, { actions: [action({ name: texts.huge })] }),
  }),
]
