// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { h } from 'vue'
import type { CallInput } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { account, accountView } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import SignInDialog from './SignInDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)
const wrongFields = () =>
  window.all('[aria-invalid=true]').map((input) => window.find(`label[for="${input.id}"]`).textContent)

const open = async (answer: (input: CallInput<'accounts.signIn'>) => ReturnType<typeof accountView>) => {
  const { seen, on } = emissions('answer')
  window = await mounted(() => h(SignInDialog, { account: accountView(), reason: null, ...on }), {
    'accounts.signIn': answer,
  })
  return seen
}
const password = () => window.find('input[type=password]')

it('focuses the first missing field and sends nothing without it', async () => {
  const seen = await open(() => accountView())
  expect(document.activeElement).toBe(password())
  await window.submit()
  expect(wrongFields()).toEqual([t('accounts.form.password')])
  expect([calls('accounts.signIn'), seen]).toEqual([[], []])
})

it('signs in once with the typed credentials', async () => {
  const seen = await open(() => accountView())
  await window.type(password(), 'correct horse')
  await window.submit()
  expect(calls('accounts.signIn')).toEqual([
    {
      account,
      credential: { kind: 'password', username: 'anna', password: 'correct horse' },
      staySignedIn: true,
      confirmed: [],
    },
  ])
  expect(seen).toEqual([['answer', true]])
})

it('asks for a confirmation if the credentials do not identify the account', async () => {
  const another = { kind: 'invalid-input', field: 'credential', reason: 'another-account' } as const
  const seen = await open((input) => {
    if (!input.confirmed?.includes('account')) throw new FailureError(another)
    return accountView()
  })
  await window.type(password(), 'correct horse')
  await window.submit()
  expect(window.text()).toContain(t('failures.confirmable.another-account.title'))
  expect(window.text()).toContain(t('accounts.confirm.newAccount'))
  await window.click(t('accounts.confirm.account', { account: accountView().label }))
  expect(calls('accounts.signIn').at(-1)).toMatchObject({ confirmed: ['account'] })
  expect(seen).toEqual([['answer', true]])
})

it('asks for a confirmation if the address does not identify itself', async () => {
  const page = { kind: 'invalid-input', field: 'baseUrl', reason: 'web-page' } as const
  const seen = await open((input) => {
    if (!input.confirmed?.includes('address')) throw new FailureError(page)
    return accountView({ id: 'zzzzzzzzzzzz' })
  })
  await window.type(password(), 'correct horse')
  await window.submit()
  expect(window.text()).toContain(t('failures.confirmable.web-page.title'))
  await window.click(t('accounts.confirm.address'))
  // Credentials of another known account sign in to that account.
  expect(seen).toEqual([['answer', false]])
})

it('shows a refusal at the field that the service names, or else above the buttons', async () => {
  let field: string | undefined = 'password'
  const seen = await open(() => {
    const failure = { kind: 'refused-by-service', message: texts.html, status: 422 } as const
    throw new FailureError(field === undefined ? failure : { ...failure, field })
  })
  await window.type(password(), 'wrong')
  await window.submit()
  expect(wrongFields()).toEqual([t('accounts.form.password')])
  expect(window.all('[role=alert], img')).toEqual([])
  field = undefined
  await window.submit()
  expect(wrongFields()).toEqual([])
  expect(window.find('[role=alert]').textContent).toContain(texts.html)
  expect(seen).toEqual([])
})

it('reports no sign-in if the user closes the dialog', async () => {
  const seen = await open(() => accountView())
  await window.press(password(), 'Escape')
  expect(seen).toEqual([['answer', false]])
})
