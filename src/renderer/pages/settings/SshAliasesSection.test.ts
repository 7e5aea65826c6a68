// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { SshAliasesView } from '#shared/bridge/ssh-alias'
import { FailureError } from '#shared/failure'
import { mounted } from '../../../../test/gallery/mounted'
import { account, sshAliasesView } from '../../../../test/gallery/world'
import SshAliasLine from '../../features/connection/SshAliasLine.vue'
import { t } from '../../platform/i18n'
import SshAliasesSection from './SshAliasesSection.vue'

const open = async (enable: () => SshAliasesView) => {
  const window = await mounted(
    () => [h(SshAliasesSection), h(SshAliasLine, { account, machine: 'm-train' })],
    { 'sshAliases.enable': enable, 'sshAliases.read': () => sshAliasesView() },
  )
  onTestFinished(() => window.unmount())
  return window
}

it('a machine shows its alias while aliases are enabled and its line exists', async () => {
  const window = await open(() => sshAliasesView({ enabled: true, included: true }))
  expect(window.text()).toContain('/home/anna/.ssh/config')
  expect(window.text()).toContain('HostName 203.0.113.21')
  expect(window.text()).toContain(t('sshAliases.hint'))
  expect(window.text()).not.toContain('ssh train-llama-01')
  await window.click(window.find('[role=checkbox]'))
  expect(window.main.calls).toContainEqual(['sshAliases.enable', { enabled: true }])
  expect(window.text()).toContain('ssh train-llama-01')
  window.main.emit('sshAliases.changed', sshAliasesView({ enabled: true, included: false }))
  await window.settled()
  expect(window.text()).not.toContain('ssh train-llama-01')
  expect(window.text()).toContain(t('sshAliases.notIncluded'))
})

it('a failed write shows its reason and leaves the switch off', async () => {
  const window = await open(() => {
    throw new FailureError({ kind: 'local-fault', action: 'sshAliases.write', reason: 'read-only' })
  })
  await window.click(window.find('[role=checkbox]'))
  expect(window.text()).toContain('read-only')
  expect(window.find('[role=checkbox]').getAttribute('aria-checked')).toBe('false')
})
