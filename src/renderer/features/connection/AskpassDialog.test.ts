// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { h } from 'vue'
import type { AskpassQuestion } from '#shared/bridge/askpass'
import { mounted } from '../../../../test/gallery/mounted'
import { account } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { followTyping } from '../../platform/typing'
import AskpassDialog from './AskpassDialog.vue'

const open = async (changes: Partial<AskpassQuestion>) => {
  const question: AskpassQuestion = {
    id: 'q1',
    account,
    machine: 'train',
    kind: 'passphrase',
    subject: '/k',
    isAgain: false,
    ...changes,
  }
  const window = await mounted(() => h(AskpassDialog, { question }), {
    'askpass.answer': () => undefined,
    'askpass.cancel': () => undefined,
  })
  onTestFinished(() => window.unmount())
  return window
}

it.each([
  ['a terminal', 'textarea', { key: 'Enter' }, false],
  ['a field', 'input', { key: 's' }, false],
  ['a field with AltGr', 'input', { key: '@', ctrlKey: true, altKey: true }, false],
  ['nothing: Enter has sent a field', 'input', { key: 'Enter' }, true],
  ['nothing: a shortcut was pressed', 'textarea', { key: 'k', ctrlKey: true }, true],
  ['nothing: a button was pressed', 'button', { key: ' ' }, true],
] as const)('the dialog ignores keys that the user types for %s', async (_, tag, key, hasFocus) => {
  onTestFinished(followTyping(document))
  const place = document.body.appendChild(document.createElement(tag))
  onTestFinished(() => place.remove())
  place.focus()
  place.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true }))
  const window = await open({ kind: 'password' })
  const focused = document.activeElement
  expect(focused === window.find('input')).toBe(hasFocus)
  if (!hasFocus) expect(focused?.tagName).toBe('DIALOG')
})

it('a passphrase is not stored unless the user chooses that', async () => {
  const window = await open({})
  const input = window.find('input')
  expect(input.getAttribute('type')).toBe('password')
  await window.type(input, 'open sesame')
  await window.submit()
  expect(window.main.calls).toContainEqual([
    'askpass.answer',
    { id: 'q1', answer: 'open sesame', keep: 'no' },
  ])
  await window.click(t('askpass.keep.keychain'))
  await window.submit()
  expect(window.main.calls.at(-1)).toEqual([
    'askpass.answer',
    { id: 'q1', answer: 'open sesame', keep: 'keychain' },
  ])
})

it('a machine’s text is marked as such, and a password is not stored', async () => {
  const window = await open({ kind: 'other', subject: 'a\u202eb Code: ' })
  expect(window.text()).toContain(t('askpass.other'))
  expect(window.text()).not.toContain('\u202e')
  expect(window.text()).not.toContain(t('askpass.keep.label'))
  await window.click(t('common.actions.cancel'))
  expect(window.main.calls).toContainEqual(['askpass.cancel', { id: 'q1' }])
})

it('a hardware key needs no text, and the sign-in goes on when the dialog is closed', async () => {
  const window = await open({ kind: 'touch', subject: 'Confirm user presence for key ED25519-SK SHA256:abc' })
  expect(window.text()).toContain(t('askpass.touch.title', { machine: 'train' }))
  expect(document.querySelector('input, [type=submit]')).toBeNull()
  await window.click(t('common.actions.close'))
  expect(window.main.calls).toContainEqual(['askpass.cancel', { id: 'q1' }])
})

it('a jump host is named in its question', async () => {
  const window = await open({ kind: 'other', subject: '(jane@bastion) Code: ', from: 'jane@bastion' })
  expect(window.text()).toContain(t('askpass.fromOther', { from: 'jane@bastion', machine: 'train' }))
})

it('only text that a machine may echo is visible while the user types', async () => {
  const hidden = await open({ kind: 'other', subject: 'Code:' })
  expect(hidden.find('input').getAttribute('type')).toBe('password')
  const shown = await open({ kind: 'other', subject: 'Login:', isEchoed: true })
  expect(shown.find('input').getAttribute('type')).toBe('text')
})

it('a host key is trusted with an empty answer and without a field', async () => {
  const window = await open({ kind: 'host-key', subject: 'SHA256:abc' })
  expect(window.text()).toContain(t('askpass.hostKey'))
  expect(window.text()).toContain('SHA256:abc')
  await window.click(t('askpass.trust'))
  expect(window.main.calls).toContainEqual(['askpass.answer', { id: 'q1', answer: '', keep: 'no' }])
})

it('the key of an unknown host is shown with its address', async () => {
  const hostKey = { address: '203.0.113.21:22', type: 'ssh-ed25519' }
  const window = await open({ kind: 'new-host', subject: 'SHA256:abc', hostKey })
  expect(window.text()).toContain(t('askpass.newHost.title', { machine: 'train' }))
  for (const fact of ['203.0.113.21:22', 'ssh-ed25519', 'SHA256:abc']) expect(window.text()).toContain(fact)
  await window.click(t('askpass.trust'))
  expect(window.main.calls).toContainEqual(['askpass.answer', { id: 'q1', answer: '', keep: 'no' }])
  await window.click(t('common.actions.cancel'))
  expect(window.main.calls).toContainEqual(['askpass.cancel', { id: 'q1' }])
})
