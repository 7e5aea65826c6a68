// @vitest-environment happy-dom
import { agentActionFixture } from '../../../../test/fixtures/agent-action'
import { afterEach, expect, it } from 'vitest'
import { h, ref } from 'vue'
import { AgentAccess, type AgentAction, type AgentView } from '#shared/bridge/agent'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, now } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import AgentsSection from './AgentsSection.vue'

let window: Mounted
afterEach(() => window.unmount())

let agents: AgentView[]
let copied: string[]
const isShown = ref(true)
const open = async (access: Partial<AgentAccess> = {}, actions: AgentAction[] = []) => {
  copied = []
  agents = [{ name: 'coder', seenAt: 1, access: AgentAccess.parse(access), counted: null, actions }]
  window = await mounted(() => (isShown.value ? h(AgentsSection) : null), {
    'agents.list': () => agents,
    'clipboard.write': ({ text }) => void copied.push(text),
    'agents.allow': ({ agent, access: next }) => {
      agents = agents.map((each) => (each.name === agent ? { ...each, access: next } : each))
      window.main.emit('agents.changed', { agents })
    },
    'agents.forget': ({ agent }) => {
      agents = agents.filter(({ name }) => name !== agent)
      window.main.emit('agents.changed', { agents })
    },
  })
}
const toggle = (label: string): Promise<void> => {
  const box = window.all('[role=checkbox]').find(({ textContent }) => textContent.includes(label))
  if (!box) throw new Error(`no checkbox ${label}`)
  return window.click(box)
}
const access = () => agents[0]?.access

it('permissions are switched on one by one, with undo', async () => {
  await open()
  await toggle(t('agents.power'))
  await window.settled()
  expect(access()).toEqual(AgentAccess.parse({ power: true }))
  await window.click(t('common.actions.undo'))
  await window.settled()
  expect(access()).toEqual(AgentAccess.parse({}))
  await toggle(t('agents.delete'))
  await window.settled()
  expect(access()).toEqual(AgentAccess.parse({ delete: true }))
})

it('undo on another page changes its own permission only', async () => {
  await open()
  await toggle(t('agents.power'))
  await window.settled()
  isShown.value = false
  await window.settled()
  isShown.value = true
  await window.settled()
  await toggle(t('agents.blocked'))
  await window.settled()
  const [undo] = window.all('button').filter(({ textContent }) => textContent === t('common.actions.undo'))
  if (!undo) throw new Error('no undo')
  await window.click(undo)
  await window.settled()
  expect(access()).toEqual(AgentAccess.parse({ isBlocked: true }))
})

it('creation needs a cap, which is saved when its field is left', async () => {
  await open()
  await toggle(t('agents.create'))
  await window.settled()
  expect(window.text()).toContain(t('agents.noCap'))
  const cap = window.field(t('agents.cap'))
  await window.type(cap, 'much')
  await window.leave(cap)
  expect(access()?.cap).toBeNull()
  await window.type(cap, '25.50')
  await window.leave(cap)
  await window.settled()
  expect(access()).toMatchObject({ create: true, cap: { currency: 'USD', millionths: 25_500_000 } })
})

const action = (changes: Partial<AgentAction>): AgentAction =>
  agentActionFixture({
    id: 'a1',
    at: now - 3_600,
    account,
    machine: 'm-train',
    name: 'old-name',
    perHour: { currency: 'USD', millionths: 2_500_000 },
    ...changes,
  })
const deleted = action({ id: 'a2', machine: 'm-gone', name: 'gone', endedAt: now - 1_800 })

it('machines that an agent created are listed with their cost while they exist, and open', async () => {
  await open({}, [action({}), deleted])
  const title = window.all('h3').find(({ textContent }) => textContent === t('agents.machinesTitle'))
  const list = window.find(`ul[aria-labelledby="${title?.id ?? ''}"]`)
  // Under its current name: the user renamed it.
  expect(list.textContent).toContain('train-llama-01')
  expect(list.textContent).toMatch(/2\.\d+ USD so far/)
  expect(list.textContent).not.toContain('gone')
  expect(window.text()).toContain('1.25 USD so far')
  await window.click('train-llama-01')
  await window.settled()
  expect(window.router.currentRoute.value).toMatchObject({ name: 'machines', params: { machine: 'm-train' } })
})

it('a command is shown on one line, whole on demand, and copied', async () => {
  const command = 'set -e\npython train.py'
  await open({}, [action({ kind: 'run', perHour: null, creation: null, command })])
  const code = window.find('code')
  expect(code.classList.contains('cut')).toBe(true)
  expect(code.title).toBe(command)
  await window.click(t('agents.wholeCommand'))
  expect(window.find('code').classList.contains('whole')).toBe(true)
  expect(window.find('code').textContent).toBe(command)
  await window.click(t('common.actions.copyNamed', { what: t('agents.command') }))
  await window.settled()
  expect(copied).toEqual([command])
})

it('a blocked agent keeps its permissions, and a removed one leaves the list', async () => {
  await open({ power: true })
  await toggle(t('agents.blocked'))
  await window.settled()
  expect(access()).toEqual(AgentAccess.parse({ power: true, isBlocked: true }))
  await window.click(t('agents.forget'))
  await window.settled()
  await window.click(t('agents.remove'))
  await window.settled()
  expect(agents).toEqual([])
  expect(window.text()).toContain(t('agents.none'))
})
