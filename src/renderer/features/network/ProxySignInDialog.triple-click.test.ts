// @vitest-environment happy-dom
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { callCount, tripleClick, withClickGuard } from '../../../../test/gallery/triple-click'
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import ProxySignInDialog from './ProxySignInDialog.vue'
import { t } from '../../platform/i18n'

let window: Mounted
withClickGuard()
afterEach(() => window.unmount())
const labelled = (label: string) =>
  window.all('input').find((input) => window.find(`label[for="${input.id}"]`).textContent.includes(label)) ??
  expect.fail(label)

it('a triple click on “Sign in” answers the proxy once', async () => {
  const question = { proxy: 'proxy.example.com:8080', realm: '', refused: false }
  window = await mounted(() => h(ProxySignInDialog, { question }), {
    'networkAccess.signIn': () => undefined,
  })
  await window.type(labelled(t('networkAccess.question.username')), 'ada')
  await tripleClick(window, window.find('button[type=submit]'))
  expect(callCount(window, 'networkAccess.signIn')).toBe(1)
})
