// @vitest-environment happy-dom
import { world } from '../../../../test/gallery/world'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import CrashNotice from './CrashNotice.vue'

let window: Mounted
afterEach(() => window.unmount())

it('is not there where no run has crashed', async () => {
  window = await mounted(() => h(CrashNotice))
  expect(window.all('aside')).toHaveLength(0)
})

it('shows the report, and goes once it is dismissed', async () => {
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
