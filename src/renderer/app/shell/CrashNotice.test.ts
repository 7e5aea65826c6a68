// @vitest-environment happy-dom
import { world } from '../../../../test/gallery/world'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import CrashNotice from './CrashNotice.vue'

let window: Mounted
afterEach(() => window.unmount())

it('the notice is hidden if no run crashed', async () => {
  window = await mounted(() => h(CrashNotice))
  expect(window.all('aside')).toHaveLength(0)
})

it('the notice opens the report and disappears when dismissed', async () => {
  const info = { ...world['app.info'](), crashedAt: Math.floor(Date.now() / 1000) - 120 }
  const called: string[] = []
  window = await mounted(() => h(CrashNotice), {
    'app.info': () => info,
    'app.showCrashReport': () => void called.push('show'),
    'app.dismissCrash': () => {
      called.push('dismiss')
      window.main.emit('app.changed', { ...info, crashedAt: null })
    },
  })
  expect(window.text()).toContain('Wheelhouse quit unexpectedly 2 min ago.')
  await window.click(window.named(t('common.crash.show')))
  await window.click(window.named(t('common.crash.dismiss')))
  expect(called).toEqual(['show', 'dismiss'])
  expect(window.all('aside')).toHaveLength(0)
})
