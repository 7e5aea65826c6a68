import type { AccountId } from '#shared/bridge/account'
import type { askpassCalls, askpassEvents, AskpassQuestion } from '#shared/bridge/askpass'
import type { HandlersOf } from '#shared/bridge/index'
import { translate } from '#shared/messages/index'
import type { Clock } from '../../core/clock'
import { defineModule, type EventsOf } from '../../core/module'
import type { ShowNotification } from '../../core/notification'
import type { ReportError } from '../../core/report-error'
import type { Keychain } from '../../store/keychain'
import type { Sections } from '../../store/settings'
import { fingerprint, type HostKey } from '../client/host-key'
import { findSsh } from '../launcher/find-program'
import { type AskProgramDeps, createAskProgram } from './ask-program'
import { type Endpoint, openEndpoint } from './endpoint'
import { createPassphrases } from './passphrases'
import { type PromptTarget, readPrompt, shownPath } from './prompts'
import { createQuestions } from './questions'

export interface AskpassDeps extends AskProgramDeps {
  readonly clock: Clock
  readonly keychain: Keychain
  readonly documents: Sections
  readonly showNotification: ShowNotification
  readonly report: ReportError
  /** The machine's own password, where the service reports one. */
  password(account: AccountId, machine: string): string | null
  /** Paths of the keys that ssh may ask for. */
  keyPaths(): Promise<readonly string[]>
}

/** One start of ssh that may ask. */
export interface AskingStart extends PromptTarget {
  readonly account: AccountId
  readonly machine: string
  readonly machineName: string
  readonly identityFile: string | null
  /** The keys recorded for the machine by now. */
  hostKeys(): Promise<readonly HostKey[]>
  /** The person has seen it. */
  confirmHostKey(key: HostKey): Promise<void>
  /** Drops them: the person did not confirm the first one. */
  forgetHostKeys(): Promise<void>
  /** Only what is known is answered; the person is asked nothing. */
  readonly isSilent?: boolean
}

/** Answers ssh's questions for passwords and passphrases: from what it knows, else by asking the person. */
export function createAskpass(deps: AskpassDeps) {
  const { clock, report } = deps
  const program = createAskProgram(deps)
  const passphrases = createPassphrases(deps.keychain, deps.documents)
  /** Null: it makes a key. */
  const endpoints = new Map<Endpoint, AccountId | null>()
  /** Those that are being opened. */
  const opening = new Set<{ readonly account: AccountId | null; isOver: boolean }>()
  const questions = createQuestions(clock, ({ account, machine }) =>
    deps.showNotification(
      { title: translate('askpass.notice.title', { machine }), body: translate('askpass.notice.body') },
      { page: 'machines', account },
    ),
  )
  const ssh = () => findSsh(deps.platform, deps.env)

  /** How the questions of one start are answered. */
  function answersOf(start: AskingStart, isFirstContact: boolean) {
    const { account, machine, machineName, user } = start
    const asked = new Set<string>()
    let wasGiven = false
    let isRefused = false
    const first = (key: string): boolean => {
      const isFirst = !asked.has(key)
      asked.add(key)
      return isFirst
    }
    const ask = async (kind: AskpassQuestion['kind'], subject: string, isAgain: boolean, gone: AbortSignal) =>
      start.isSilent
        ? null
        : questions.ask({ ...{ account, machine: machineName, kind, subject, isAgain } }, gone)

    /** A key is recorded unseen: a machine that took over the address would get the password. */
    async function confirms(gone: AbortSignal): Promise<boolean> {
      if (start.isSilent) return false
      const keys = await start.hostKeys()
      const key = keys.find(({ isUnseen }) => isUnseen) ?? keys[0]
      if (key === undefined || (await ask('first-contact', fingerprint(key), false, gone)) === null) {
        await start.forgetHostKeys()
        return false
      }
      const { type, blob } = key
      await start.confirmHostKey({ type, blob }).catch((error: unknown) => report('askpass', error))
      return true
    }

    async function passphrase(path: string, gone: AbortSignal): Promise<string | null> {
      const isFirst = first(path)
      if (isFirst) {
        const kept = await passphrases.read(path)
        if (kept !== null) return kept
      } else await passphrases.drop(path).catch((error: unknown) => report('askpass', error))
      const answer = await ask('passphrase', path, !isFirst, gone)
      if (answer === null) return null
      await passphrases
        .keep(path, answer.text, answer.keep)
        .catch((error: unknown) => report('askpass', error))
      return answer.text
    }

    return async (prompt: string, gone: AbortSignal): Promise<string | null> => {
      const read = readPrompt(prompt, start)
      if (read.kind === 'refused') return null
      if (read.kind === 'password') {
        // Given once: a second question means that it was not accepted.
        const own = wasGiven ? null : deps.password(account, machine)
        const isAgain = wasGiven
        wasGiven = true
        if (own !== null && (!isFirstContact || (await confirms(gone)))) return own
        isRefused ||= own !== null
        if (isRefused) return null
        return (await ask('password', `${user}@${machineName}`, isAgain, gone))?.text ?? null
      }
      if (read.kind === 'passphrase') {
        const paths = new Set([
          ...(start.identityFile === null ? [] : [start.identityFile]),
          ...(await deps.keyPaths()),
        ])
        const [path, ...others] = [...paths].filter((one) => shownPath(one) === read.path)
        if (path !== undefined && others.length === 0) return passphrase(path, gone)
      }
      const text = read.kind === 'other' ? read.text : prompt
      return (await ask('other', text, !first(text), gone))?.text ?? null
    }
  }

  async function open(
    account: AccountId | null,
    answer: (prompt: string, gone: AbortSignal) => Promise<string | null>,
  ): Promise<Endpoint | null> {
    const one = { account, isOver: false }
    opening.add(one)
    try {
      if ((await program.asks(await ssh())) !== 'window') return null
      const env = await program.environment()
      const endpoint = await openEndpoint({ clock, answer, closed: () => endpoints.delete(endpoint) })
      endpoints.set(endpoint, account)
      if (one.isOver) endpoint.close()
      return { env: { ...env, ...endpoint.env }, close: endpoint.close }
    } finally {
      opening.delete(one)
    }
  }

  const handlers: HandlersOf<typeof askpassCalls> = {
    'askpass.questions': questions.list,
    'askpass.answer': ({ id, answer, keep }) => questions.settle(id, { text: answer, keep }),
    'askpass.cancel': ({ id }) => questions.settle(id, null),
    'askpass.forget': passphrases.forget,
    'askpass.state': async () => {
      const path = await ssh()
      return {
        kept: passphrases.count(),
        version: path === null ? null : await program.version(path),
        asks: await program.asks(path),
      }
    },
  }
  function closeAll(isOver: (account: AccountId | null) => boolean): void {
    for (const one of opening) one.isOver ||= isOver(one.account)
    endpoints.forEach((account, endpoint) => {
      if (isOver(account)) endpoint.close()
    })
  }
  const events: EventsOf<typeof askpassEvents> = { 'askpass.changed': questions.onChange }
  return defineModule({
    handlers,
    events,
    /** What ssh asks for one of its machines is not asked any more. */
    forgetAccount: (account: AccountId): void => closeAll((one) => one === account),
    /**
     * Where one start of ssh asks, for its environment; null where its questions stay in the terminal: an OpenSSH
     * before 8.5, Windows, or a program of the person's own. Never fails.
     */
    async listen(start: AskingStart): Promise<Endpoint | null> {
      try {
        const keys = await start.hostKeys()
        const isFirstContact = keys.length === 0 || keys.some(({ isUnseen }) => isUnseen)
        return await open(start.account, answersOf(start, isFirstContact))
      } catch (error) {
        report('askpass', error)
        return null
      }
    },
    /** As `listen`, for ssh-keygen: it asks for the new passphrase twice. */
    listenForNewKey: (passphrase: string): Promise<Endpoint | null> =>
      open(null, (prompt) => Promise.resolve(/^Enter (?:same )?passphrase/.test(prompt) ? passphrase : null)),
    close(): void {
      questions.close()
      closeAll(() => true)
      passphrases.clear()
    },
  })
}
export type Askpass = ReturnType<typeof createAskpass>
