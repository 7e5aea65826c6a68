// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { callCount } from '../../../../test/gallery/triple-click'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { t } from '../../platform/i18n'
import LimitsSection from './LimitsSection.vue'

let window: Mounted
afterEach(() => window.unmount())
const labelled = (label: string) =>
  window.all('input').find((input) => window.find(`label[for="${input.id}"]`).textContent.includes(label)) ??
  expect.fail(label)

it('a limit is saved once if Enter is pressed three times', async () => {
  window = await mounted(() => h(LimitsSection), { 'alerts.setLimits': ({ limits }) => limits })
  await window.type(labelled(t('alerts.limits.runningHours')), '8')
  for (let time = 0; time < 3; time += 1) await window.submit()
  expect(callCount(window, 'alerts.setLimits')).toBe(1)
})
