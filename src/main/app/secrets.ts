import type { AccountId } from '#shared/bridge/account'
import type { appCalls } from '#shared/bridge/app'
import type { CallOutput, HandlersOf } from '#shared/bridge/index'
import type { secretCalls, secretEvents, SecretQuestion, SecretRef } from '#shared/bridge/secret'
import type { ApiTokens } from '../api-tokens/index'
import type { BareMetal } from '../bare-metal/index'
import { FailureError } from '#shared/failure'
import { translate } from '#shared/messages/index'
import type { Clock } from '../core/clock'
import { defineModule, type EventsOf } from '../core/module'
import type { ShowNotification } from '../core/notification'
import { cut, oneLine } from '../core/one-line'
import { createQuestions } from '../core/questions'
import type { Firewall } from '../firewall/index'
import type { Fleet } from '../fleet/index'
import type { Volumes } from '../volumes/index'

/** Characters of a name in a question. */
const maxNameLength = 200
/** Time to answer a command in the window, in seconds. */
const questionTimeoutSeconds = 120

export interface SecretsDeps {
  readonly clock: Pick<Clock, 'after'>
  readonly showNotification: ShowNotification
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

/** Reveals one secret at a time when the user asks to see or copy it, or allows a command to. No other call returns secrets. */
export function createSecrets(deps: SecretsDeps) {
  const { clipboard, apiTokens, bareMetal, fleet, volumes, firewall, clock } = deps
  const questions = createQuestions<SecretQuestion, boolean>({
    clock,
    timeoutSeconds: questionTimeoutSeconds,
    onQuestion({ account, name }) {
      const [title, body] = [
        translate('secrets.title', { machine: oneLine(name) }),
        translate('secrets.notice'),
      ]
      deps.showNotification('question', { title, body }, { page: 'machines', account })
    },
  })
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
    'secret.ask': async ({ account, machine, request }) => {
      const view = holderOf(deps, account, machine).view(account, machine)
      if (!view?.hasPassword)
        throw new FailureError({ kind: 'invalid-input', field: 'machine', reason: 'unknown' })
      // One question at a time: a program must not fill the screen with them.
      if (questions.list().length > 0) throw new FailureError({ kind: 'cancelled' })
      const name = cut(view.name, maxNameLength)
      const isAllowed = await questions.ask((id) => ({ id, request, account, name }))
      if (!isAllowed) throw new FailureError({ kind: 'cancelled' })
      return read(account, { kind: 'machine-password', machine })
    },
    'secret.withdraw': ({ request }) => questions.drop((question) => question.request === request),
    'secret.questions': questions.list,
    'secret.answer': ({ id, isAllowed }) => questions.settle(id, isAllowed),
  }
  const events: EventsOf<typeof secretEvents> = { 'secret.asked': questions.onChange }
  return defineModule({
    handlers,
    events,
    forgetAccount: (account) => questions.drop((question) => question.account === account),
    close: questions.close,
  })
}
