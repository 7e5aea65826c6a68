// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h, ref } from 'vue'
import type { CheckUpView } from '#shared/bridge/check-up'
import type { Handlers } from '#shared/bridge/index'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, machine } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import CheckUpTab from './CheckUpTab.vue'

let window: Mounted
afterEach(() => window.unmount())

const checked = machine({ id: 'm-1', name: 'train' })
const view = (changes: Partial<CheckUpView> = {}): CheckUpView => ({
  account,
  machine: 'm-1',
  running: null,
  reports: [],
  scripts: [],
  ...changes,
})
const isShown = ref(true)
const fault = () => {
  throw new Error('no such place')
}
async function open(handlers: Partial<Handlers> = {}): Promise<void> {
  isShown.value = true
  window = await mounted(() => (isShown.value ? h(CheckUpTab, { account, machine: checked }) : h('div')), {
    'checkUp.read': () => view(),
    ...handlers,
  })
}

it('the reason of a stop is still shown after another tab', async () => {
  await open({ 'checkUp.start': () => ({ kind: 'stopped', state: { kind: 'lost' } }) })
  await window.click(t('checkUp.start'))
  await window.settled()
  expect(window.find('[role=alert]').textContent).toContain(t('checkUp.stopped'))
  isShown.value = false
  await window.settled()
  isShown.value = true
  await window.settled()
  expect(window.find('[role=alert]').textContent).toContain(t('checkUp.stopped'))
})

it('reports that a check-up could not be cancelled', async () => {
  await open({ 'checkUp.read': () => view({ running: 'disk' }), 'checkUp.cancel': fault })
  await window.click(t('checkUp.cancel'))
  await window.settled()
  expect(window.text()).toContain('no such place')
})
