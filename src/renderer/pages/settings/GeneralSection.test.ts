// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { LoginItem } from '#shared/bridge/app'
import { FailureError } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { t } from '../../platform/i18n'
import GeneralSection from './GeneralSection.vue'

let window: Mounted
let state: LoginItem
afterEach(() => window.unmount())

const open = async (first: LoginItem): Promise<void> => {
  state = first
  window = await mounted(() => h(GeneralSection), {
    'loginItem.read': () => state,
    'loginItem.change': ({ isOn }) => (state = { kind: isOn ? 'on' : 'off' }),
  })
}
const checkbox = () => window.find('[role=checkbox]')
const isChecked = () => checkbox().getAttribute('aria-checked') === 'true'

it('opening at login is turned on and off, with undo', async () => {
  await open({ kind: 'off' })
  expect(isChecked()).toBe(false)
  await window.click(checkbox())
  expect([isChecked(), state.kind]).toEqual([true, 'on'])
  await window.click(t('common.actions.undo'))
  await window.settled()
  expect([isChecked(), state.kind]).toEqual([false, 'off'])
})

it('a change by the system appears when the window gets the focus', async () => {
  await open({ kind: 'on' })
  state = { kind: 'off' }
  dispatchEvent(new Event('focus'))
  await window.settled()
  expect(isChecked()).toBe(false)
})

it('another copy at login is named, and this copy replaces it', async () => {
  await open({ kind: 'other', program: '/home/me/old.AppImage' })
  expect(isChecked()).toBe(false)
  expect(window.text()).toContain('/home/me/old.AppImage')
  await window.click(checkbox())
  expect(state.kind).toBe('on')
})

it('a missing approval of macOS is explained', async () => {
  await open({ kind: 'needs-approval' })
  expect(isChecked()).toBe(true)
  expect(window.text()).toContain(t('settings.general.loginApproval'))
})

it('a refused change leaves the checkbox as it was, with the reason', async () => {
  window = await mounted(() => h(GeneralSection), {
    'loginItem.read': () => ({ kind: 'off' }),
    'loginItem.change': () => {
      throw new FailureError({ kind: 'local-fault', action: 'x', reason: 'EACCES: permission denied' })
    },
  })
  await window.click(checkbox())
  expect(isChecked()).toBe(false)
  expect(window.text()).toContain('EACCES')
})
