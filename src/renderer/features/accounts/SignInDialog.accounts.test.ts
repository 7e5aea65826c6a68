// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
import { h, ref } from 'vue'
import type { CallInput } from '#shared/bridge/index'
import { FailureError } from '#shared/failure'
import AccountSwitcher from '../../app/shell/AccountSwitcher.vue'
import { emissions, mounted, type Mounted } from '../../../../test/gallery/mounted'
import { texts } from '../../../../test/gallery/texts'
import { account, accountView, sandboxAccount } from '../../../../test/gallery/world'
import { t } from '../../platform/i18n'
import { emptyDraft } from './credential-draft'
import CredentialFields from './CredentialFields.vue'
import ForgetDialog from './ForgetDialog.vue'
import RenameDialog from './RenameDialog.vue'
import SignInDialog from './SignInDialog.vue'

let window: Mounted
afterEach(() => window.unmount())

const calls = (name: string) =>
  window.main.calls.filter(([called]) => called === name).map(([, input]) => input)
const wrongFields = () =>
  window.all('[aria-invalid=true]').map((input) => window.find(`label[for="${input.id}"]`).textContent)

describe('CredentialFields', () => {
  it('keeps what was typed for one way of signing in while the other is looked at', async () => {
    const draft = ref(emptyDraft({ username: 'anna' }))
    window = await mounted(() =>
      h(CredentialFields, { modelValue: draft.value, errors: {}, disabled: false }),
    )
    await window.click(t('accounts.form.methodToken'))
    expect(window.all('label').map((one) => one.textContent)).toContain(t('accounts.form.token'))
    await window.click(t('accounts.form.methodPassword'))
    expect(window.find('input').getAttribute('autocomplete')).toBe('username')
    expect(draft.value.username).toBe('anna')
  })

  it('says that without a keychain nobody stays signed in', async () => {
    window = await mounted(
      () => h(CredentialFields, { modelValue: emptyDraft(), errors: {}, disabled: false }),
      {
        'app.info': () => ({
          version: '0.1.0',
          platform: 'linux',
          electron: '45',
          systemLocales: ['en-US'],
          loopbackOnly: false,
          keychain: 'unavailable',
          keychainReason: 'locked',
          crashedAt: null,
        }),
      },
    )
    expect(window.text()).toContain(t('accounts.form.stayMemory'))
  })
})

describe('SignInDialog', () => {
  const open = async (answer: (input: CallInput<'accounts.signIn'>) => ReturnType<typeof accountView>) => {
    const { seen, on } = emissions('answer')
    window = await mounted(() => h(SignInDialog, { account: accountView(), reason: null, ...on }), {
      'accounts.signIn': answer,
    })
    return seen
  }
  const password = () => window.find('input[type=password]')

  it('begins where something is missing, and sends nothing without it', async () => {
    const seen = await open(() => accountView())
    expect(document.activeElement).toBe(password())
    await window.submit()
    expect(wrongFields()).toEqual([t('accounts.form.password')])
    expect([calls('accounts.signIn'), seen]).toEqual([[], []])
  })

  it('signs in once, with what was typed', async () => {
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

  it('asks before credentials are used that show nothing of the account', async () => {
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

  it('asks before a sign-in is sent to an address that did not identify itself', async () => {
    const page = { kind: 'invalid-input', field: 'baseUrl', reason: 'web-page' } as const
    const seen = await open((input) => {
      if (!input.confirmed?.includes('address')) throw new FailureError(page)
      return accountView({ id: 'zzzzzzzzzzzz' })
    })
    await window.type(password(), 'correct horse')
    await window.submit()
    expect(window.text()).toContain(t('failures.confirmable.web-page.title'))
    await window.click(t('accounts.confirm.address'))
    // Credentials of another known account signed that one in.
    expect(seen).toEqual([['answer', false]])
  })

  it('shows a refusal at the field that the service names, else above the buttons', async () => {
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

  it('is not signed in where the person closes it', async () => {
    const seen = await open(() => accountView())
    await window.press(password(), 'Escape')
    expect(seen).toEqual([['answer', false]])
  })
})

describe('ForgetDialog', () => {
  it('forgets an account only once its name was typed', async () => {
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
})

describe('RenameDialog', () => {
  it.each([
    ['  ', 'failures.invalid.required'],
    ['x'.repeat(61), 'failures.invalid.too-long'],
  ] as const)('says at the field what is wrong with %j', async (typed, words) => {
    window = await mounted(() => h(RenameDialog, { account: accountView() }))
    await window.type(window.find('input'), typed)
    await window.submit()
    expect(wrongFields()).toEqual([t('accounts.rename.label')])
    expect(window.text()).toContain(t(words))
    expect(calls('accounts.rename')).toEqual([])
  })

  it('stays, with the reason, where the name could not be kept', async () => {
    const { seen, on } = emissions('close')
    window = await mounted(() => h(RenameDialog, { account: accountView(), ...on }), {
      'accounts.rename': () => {
        throw new FailureError({ kind: 'disk-full' })
      },
    })
    await window.submit()
    expect(window.find('[role=alert]').textContent).toContain(t('failures.disk-full.title'))
    expect(seen).toEqual([])
  })
})

describe('AccountSwitcher', () => {
  const other = accountView({ id: 'personal0001', label: texts.html, state: 'signed-out' })
  const open = async () => {
    window = await mounted(() => h(AccountSwitcher), {
      'accounts.list': () => ({ accounts: [accountView(), other, sandboxAccount], selected: account }),
      'accounts.select': () => undefined,
    })
    window.find('[popover]').showPopover()
  }
  const rows = () => window.all('[data-walk]')

  it('keeps the sandbox apart from the person’s own accounts, and marks the one looked at', async () => {
    await open()
    expect(window.all('section').map((one) => one.getAttribute('aria-label'))).toEqual([
      t('accounts.switcher.own'),
      t('accounts.switcher.sandbox'),
    ])
    expect(rows().map((one) => one.getAttribute('aria-current'))).toContain('true')
    expect(window.all('section img')).toEqual([])
  })

  it('walks with the arrow keys, around the ends', async () => {
    await open()
    rows()[0]?.focus()
    await window.press(window.find('[popover]'), 'ArrowDown')
    expect(document.activeElement).toBe(rows()[1])
    await window.press(window.find('[popover]'), 'ArrowUp')
    await window.press(window.find('[popover]'), 'ArrowUp')
    expect(document.activeElement).toBe(rows().at(-1))
  })

  it('looks at the account that is chosen, and closes', async () => {
    await open()
    await window.click(rows()[1] ?? document.body)
    expect(calls('accounts.select')).toEqual([{ account: other.id }])
    expect(window.find('[popover]').matches(':popover-open')).toBe(false)
  })

  it('manages one account at a time', async () => {
    await open()
    const manage = (label: string) => window.named(t('accounts.switcher.manage', { account: label }))
    await window.click(manage('Acme Labs'))
    await window.click(manage('Sandbox'))
    expect(manage('Acme Labs').getAttribute('aria-expanded')).toBe('false')
    expect(window.all('[role=group]').map((one) => one.getAttribute('aria-label'))).toEqual([
      t('accounts.switcher.manage', { account: 'Sandbox' }),
    ])
  })
})
