import type { AccountId } from '#shared/bridge/account'
import type { askpassCalls, askpassEvents, AskpassQuestion } from '#shared/bridge/askpass'
import type { HandlersOf } from '#shared/bridge/index'
import { translate } from '#shared/messages/index'
import type { Clock } from '../../core/clock'
import { defineModule, type EventsOf } from '../../core/module'
import type { ShowNotification } from '../../core/notification'
import { createQuestions } from '../../core/questions'
import type { Keychain } from '../../store/keychain'
import type { Sections } from '../../store/settings'
import { fingerprint, type HostKey } from '../client/host-key'
import { findSsh } from '../launcher/find-program'
import { type Answer, type AnswerDeps, answersOf, type AskingStart } from './answers'
import { type AskProgramDeps, createAskProgram } from './ask-program'
import { type ClientAnswers, createClientAnswers } from './client-answers'
import { type Endpoint, type Question, openEndpoint } from './endpoint'
import { createPassphrases } from './passphrases'
import { readPrompt, shownPath } from './prompts'

/** Time to answer; sshd ends a sign-in after 120 seconds by default. */
const questionTimeoutSeconds = 115

export interface AskpassDeps extends AskProgramDeps, Pick<AnswerDeps, 'password' | 'report'> {
  readonly clock: Clock
  readonly keychain: Keychain
  readonly documents: Sections
  readonly showNotification: ShowNotification
  /** Paths of the keys that ssh may ask for. */
  keyPaths(): Promise<readonly string[]>
}

/** A machine or jump host without a recorded key. `address`: host:port. */
interface NewHost {
  readonly account: AccountId
  readonly machineName: string
  readonly address: string
}

type AnswerParts = AskpassDeps & Pick<AnswerDeps, 'questions' | 'passphrases'>

/** Returns a function that answers the questions of one start of ssh; null: no answer. */
function promptAnswers(deps: AnswerParts, start: AskingStart) {
  const answers = answersOf(deps, start)
  /** Confirms the host key: a machine that took over the address must not get the password. */
  async function confirms(gone: AbortSignal): Promise<boolean> {
    const keys = await start.hostKeys()
    const unseen = keys.find(({ isUnseen }) => isUnseen)
    return (keys.length > 0 && !unseen) || answers.confirms(unseen, gone)
  }
  /** The key file that a passphrase prompt names; undefined if it is unknown or ambiguous. */
  async function keyPathOf(path: string): Promise<string | undefined> {
    const paths = new Set([
      ...(start.identityFile === null ? [] : [start.identityFile]),
      ...(await deps.keyPaths()),
    ])
    const [match, ...further] = [...paths].filter((candidate) => shownPath(candidate) === path)
    return further.length === 0 ? match : undefined
  }

  return async ({ prompt, asker, isNotice }: Question, gone: AbortSignal): Promise<string | null> => {
    if (isNotice) {
      await answers.touch(prompt, gone)
      return null
    }
    const read = readPrompt(prompt, start)
    if (read.kind === 'refused') return null
    // ssh accepts only a key with this fingerprint.
    if (read.kind === 'new-host') return (await answers.newHost(read, gone)) ? read.fingerprint : null
    if (read.kind === 'password') return answers.password(gone, () => confirms(gone))
    const path = read.kind === 'passphrase' ? await keyPathOf(read.path) : undefined
    if (path !== undefined) return answers.passphrase(path, gone, asker)
    const from = read.kind === 'other' ? read.from : undefined
    return answers.other(prompt, gone, from === undefined ? {} : { from })
  }
}

/** Answers ssh's questions for passwords and passphrases: from stored secrets, else by asking the user. */
export function createAskpass(deps: AskpassDeps) {
  const { clock, report } = deps
  const program = createAskProgram(deps)
  const passphrases = createPassphrases(deps.keychain, deps.documents)
  /** Open endpoints, questions and clients, by their account. Null: creates a key. */
  const open = new Map<{ close(): void }, AccountId | null>()
  /** Endpoints that are being opened. */
  const opening = new Set<{ readonly account: AccountId | null; isOver: boolean }>()
  const questions = createQuestions<AskpassQuestion, Answer>({
    clock,
    timeoutSeconds: questionTimeoutSeconds,
    onQuestion({ account, machine, kind }) {
      const words = kind === 'touch' ? 'askpass.touch' : 'askpass.notice'
      const [title, body] = [translate(`${words}.title`, { machine }), translate(`${words}.body`)]
      deps.showNotification('question', { title, body }, { page: 'machines', account })
    },
  })
  const ssh = () => findSsh(deps.platform, deps.env)

  async function openFor(
    account: AccountId | null,
    answer: (question: Question, gone: AbortSignal) => Promise<string | null>,
  ): Promise<Endpoint | null> {
    const pending = { account, isOver: false }
    opening.add(pending)
    try {
      if ((await program.asks(await ssh())) !== 'window') return null
      const env = await program.environment()
      const endpoint = await openEndpoint({ clock, answer, closed: () => open.delete(endpoint) })
      open.set(endpoint, account)
      if (pending.isOver) endpoint.close()
      return { ...endpoint, env: { ...env, ...endpoint.env } }
    } finally {
      opening.delete(pending)
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
    for (const pending of opening) pending.isOver ||= isOver(pending.account)
    open.forEach((account, closable) => {
      if (isOver(account)) closable.close()
    })
  }
  const events: EventsOf<typeof askpassEvents> = { 'askpass.changed': questions.onChange }
  return defineModule({
    handlers,
    events,
    /** Stops asking for the account's machines. */
    forgetAccount: (account: AccountId): void => closeAll((owner) => owner === account),
    /**
     * Opens an endpoint for the questions of one start of ssh. Returns null if ssh asks in the terminal instead: OpenSSH
     * before 8.5, Windows, or an askpass program of the user's own. Never fails.
     */
    async listen(start: AskingStart): Promise<Endpoint | null> {
      try {
        return await openFor(start.account, promptAnswers({ ...deps, questions, passphrases }, start))
      } catch (error) {
        report('askpass', error)
        return null
      }
    },
    /** Asks the user whether a host key is trusted, before anything connects. */
    async confirms(
      { account, machineName, address }: NewHost,
      key: HostKey,
      gone: AbortSignal,
    ): Promise<boolean> {
      const closing = new AbortController()
      const closable = { close: () => closing.abort() }
      open.set(closable, account)
      const hostKey = { address, type: key.type }
      const question = { kind: 'new-host' as const, subject: fingerprint(key), isAgain: false, hostKey }
      const until = AbortSignal.any([gone, closing.signal])
      const answer = await questions.ask((id) => ({ id, account, machine: machineName, ...question }), until)
      open.delete(closable)
      return answer !== null
    },
    /** Like `listen`, for a client in this process. It asks in the window on every system. */
    answers(start: AskingStart): ClientAnswers {
      const answers: ClientAnswers = createClientAnswers(
        { ...deps, questions, passphrases, closed: () => open.delete(answers) },
        start,
      )
      open.set(answers, start.account)
      return answers
    },
    /** Like `listen`, for ssh-keygen, which asks for the new passphrase twice. */
    listenForNewKey: (passphrase: string): Promise<Endpoint | null> =>
      openFor(null, ({ prompt }) =>
        Promise.resolve(/^Enter (?:same )?passphrase/.test(prompt) ? passphrase : null),
      ),
    close(): void {
      questions.close()
      closeAll(() => true)
      passphrases.clear()
    },
  })
}
export type Askpass = ReturnType<typeof createAskpass>
