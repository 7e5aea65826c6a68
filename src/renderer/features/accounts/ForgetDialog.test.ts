// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { account, accountView } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import ForgetDialog from './ForgetDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)

it('forgets an account only after its name was typed', async () => {
  const { seen, on } = emissions('close')
  window = await mounted(() => h(ForgetDialog, { account: accountView({ label: texts.html }), ...on }), {
    'accounts.forget': () => undefined,
  })
  const button = window.named(t('accounts.forget.action'))
  await window.type(window.find('input'), 'Acme')
  await window.submit()
  expect([button.hasAttribute('disabled'), calls('accounts.forget')]).toEqual([true, []])
  await window.type(window.find('input'), ` ${texts.html} `)
  expect(button.hasAttribute('disabled')).toBe(false)
  await window.submit()
  expect([calls('accounts.forget'), seen]).toEqual([[{ account }], [['close']]])
})
