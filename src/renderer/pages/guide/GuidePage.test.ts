// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { afterEach, expect, it } from 'vitest'
import { defineComponent, h } from 'vue'
import { useRouter } from 'vue-router'
import { t, useLanguage } from '../../platform/i18n'
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

it('is in the language of the window, and follows it', async () => {
  window = await mounted(() => h(GuidePage))
  const titles = () => window.all('h1').map(({ textContent }) => textContent)
  expect(titles()).toEqual(['User guide'])
  await useLanguage('de')
  await expect.poll(titles).toEqual(['Handbuch'])
  await useLanguage('en')
  await expect.poll(titles).toEqual(['User guide'])
})
