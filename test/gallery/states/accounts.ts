import { h } from 'vue'
import type { AccountView } from '#shared/bridge/account'
import { FailureError } from '#shared/failure'
import AccountActions from '../../../src/renderer/features/accounts/AccountActions.vue'
import AccountDot from '../../../src/renderer/features/accounts/AccountDot.vue'
import CredentialFields from '../../../src/renderer/features/accounts/CredentialFields.vue'
import { emptyDraft } from '../../../src/renderer/features/accounts/credential-draft'
import ForgetDialog from '../../../src/renderer/features/accounts/ForgetDialog.vue'
import RenameDialog from '../../../src/renderer/features/accounts/RenameDialog.vue'
import SandboxBadge from '../../../src/renderer/features/accounts/SandboxBadge.vue'
import SignInDialog from '../../../src/renderer/features/accounts/SignInDialog.vue'
import AccountRow from '../../../src/renderer/pages/settings/AccountRow.vue'
import { entry, part, submit } from '../state'
import { texts } from '../texts'
import { accountView, sandboxAccount } from '../world'

const actions = (changes: Partial<AccountView>) => () => h(AccountActions, { account: accountView(changes) })
const fields = (draft: Parameters<typeof emptyDraft>[0], others: object = {}) => ({
  render: () =>
    h('div', { style: { display: 'grid', gap: '16px' } }, [
      h(CredentialFields, { modelValue: emptyDraft(draft), errors: {}, disabled: false, ...others }),
    ]),
})
const dot = (account: AccountView) => () =>
  h('p', { style: { display: 'flex' } }, [h(AccountDot, { account })])

/** Types a token and submits it. */
function typeToken(stage: HTMLElement): void {
  const input = part(stage, 'input:not([type=checkbox])')
  if (input instanceof HTMLInputElement) input.value = 'wh_live_0123'
  input.dispatchEvent(new Event('input'))
  submit(stage)
}

export default [
  entry(AccountActions, {
    'signed in': actions({}),
    'signed out': actions({ state: 'signed-out' }),
    long: actions({ label: texts.long }),
  }),
  entry(AccountRow, {
    'of several': () => h(AccountRow, { label: 'Account', modelValue: accountView({}).id }),
  }),
  entry(AccountDot, {
    'signed in': dot(accountView()),
    'signing in': dot(accountView({ state: 'signing-in' })),
    'signed out': dot(accountView({ state: 'signed-out' })),
  }),
  entry(CredentialFields, {
    password: fields({ username: 'anna' }),
    token: fields({ method: 'api-token', token: 'wh_live_0123' }),
    errors: fields({}, { errors: { username: 'Required', password: texts.words } }),
    disabled: fields({ username: 'anna' }, { disabled: true }),
    hostile: fields({ username: texts.html, password: texts.control }),
    'without a keychain': {
      ...fields({}),
      handlers: {
        'app.info': () => ({
          version: '0.1.0',
          platform: 'linux',
          electron: '45.4.1',
          systemLocales: ['en-US'],
          loopbackOnly: false,
          keychain: 'unavailable',
          keychainReason: 'locked',
          crashedAt: null,
        }),
      },
    },
  }),
  entry(ForgetDialog, {
    usual: () => h(ForgetDialog, { account: accountView() }),
    html: () => h(ForgetDialog, { account: accountView({ label: texts.html }) }),
  }),
  entry(RenameDialog, {
    usual: () => h(RenameDialog, { account: accountView() }),
    empty: { render: () => h(RenameDialog, { account: accountView({ label: '' }) }), act: submit },
    'too long': {
      render: () => h(RenameDialog, { account: accountView({ label: texts.long }) }),
      act: submit,
    },
  }),
  entry(SandboxBadge, {
    usual: () => h(SandboxBadge, { label: 'Acme Labs' }),
    'named sandbox': () => h(SandboxBadge, { label: 'Sandbox' }),
  }),
  entry(SignInDialog, {
    'of another account': {
      render: () => h(SignInDialog, { account: accountView({ credential: 'api-token' }), reason: null }),
      handlers: {
        'accounts.signIn': () => {
          throw new FailureError({ kind: 'invalid-input', field: 'credential', reason: 'another-account' })
        },
      },
      act: typeToken,
    },
    'address not identified': {
      render: () => h(SignInDialog, { account: accountView({ credential: 'api-token' }), reason: null }),
      handlers: {
        'accounts.signIn': () => {
          throw new FailureError({ kind: 'invalid-input', field: 'baseUrl', reason: 'not-identified' })
        },
      },
      act: typeToken,
    },
    asked: () => h(SignInDialog, { account: accountView(), reason: null }),
    expired: () =>
      h(SignInDialog, { account: accountView(), reason: { kind: 'not-signed-in', reason: 'expired' } }),
    'nothing typed': {
      render: () => h(SignInDialog, { account: accountView({ credential: 'api-token' }), reason: null }),
      act: submit,
    },
    refused: {
      render: () => h(SignInDialog, { account: accountView({ credential: 'api-token' }), reason: null }),
      handlers: {
        'accounts.list': () => ({ accounts: [accountView(), sandboxAccount], selected: sandboxAccount.id }),
        'accounts.signIn': () => {
          throw new FailureError({ kind: 'refused-by-service', message: texts.words, status: 403 })
        },
      },
      act: typeToken,
    },
  }),
]
