// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { Creation } from '#shared/bridge/creation'
import type { Handlers } from '#shared/bridge/index'
import { mounted } from '../../../../test/gallery/mounted'
import { account, creationView, endRuleView, machine } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import MachineStateCell from './MachineStateCell.vue'

const open = async (id: string, status = 'running', handlers: Partial<Handlers> = {}) => {
  const window = await mounted(
    () => h(MachineStateCell, { account, machine: machine({ id, status }) }),
    handlers,
  )
  onTestFinished(() => window.unmount())
  return window
}

it('a running machine that was not measured reads “Not checked” and opens its GPU tab', async () => {
  const window = await open('m-html')
  expect(window.text()).toContain(t('idle.unmeasured.label'))
  await window.click(window.named(/Check now/))
  await window.settled()
  const { params, query } = window.router.currentRoute.value
  expect([params.machine, query.tab]).toEqual(['m-html', 'gpu'])
})

it('the countdown to a stop reads that it is still billed', async () => {
  const rule = endRuleView({ machine: 'm-1', action: 'stop' })
  const window = await open('m-1', 'running', { 'endRules.list': () => [rule] })
  await window.settled()
  expect(window.find('.end').title).toContain(t('endRules.dialog.stillBilled'))
})

it('a measured or stopped machine shows its state only', async () => {
  for (const [id, status] of [
    ['m-train', 'running'],
    ['m-html', 'stopped'],
  ] as const)
    expect((await open(id, status)).text()).not.toContain(t('idle.unmeasured.label'))
})

it('a new machine shows the phase of its creation until it is ready, in place of “Running”', async () => {
  const window = await open('m-html')
  const at = async (state: Creation['state']): Promise<string> => {
    window.main.emit('creation.changed', { account, creations: [creationView({ state })] })
    await window.settled()
    return window.text()
  }
  const located = { machine: 'm-html', found: false }
  expect(await at({ kind: 'booting', ...located })).toBe(t('creation.phases.booting'))
  expect(await at({ kind: 'setting-up', ...located, hasBegun: false })).toBe(t('creation.phases.answers'))
  expect(await at({ kind: 'setting-up', ...located, hasBegun: true })).toBe(t('creation.phases.settingUp'))
  expect(await at({ kind: 'booting', machine: 'm-other', found: false })).toContain(
    t('machines.status.running'),
  )
  const result = { setUp: 'done', detail: null, log: null } as const
  expect(await at({ kind: 'ready', ...located, ...result })).toContain(t('machines.status.running'))
})
