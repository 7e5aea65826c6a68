import type { AccountId } from '#shared/bridge/account'
import type { appCalls } from '#shared/bridge/app'
import type { CallOutput, HandlersOf } from '#shared/bridge/index'
import type { secretCalls, SecretRef } from '#shared/bridge/secret'
import type { ApiTokens } from '../api-tokens/index'
import type { BareMetal } from '../bare-metal/index'
import { defineModule } from '../core/module'
import type { Firewall } from '../firewall/index'
import type { Fleet } from '../fleet/index'
import type { Volumes } from '../volumes/index'

export interface SecretsDeps {
  readonly clipboard: {
    write(text: string): void | Promise<void>
    /** Pastes into the focused field of the window. */
    paste(): void
    copySecret(secret: string): Promise<CallOutput<'secret.copy'>>
  }
  readonly apiTokens: Pick<ApiTokens, 'secret'>
  readonly bareMetal: Pick<BareMetal, 'view' | 'secret'>
  readonly fleet: Pick<Fleet, 'view' | 'secret'>
  readonly volumes: Pick<Volumes, 'secret'>
  readonly firewall: Pick<Firewall, 'secret'>
}

/** Returns the module that knows a machine or instance. If both kinds share an id, the machine wins. */
export const holderOf = (
  { fleet, bareMetal }: Pick<SecretsDeps, 'fleet' | 'bareMetal'>,
  account: AccountId,
  id: string,
): SecretsDeps['fleet'] => (fleet.view(account, id) || !bareMetal.view(account, id) ? fleet : bareMetal)

type SecretCalls = typeof secretCalls & Pick<typeof appCalls, 'clipboard.write' | 'clipboard.paste'>

/** Reveals one secret at a time when the user asks to see or copy it. No other call returns secrets. */
export function createSecrets(deps: SecretsDeps) {
  const { clipboard, apiTokens, bareMetal, fleet, volumes, firewall } = deps
  /** Fails with invalid-input if the resource is unknown, and as the client does. */
  function read(account: AccountId, secret: SecretRef): string | Promise<string> {
    if (secret.kind === 'api-token') return apiTokens.secret(account, secret.token)
    if (secret.kind === 'volume-field') return volumes.secret(account, secret.volume, secret.path)
    if (secret.kind === 'firewall-field') return firewall.secret(account, secret)
    return holderOf({ fleet, bareMetal }, account, secret.machine).secret(account, secret)
  }

  const handlers: HandlersOf<SecretCalls> = {
    'clipboard.write': ({ text }) => clipboard.write(text),
    'clipboard.paste': clipboard.paste,
    'secret.reveal': ({ account, secret }) => read(account, secret),
    'secret.copy': async ({ account, secret }) => clipboard.copySecret(await read(account, secret)),
  }
  return defineModule({ handlers, events: {}, forgetAccount: 'keeps-nothing' })
}
