// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { Handlers } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { mounted } from '../../../../test/gallery/mounted'
import { sshKeysView, sshKeyView } from '../../../../test/gallery/ssh-views'
import { t } from '../../platform/i18n'
import SshKeysSection from './SshKeysSection.vue'

const open = async (handlers: Partial<Handlers>) => {
  const window = await mounted(() => h(SshKeysSection), handlers)
  onTestFinished(() => window.unmount())
  return window
}

it('each key shows its fingerprint and copies its public key', async () => {
  const window = await open({ 'clipboard.write': () => undefined })
  expect(window.text()).toContain('SHA256:uNiVztks')
  const what = t('sshKeys.publicKey', { name: 'anna@lab' })
  await window.click(window.find(`[aria-label="${t('common.actions.copyNamed', { what })}"]`))
  expect(window.main.calls).toContainEqual([
    'clipboard.write',
    { text: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ anna@lab' },
  ])
})

it('a passphrase that ssh-keygen would reject generates no key', async () => {
  const window = await open({
    'creation.freeKeyName': () => 'wheelhouse_ed25519',
    'sshKeys.generate': () => sshKeysView(),
  })
  await window.click(t('sshKeys.generate'))
  await window.type(window.find('input[autocomplete=new-password]'), 'four')
  expect(window.named(t('creation.key.generateAction')).hasAttribute('disabled')).toBe(true)
  await window.type(window.find('input[autocomplete=new-password]'), 'five chars')
  await window.submit()
  expect(window.main.calls).toContainEqual([
    'sshKeys.generate',
    { name: 'wheelhouse_ed25519', comment: 'wheelhouse_ed25519', passphrase: 'five chars' },
  ])
  expect(window.all('dialog')).toEqual([])
})

it('a used name gets the focus, and the input stays', async () => {
  const window = await open({
    'creation.freeKeyName': () => 'wheelhouse_ed25519',
    'sshKeys.generate': () => {
      throw new FailureError({ kind: 'invalid-input', field: 'name', reason: 'already-there' })
    },
  })
  await window.click(t('sshKeys.generate'))
  const passphrase = window.find('input[autocomplete=new-password]')
  await window.type(passphrase, 'five chars')
  if (passphrase instanceof HTMLElement) passphrase.focus()
  await window.submit()
  const name = window.find('[aria-invalid=true]')
  expect([document.activeElement, name]).toEqual([name, window.find('dialog input')])
  expect(passphrase).toHaveProperty('value', 'five chars')
})

it('a security key has a mark and no warning about its file', async () => {
  const hardware = { type: 'sk-ssh-ed25519@openssh.com', hardware: true, encrypted: false }
  const window = await open({ 'sshKeys.list': () => sshKeysView({ keys: [sshKeyView(hardware)] }) })
  const [row = expect.fail()] = window.all('li .head')
  expect([...row.children].map((word) => word.textContent)).toEqual([
    'anna@lab',
    'ed25519',
    t('sshKeys.hardware'),
  ])
})

it('a key that another program added appears when the user returns', async () => {
  let keys = sshKeysView({ keys: [] })
  const window = await open({ 'sshKeys.list': () => keys })
  expect(window.all('li')).toEqual([])
  keys = sshKeysView()
  dispatchEvent(new Event('focus'))
  await expect.poll(() => window.all('li').length).toBe(1)
})

it('an empty list shows the next step, and a failed list its failure', async () => {
  const empty = await open({ 'sshKeys.list': () => sshKeysView({ keys: [], hasAgent: false }) })
  expect(empty.text()).toContain(t('sshKeys.none', { folder: '~/.ssh' }))
  expect(empty.text()).toContain(t('sshKeys.noAgent'))
  const failed = await open({
    'sshKeys.list': () => {
      throw new FailureError({ kind: 'local-fault', action: 'sshKeys.list', reason: 'broken' })
    },
  })
  expect(failed.text()).toContain('broken')
})
