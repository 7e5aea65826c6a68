// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import AccountSwitcher from './AccountSwitcher.vue'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { account, accountView, sandboxAccount } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'

let window: Mounted
afterEach(() => window.unmount())

const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)

const other = accountView({ id: 'personal0001', label: texts.html, state: 'signed-out' })
const open = async () => {
  window = await mounted(() => h(AccountSwitcher), {
    'accounts.list': () => ({ accounts: [accountView(), other, sandboxAccount], selected: account }),
    'accounts.select': () => undefined,
  })
  window.find('[popover]').showPopover()
}
const rows = () => window.all('[data-walk]')

it('separates the sandbox from real accounts and marks the selected account', async () => {
  await open()
  expect(window.all('section').map((one) => one.getAttribute('aria-label'))).toEqual([
    t('accounts.switcher.own'),
    t('accounts.switcher.sandbox'),
  ])
  expect(rows().map((one) => one.getAttribute('aria-current'))).toContain('true')
  expect(window.all('section img')).toEqual([])
})

it('moves the focus with the arrow keys and wraps around', async () => {
  await open()
  rows()[0]?.focus()
  await window.press(window.find('[popover]'), 'ArrowDown')
  expect(document.activeElement).toBe(rows()[1])
  await window.press(window.find('[popover]'), 'ArrowUp')
  await window.press(window.find('[popover]'), 'ArrowUp')
  expect(document.activeElement).toBe(rows().at(-1))
})

it('selects the chosen account and closes', async () => {
  await open()
  await window.click(rows()[1] ?? document.body)
  expect(calls('accounts.select')).toEqual([{ account: other.id }])
  expect(window.find('[popover]').matches(':popover-open')).toBe(false)
})

it('shows the actions of one account at a time', async () => {
  await open()
  const manage = (label: string) => window.named(t('accounts.switcher.manage', { account: label }))
  await window.click(manage('Acme Labs'))
  await window.click(manage('Sandbox'))
  expect(manage('Acme Labs').getAttribute('aria-expanded')).toBe('false')
  expect(window.all('[role=group]').map((one) => one.getAttribute('aria-label'))).toEqual([
    t('accounts.switcher.manage', { account: 'Sandbox' }),
  ])
})
