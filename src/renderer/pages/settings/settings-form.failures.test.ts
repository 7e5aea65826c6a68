// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h, nextTick } from 'vue'
import type { SshDefaults } from '#shared/bridge/ssh'
import { FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { account, accountView, sandboxAccount } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import IdleSection from './IdleSection.vue'
import LimitsSection from './LimitsSection.vue'
import SshDefaultsSection from './SshDefaultsSection.vue'
import TerminalFontRow from './TerminalFontRow.vue'

let window: Mounted
afterEach(() => window.unmount())
const refuse = () => {
  throw new FailureError({ kind: 'disk-full' })
}
const alerts = () => window.all('[role=alert]').length

describe('the failure to save settings', () => {
  it.each([
    ['idle', IdleSection, 'idle.settings.threshold', '7', '8'],
    ['limits', LimitsSection, 'alerts.limits.runningHours', '7', '8'],
    ['ssh', SshDefaultsSection, 'settings.ssh.user', 'root', 'ubuntu'],
    ['font', TerminalFontRow, 'settings.terminal.font', 'Hack', 'Fira Code'],
  ] as const)('disappears when the settings change: %s', async (_, section, label, first, second) => {
    window = await mounted(() => h(section), {
      'idle.settings': () => ({ threshold: 5, minutes: 30 }),
      'idle.configure': refuse,
      'alerts.setLimits': refuse,
      'ssh.defaults': () => ({ user: null, port: null, identityFile: null }),
      'ssh.identities': () => [],
      'ssh.configureAccount': refuse,
      'settings.change': refuse,
    })
    await window.type(window.field(t(label)), first)
    await window.submit()
    expect(alerts()).toBe(1)
    await window.type(window.field(t(label)), second)
    expect(alerts()).toBe(0)
  })
})

it('the SSH defaults belong to the account chosen last', async () => {
  const third = accountView({ id: 'third0000001', label: 'Third' })
  const answers = new Map<string, (defaults: SshDefaults) => void>()
  window = await mounted(() => h(SshDefaultsSection), {
    'accounts.list': () => ({ accounts: [accountView(), sandboxAccount, third], selected: account }),
    'ssh.identities': () => [],
    'ssh.defaults': ({ account: id }) =>
      id === sandboxAccount.id
        ? new Promise((resolve) => answers.set(id, resolve))
        : { user: `of-${id}`, port: null, identityFile: null },
    'ssh.configureAccount': ({ account: id }) => ({ user: id, port: null, identityFile: null }),
  })
  const choose = (id: string) => {
    const select = window.find('select')
    if (!(select instanceof HTMLSelectElement)) expect.fail()
    select.value = id
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const user = () => {
    const input = window.field(t('settings.ssh.user'))
    return input instanceof HTMLInputElement ? input.value : null
  }
  expect(user()).toBe(`of-${account}`)
  choose(sandboxAccount.id)
  await expect.poll(() => answers.size).toBe(1)
  choose(third.id)
  await nextTick()
  answers.get(sandboxAccount.id)?.({ user: 'late', port: null, identityFile: null })
  await window.settled()
  expect(user()).toBe(`of-${third.id}`)
})
