// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { afterEach, expect, it } from 'vitest'
import { defineComponent, h } from 'vue'
import { useRouter } from 'vue-router'
import { t } from '../../platform/i18n'
import GuidePage from './GuidePage.vue'

let window: Mounted
afterEach(() => window.unmount())

it.each([
  ['/connect?then=volumes', '/connect?then=volumes'],
  ['/settings', '/connect'],
])('the link from %s returns to the sign-in page before the first account', async (from, to) => {
  const Page = defineComponent(() => {
    Object.assign(useRouter().options.history.state, { back: from })
    return () => h(GuidePage)
  })
  window = await mounted(() => h(Page), { 'accounts.list': () => ({ accounts: [], selected: null }) })
  await window.router.push({ name: 'guide', params: { page: 'ssh' } })
  await window.click(t('common.guide.back'))
  expect(window.router.currentRoute.value.fullPath).toBe(to)
})
