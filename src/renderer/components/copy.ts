import type { AccountId } from '#shared/bridge/account'
import type { SecretRef } from '#shared/bridge/secret'
import { bridge } from '../platform/bridge'
import { t } from '../platform/i18n'
import { useSignIn } from '../stores/sign-in'
import { useToast } from './toast'

/** Copies to the clipboard and shows a toast. The main process copies secrets; their values do not come here. */
export function useCopy() {
  const toast = useToast()
  const signIn = useSignIn()
  return {
    text: (what: string, text: string): Promise<boolean> =>
      toast.attempt(t('common.actions.copy'), async () => {
        await bridge.call('clipboard.write', { text })
        toast.done(t('common.copied', { what }))
      }),
    secret: (what: string, account: AccountId, secret: SecretRef): Promise<boolean> =>
      toast.attempt(t('common.actions.copy'), async () => {
        const { clearsAfter, isConcealed } = await signIn.withReauthentication(account, () =>
          bridge.call('secret.copy', { account, secret }),
        )
        const message = isConcealed ? 'common.copiedSecret.concealed' : 'common.copiedSecret.bare'
        toast.done(t(message, { what, seconds: clearsAfter }))
      }),
  }
}
