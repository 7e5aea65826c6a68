// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { Creation } from '#shared/bridge/creation'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { connection } from '../../../../test/gallery/ssh-views'
import { account, creationView, machine } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import DueConnections from './DueConnections.vue'

let window: Mounted
afterEach(() => window.unmount())

const due = (changes: Partial<Creation> = {}): Creation =>
  creationView({
    state: { kind: 'ready', machine: 'm-1', found: false, setUp: 'not-allowed', detail: null, log: null },
    connect: 'due',
    ...changes,
  })
const open = async (isTaken: boolean): Promise<void> => {
  const closedPopup = h('div', { role: 'dialog', hidden: true })
  window = await mounted(() => h('div', [h('textarea'), closedPopup, h(DueConnections)]), {
    'creation.list': () => [due({ connect: 'waiting' })],
    'creation.takeWish': () => isTaken,
    'ssh.connection': () => connection({ machine: 'm-1' }),
    'ssh.connect': () => ({ terminal: 'Wheelhouse', session: 's-1', missing: null, failed: null }),
    'fleet.snapshot': (input) => ({
      account: input.account,
      revision: 1,
      machines: [machine({ id: 'm-1', name: 'm', status: 'running' })],
      status: { asOf: 1, reading: false, total: 1, failure: null },
    }),
  })
}
const connects = (): number => window.main.calls.filter(([name]) => name === 'ssh.connect').length
const answer = async (changes: Partial<Creation> = {}): Promise<void> => {
  window.main.emit('creation.changed', { account, creations: [due(changes)] })
  await window.settled()
  await window.settled()
}

it('the terminal of a machine that answers opens on any page', async () => {
  await open(true)
  expect(connects()).toBe(0)
  await answer()
  expect(connects()).toBe(1)
  expect(window.router.currentRoute.value.name).toBe('terminals')
})

it('a terminal that another window opens is not opened again', async () => {
  await open(false)
  await answer()
  expect(connects()).toBe(0)
})

it('the page of a user who types does not change', async () => {
  await open(true)
  const before = window.router.currentRoute.value.name
  window.find('textarea').focus()
  await answer()
  expect(connects()).toBe(1)
  expect(window.router.currentRoute.value.name).toBe(before)
  expect(window.text()).toContain(t('creation.connected', { machine: 'm' }))
  await window.click(t('common.actions.show'))
  expect(window.router.currentRoute.value.name).toBe('terminals')
})

const services: Partial<Creation> = { connect: 'none', services: 'due' }

it('the services of a machine that is ready open on any page', async () => {
  await open(true)
  await answer(services)
  const { name, params, query } = window.router.currentRoute.value
  expect([name, params.machine, query.tab]).toEqual(['machines', 'm-1', 'services'])
  expect(connects()).toBe(0)
})

it('a user who types is offered the services', async () => {
  await open(true)
  window.find('textarea').focus()
  await answer(services)
  expect(window.router.currentRoute.value.query.tab).toBeUndefined()
  expect(window.text()).toContain(t('creation.servicesReady', { machine: 'm' }))
  await window.click(t('common.actions.show'))
  await window.settled()
  expect(window.router.currentRoute.value.query.tab).toBe('services')
})

it('services that another window opens are not opened again', async () => {
  await open(false)
  await answer(services)
  expect(window.router.currentRoute.value.query.tab).toBeUndefined()
})
