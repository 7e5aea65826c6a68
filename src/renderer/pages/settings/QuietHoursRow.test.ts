// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { type QuietHours, Settings } from '#shared/bridge/app'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import QuietHoursRow from './QuietHoursRow.vue'

let window: Mounted
afterEach(() => window.unmount())

it('quiet hours are off, then from 22:00 to 8:00 until the user chooses others, with undo', async () => {
  const saved: (QuietHours | undefined)[] = []
  window = await mounted(() => h(QuietHoursRow), {
    'settings.change': (changes) => {
      saved.push(changes.quietHours)
      return Settings.parse(changes)
    },
  })
  const checkbox = window.find('[role=checkbox]')
  expect(checkbox.getAttribute('aria-checked')).toBe('false')
  expect(window.all('select')).toHaveLength(0)
  await window.click(checkbox)
  expect(saved).toEqual([{ isOn: true, from: 22 * 60, to: 8 * 60 }])
  const to = window.find(`select[aria-label="${t('notifications.quiet.to')}"]`)
  if (!(to instanceof HTMLSelectElement)) expect.fail('no list')
  expect(to.selectedOptions[0]?.textContent?.trim()).toMatch(/^8:00\sAM$/)
  to.value = String(7 * 60 + 30)
  to.dispatchEvent(new Event('change'))
  await window.settled()
  expect(saved.at(-1)).toEqual({ isOn: true, from: 22 * 60, to: 7 * 60 + 30 })
  await window.click(t('common.actions.undo'))
  expect(saved.at(-1)).toEqual({ isOn: false, from: 22 * 60, to: 7 * 60 + 30 })
})
