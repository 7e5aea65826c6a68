// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h, ref } from 'vue'
import { SshDefaults } from '#shared/bridge/ssh'
import { FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import SshDefaultsSection from './SshDefaultsSection.vue'

let window: Mounted
let kept: SshDefaults
afterEach(() => window.unmount())

const shown = ref(true)
const open = async () => {
  kept = { user: null, port: null, identityFile: null }
  shown.value = true
  window = await mounted(() => (shown.value ? h(SshDefaultsSection) : null), {
    'ssh.defaults': () => kept,
    'ssh.identities': () => [{ path: '/home/anna/.ssh/lab', type: null, comment: null }],
    'ssh.configureAccount': ({ account: _, ...changes }) => {
      if (changes.jumpHost?.includes(' '))
        throw new FailureError({ kind: 'invalid-input', field: 'jumpHost', reason: 'malformed' })
      return (kept = SshDefaults.parse({ ...kept, ...changes }))
    },
  })
}
const user = () => window.field(t('settings.ssh.user'))
const port = () => window.field(t('settings.ssh.port'))
const jumpHost = () => window.field(t('settings.ssh.jumpHost'))
const sent = () =>
  window.main.calls.flatMap(([name, request]) => (name === 'ssh.configureAccount' ? [request] : []))
const comeBack = async () => {
  shown.value = false
  await window.settled()
  shown.value = true
  await window.settled()
}

it('a field is saved by itself when it loses the focus, and can be undone', async () => {
  await open()
  await window.type(user(), 'root')
  expect(kept.user).toBeNull()
  await window.leave(user())
  expect(kept).toEqual({ user: 'root', port: null, identityFile: null })
  await window.leave(user())
  expect(sent()).toHaveLength(1)
  expect(window.all('form button').map((one) => one.textContent.trim())).not.toContain(
    t('common.actions.save'),
  )
  await window.click(t('common.actions.undo'))
  await window.settled()
  expect(kept.user).toBeNull()
  expect(user().value).toBe('')
})

it('an invalid port stays a draft, and valid fields are saved', async () => {
  await open()
  await window.type(port(), '99999')
  await window.leave(port())
  await window.type(user(), 'root')
  await window.leave(user())
  expect(kept).toEqual({ user: 'root', port: null, identityFile: null })
  await comeBack()
  expect([port().value, user().value]).toEqual(['99999', 'root'])
  expect(window.text()).toContain(t('ssh.port.range'))
  await window.type(port(), '2222')
  await window.leave(port())
  expect(kept.port).toBe(2222)
})

it('a rejected field keeps its draft and its reason, and valid fields are saved', async () => {
  await open()
  await window.type(jumpHost(), 'a b')
  await window.leave(jumpHost())
  expect(window.text()).toContain(t('failures.formats.jumpHost'))
  await window.type(user(), 'root')
  await window.submit()
  await window.settled()
  expect(kept).toEqual({ user: 'root', port: null, identityFile: null })
  await comeBack()
  expect(jumpHost().value).toBe('a b')
  // After the return, the rejected field is sent again with the valid ones.
  await window.type(user(), 'ubuntu')
  await window.leave(user())
  expect(kept.user).toBe('ubuntu')
  expect(window.text()).toContain(t('failures.formats.jumpHost'))
})

it('the identity file and agent forwarding are saved when they are chosen', async () => {
  await open()
  const select = window.find(`select[aria-label="${t('settings.ssh.identityFile')}"]`)
  if (!(select instanceof HTMLSelectElement)) expect.fail()
  select.value = '/home/anna/.ssh/lab'
  select.dispatchEvent(new Event('change', { bubbles: true }))
  await window.settled()
  await window.click(window.find('[role=checkbox]'))
  await window.settled()
  expect(kept).toMatchObject({ identityFile: '/home/anna/.ssh/lab', forwardAgent: true })
})
