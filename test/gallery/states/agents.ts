import { h } from 'vue'
import { AgentAccess, type AgentAction, type AgentQuestion, type AgentView } from '#shared/bridge/agent'
import { FailureError } from '#shared/failure'
import AgentQuestionDialog from '../../../src/renderer/features/agents/AgentQuestionDialog.vue'
import AgentActions from '../../../src/renderer/pages/settings/AgentActions.vue'
import AgentCommand from '../../../src/renderer/pages/settings/AgentCommand.vue'
import AgentMachines from '../../../src/renderer/pages/settings/AgentMachines.vue'
import AgentRow from '../../../src/renderer/pages/settings/AgentRow.vue'
import AgentsSection from '../../../src/renderer/pages/settings/AgentsSection.vue'
import { agentActionFixture } from '../../fixtures/agent-action'
import { never } from '../fake-main'
import { entry } from '../state'
import { texts } from '../texts'
import { account, now, usd } from '../world'

const action = (changes: Partial<AgentAction>): AgentAction =>
  agentActionFixture({
    id: 'a1',
    at: now - 600,
    account,
    machine: 'm-eval',
    name: 'eval-nightly',
    perHour: null,
    creation: null,
    ...changes,
  })
const actions = [
  action({ id: 'a1', kind: 'delete', result: 'refused', why: 'not-looked', times: 3 }),
  action({ id: 'a2', perHour: usd(2.5), name: 'train-llama-01', machine: 'm-train' }),
  action({
    id: 'a7',
    kind: 'run',
    command: 'HF_TOKEN=••• torchrun --nproc-per-node 8 train.py --steps 100000',
  }),
  action({ id: 'a3', result: 'refused', why: 'above-cap', name: 'train-08' }),
  action({ id: 'a4', kind: 'set-end', result: 'refused', why: 'not-its-end' }),
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

const created = (machine: string, name: string, seconds: number): AgentAction =>
  action({ id: machine, machine, name, at: now - seconds, perHour: usd(2.5) })
const machines = (list: readonly AgentAction[]) => () => h(AgentMachines, { actions: list })
const script = `set -e\ncd /work\npip install -r requirements.txt\n${'python train.py --resume '.repeat(12)}`

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
        template: null,
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
    template: question({ template: 'LLM training' }),
    hostile: question({ template: texts.long, agent: texts.rtl, name: texts.long, flavor: texts.html }),
  }),
  entry(AgentCommand, {
    long: { render: () => h(AgentCommand, { command: script }), width: 420 },
    hostile: { render: () => h(AgentCommand, { command: texts.rtl }), width: 320 },
    'a megabyte': () => h(AgentCommand, { command: texts.huge }),
  }),
  entry(AgentMachines, {
    none: machines([action({ result: 'refused', why: 'above-cap' })]),
    machines: machines([
      created('m-train', 'train-llama-01', 3_600),
      created('m-gone', 'not-listed', 60),
      action({ id: 'a9', perHour: usd(1), endedAt: now - 10 }),
    ]),
    narrow: { render: machines([created('m-train', texts.long, 86_400)]), width: 320 },
  }),
  entry(AgentActions, {
    none: () => h(AgentActions, { actions: [] }),
    command: {
      render: () => h(AgentActions, { actions: [action({ kind: 'run', command: 'python train.py' })] }),
      width: 320,
    },
    'a megabyte': () => h(AgentActions, { actions: [action({ name: texts.huge })] }),
  }),
]
