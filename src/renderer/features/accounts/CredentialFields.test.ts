// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h, ref } from 'vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import { emptyDraft } from './credential-draft'
import CredentialFields from './CredentialFields.vue'

let window: Mounted
afterEach(() => window.unmount())

it('keeps the input of one method when the method is switched', async () => {
  const draft = ref(emptyDraft({ username: 'anna' }))
  window = await mounted(() => h(CredentialFields, { modelValue: draft.value, errors: {}, disabled: false }))
  await window.click(t('accounts.form.methodToken'))
  expect(window.all('label').map((one) => one.textContent)).toContain(t('accounts.form.token'))
  await window.click(t('accounts.form.methodPassword'))
  expect(window.find('input').getAttribute('autocomplete')).toBe('username')
  expect(draft.value.username).toBe('anna')
})

it('explains that the sign-in lasts for this run without a keychain', async () => {
  window = await mounted(
    () => h(CredentialFields, { modelValue: emptyDraft(), errors: {}, disabled: false }),
    {
      'app.info': () => ({
        version: '0.1.0',
        platform: 'linux',
        electron: '45',
        systemLocales: ['en-US'],
        loopbackOnly: false,
        keychain: 'unavailable',
        keychainReason: 'locked',
        crashedAt: null,
      }),
    },
  )
  expect(window.text()).toContain(t('accounts.form.stayMemory'))
})
