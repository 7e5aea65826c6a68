// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import { FailureError, type Failure } from '#shared/failure'
import { mounted, type Mounted } from '../../../../test/gallery/mounted'
import { world } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import ConnectForm from './ConnectForm.vue'

let window: Mounted
afterEach(() => window.unmount())

const open = async (failure: Failure, loopbackOnly = false) => {
  window = await mounted(() => h(ConnectForm, { adding: false }), {
    'app.info': () => ({ ...world['app.info'](), loopbackOnly }),
    'accounts.connect': () => {
      throw new FailureError(failure)
    },
  })
}
const address = () => window.find('input[autocomplete=url]')
const password = () => window.find('input[type=password]')
const fill = async () => {
  await window.type(address(), 'https://example.com')
  await window.type(window.find('input[autocomplete=username]'), 'anna')
  await window.type(password(), 'correct horse')
}
const alerts = () => window.all('[role=alert]').length
const wrong = () => window.all('[aria-invalid=true]').length

const refused: Failure = { kind: 'not-signed-in', reason: 'refused' }
const page: Failure = { kind: 'unexpected-answer', expected: 'x', received: 'HTML', status: 200 }

it('a required field shows its error until the user types', async () => {
  await open(refused)
  await window.submit()
  expect(wrong()).toBe(3)
  await window.type(address(), 'h')
  expect(wrong()).toBe(2)
})

it('a rejection disappears when its field changes', async () => {
  await open(refused)
  await fill()
  await window.submit()
  expect(alerts()).toBe(1)
  await window.type(password(), 'another')
  expect(alerts()).toBe(0)
})

it('the sign-in to an unidentified address needs a confirmation', async () => {
  const sent: unknown[] = []
  window = await mounted(() => h(ConnectForm, { adding: false }), {
    'accounts.connect': (input) => {
      sent.push(input.confirmed)
      throw new FailureError({ kind: 'invalid-input', field: 'baseUrl', reason: 'not-identified' })
    },
  })
  await fill()
  await window.submit()
  expect(window.text()).toContain(t('failures.confirmable.not-identified.title'))
  await window.click(t('accounts.confirm.address'))
  await window.type(address(), 'https://other.example.com')
  await window.submit()
  expect(sent).toEqual([[], ['address'], []])
})

it('an incompatible service is reported at the address until it changes', async () => {
  await open(page)
  await fill()
  await window.submit()
  expect(window.text()).toContain(t('accounts.form.incompatible'))
  expect(wrong()).toBe(1)
  await window.type(address(), 'https://api.example.com')
  expect(window.text()).not.toContain(t('accounts.form.incompatible'))
})

it('a service that is down is not called incompatible', async () => {
  await open({ ...page, status: 502 })
  await fill()
  await window.submit()
  expect(window.text()).not.toContain(t('accounts.form.incompatible'))
  expect(alerts()).toBe(1)
})

it('a loopback-only build suggests an address on this computer', async () => {
  await open(refused, true)
  expect(address().getAttribute('placeholder')).toBe(t('accounts.form.loopbackExample'))
  expect(window.text()).toContain(t('accounts.form.loopbackOnly'))
  expect(window.text()).not.toContain(t('accounts.form.baseUrlHint'))
})
