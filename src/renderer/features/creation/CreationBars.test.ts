// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { h } from 'vue'
import type { Creation } from '#shared/bridge/creation'
import type { PlanView } from '#shared/bridge/template'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, creationView, machine, now } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import CreationBars from './CreationBars.vue'

let window: Mounted
afterEach(() => window.unmount())

const withWork = '3f0d4a57-0d8c-4c22-9f0e-6a4d5f5f7a11'
/** Work of a template on the machine of that request. */
const work: PlanView = {
  request: withWork,
  account,
  name: 'm',
  template: 'Training',
  machine: null,
  steps: [{ step: 'firewall', state: { kind: 'waiting' } }],
}
const show = async (
  creation: Creation,
  status = 'running',
  ...others: readonly Creation[]
): Promise<void> => {
  window = await mounted(() => h(CreationBars, { kind: 'machine' }), {
    'creation.list': () => [creation, ...others],
    'plans.list': () => [work],
    'plans.dismiss': () => undefined,
    'creation.dismiss': () => undefined,
    'creation.wish': () => undefined,
    'creation.log': () => ({ kind: 'log', text: 'Get:1 noble', isCut: true }),
    'creation.shown': () => undefined,
    'fleet.snapshot': (input) => ({
      account: input.account,
      revision: 1,
      machines: [machine({ id: 'm-1', name: 'm', status })],
      status: { asOf: 1, reading: false, total: 1, failure: null },
    }),
  })
  await window.settled()
}
const calls = (wanted: string) =>
  window.main.calls.flatMap(([name, input]) => (name === wanted ? [input] : []))

it.each([
  ['running', true],
  ['stopping', false],
  ['stopped', false],
  ['error', false],
])('the bar reports a running machine only while it runs: %s', async (status, isSaid) => {
  await show(
    creationView({
      request: withWork,
      state: { kind: 'running', machine: 'm-1', found: false, ssh: 'unchecked', stop: null },
    }),
    status,
  )
  expect(window.text().includes(t('creation.states.running', { name: 'm' }))).toBe(isSaid)
})

describe('the time left of a creation', () => {
  afterEach(() => vi.useRealTimers())
  const at = async (seconds: number, usualSeconds: number | null): Promise<string> => {
    vi.useFakeTimers({ toFake: ['Date'], now: (now + seconds) * 1_000 })
    await show(creationView({ usualSeconds }))
    return window.find('.title').textContent
  }

  it('counts down, is not guessed, and is never negative', async () => {
    expect(await at(30, 150)).toContain(`30 s · ${t('creation.left', { duration: '2 min' })}`)
    window.unmount()
    const unknown = await at(30, null)
    expect(unknown).toContain('30 s')
    expect(unknown).not.toContain('left')
    window.unmount()
    const overdue = await at(400, 150)
    expect(overdue).toContain(t('creation.overdue'))
    expect(overdue).not.toContain('left')
  })
})

it('the button to connect when ready keeps its place while it turns into its cancellation', async () => {
  await show(creationView({}))
  const button = window.named(t('creation.actions.connectWhenReady'))
  button.focus()
  await window.press(button, 'Enter')
  await window.click(button)
  expect(calls('creation.wish')).toContainEqual({
    account,
    creation: 'c-1',
    wish: 'connect',
    isWanted: true,
  })
  window.main.emit('creation.changed', { account, creations: [creationView({ connect: 'waiting' })] })
  await window.settled()
  expect(document.activeElement).toBe(window.named(t('creation.actions.cancelConnect')))
  expect(window.text()).toContain(t('creation.texts.willConnect'))
})

it('a machine from a template has one card, and its unfinished work outlives a dismissed creation', async () => {
  await show(creationView({ request: withWork }))
  expect(window.all('.creations > li')).toHaveLength(1)
  expect(window.text()).toContain(
    `${t('templates.progress.steps.firewall')}: ${t('templates.progress.states.waiting')}`,
  )
  await window.click(window.named(t('creation.actions.dismiss')))
  await window.settled()
  expect(calls('creation.dismiss')).toEqual([{ account, creation: 'c-1' }])
  expect(calls('plans.dismiss')).toEqual([])
  window.main.emit('creation.changed', { account, creations: [] })
  await window.settled()
  expect(window.text()).toContain(t('templates.progress.title', { machine: 'm', template: 'Training' }))
  await window.click(window.named(t('creation.actions.dismiss')))
  await window.settled()
  expect(calls('plans.dismiss')).toEqual([{ account, request: withWork }])
})

it('commands that a failed set-up holds back run only if the user asks for it', async () => {
  const machineOf = { machine: 'm-1', found: false }
  await show(
    creationView({
      request: withWork,
      state: { kind: 'ready', ...machineOf, setUp: 'failed', detail: null, log: null },
    }),
  )
  const held = { step: 'commands', state: { kind: 'held', why: 'set-up-failed' } } as const
  window.main.emit('plans.changed', { account, plans: [{ ...work, machine: 'm-1', steps: [held] }] })
  await window.settled()
  expect(window.text()).toContain(t('templates.progress.held.set-up-failed'))
  expect(calls('plans.runHeld')).toEqual([])
  await window.click(window.named(t('templates.progress.runHeld')))
  expect(calls('plans.runHeld')).toEqual([{ account, request: withWork }])
  // Held commands stay until their own card is dismissed.
  await window.click(window.named(t('creation.actions.dismiss')))
  await window.settled()
  expect(calls('creation.dismiss')).toHaveLength(1)
  expect(calls('plans.dismiss')).toEqual([])
  window.main.emit('creation.changed', { account, creations: [] })
  await window.settled()
  await window.click(window.named(t('creation.actions.dismiss')))
  await window.settled()
  expect(calls('plans.dismiss')).toEqual([{ account, request: withWork }])
})

it('more than two cards are one line until the user opens it', async () => {
  const failed = creationView({ id: 'c-3', request: 'r3', state: { kind: 'unknown' } })
  await show(creationView({}), 'running', creationView({ id: 'c-2', request: withWork }), failed)
  expect(window.all('.creations > li')).toHaveLength(0)
  expect(window.text()).toContain(t('creation.bars.count', {}, 3))
  expect(window.text()).toContain(t('creation.bars.attention', {}, 1))
  expect(calls('creation.shown')).not.toContainEqual(expect.objectContaining({ isShown: true }))
  await window.click(window.named(t('creation.bars.all')))
  expect(window.all('.creations > li')).toHaveLength(3)
  await window.click(window.named(t('creation.bars.fewer')))
  expect(window.all('.creations > li')).toHaveLength(0)
})

it('the button to open services when ready stays until the set-up is over, and then opens them', async () => {
  await show(creationView({}))
  const button = window.named(t('creation.actions.servicesWhenReady'))
  button.focus()
  await window.click(button)
  const wish = { account, creation: 'c-1', wish: 'services', isWanted: true }
  expect(calls('creation.wish')).toEqual([wish])
  const located = { machine: 'm-1', found: false }
  const change = async (changes: Partial<Creation>): Promise<void> => {
    window.main.emit('creation.changed', { account, creations: [creationView(changes)] })
    await window.settled()
  }
  await change({ state: { kind: 'setting-up', ...located, hasBegun: true }, services: 'waiting' })
  expect(document.activeElement).toBe(window.named(t('creation.actions.cancelServices')))
  expect(window.text()).toContain(t('creation.texts.willOpenServices'))
  await window.click(window.named(t('creation.actions.cancelServices')))
  expect(calls('creation.wish')).toEqual([wish, { ...wish, isWanted: false }])
  await change({ state: { kind: 'ready', ...located, setUp: 'done', detail: null, log: null } })
  await window.click(window.named(t('creation.actions.openServices')))
  await window.settled()
  expect(window.router.currentRoute.value.query.tab).toBe('services')
})

describe('the log of a set-up', () => {
  const ready = (setUp: 'failed' | 'done', log: string | null) =>
    creationView({ state: { kind: 'ready', machine: 'm-1', found: false, setUp, detail: null, log } })

  it('is read while the set-up runs and its bar shows it', async () => {
    await show(creationView({ state: { kind: 'setting-up', machine: 'm-1', found: false, hasBegun: true } }))
    expect(calls('creation.log')).toEqual([])
    const button = window.named(t('jobs.log.show'))
    expect(button.getAttribute('aria-expanded')).toBe('false')
    await window.click(button)
    await window.settled()
    expect(calls('creation.log')).toEqual([{ account, creation: 'c-1' }])
    expect(window.find('pre').textContent).toBe('Get:1 noble')
    await window.click(window.named(t('jobs.log.hide')))
    expect(window.text()).not.toContain('Get:1 noble')
  })

  it('is shown after an error, until the user hides it', async () => {
    await show(ready('failed', 'Runparts: 1 failures'))
    await window.settled()
    expect(window.text()).toContain('Runparts: 1 failures')
    await window.click(window.named(t('jobs.log.hide')))
    expect(window.text()).not.toContain('Runparts: 1 failures')
    expect(calls('creation.log')).toEqual([])
  })

  it('is reported as unreadable, and absent without an error', async () => {
    await show(ready('failed', null))
    await window.settled()
    expect(window.text()).toContain(t('creation.logUnreadable'))
    window.unmount()
    await show(ready('done', null))
    expect(window.text()).not.toContain(t('jobs.log.hide'))
  })
})
