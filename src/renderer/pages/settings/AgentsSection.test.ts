// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h, ref } from 'vue'
import { AgentAccess, type AgentView } from '#shared/bridge/agent'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import AgentsSection from './AgentsSection.vue'

let window: Mounted
afterEach(() => window.unmount())

let agents: AgentView[]
const isShown = ref(true)
const open = async (access: Partial<AgentAccess> = {}) => {
  agents = [{ name: 'coder', seenAt: 1, access: AgentAccess.parse(access), counted: null, actions: [] }]
  window = await mounted(() => (isShown.value ? h(AgentsSection) : null), {
    'agents.list': () => agents,
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
