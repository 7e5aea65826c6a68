import type { AccountId } from '#shared/bridge/account'
import type { askpassCalls, askpassEvents } from '#shared/bridge/askpass'
import type { HandlersOf } from '#shared/bridge/index'
import { translate } from '#shared/messages/index'
import type { Clock } from '../../core/clock'
import { defineModule, type EventsOf } from '../../core/module'
import type { ShowNotification } from '../../core/notification'
import type { Keychain } from '../../store/keychain'
import type { Sections } from '../../store/settings'
import { fingerprint, type HostKey } from '../client/host-key'
import { findSsh } from '../launcher/find-program'
import { type AnswerDeps, answersOf, type AskingStart } from './answers'
import { type AskProgramDeps, createAskProgram } from './ask-program'
import { type ClientAnswers, createClientAnswers } from './client-answers'
import { type Asked, type Endpoint, openEndpoint } from './endpoint'
import { createPassphrases } from './passphrases'
import { readPrompt, shownPath } from './prompts'
import { createQuestions } from './questions'

export interface AskpassDeps extends AskProgramDeps, Pick<AnswerDeps, 'password' | 'report'> {
  readonly clock: Clock
  readonly keychain: Keychain
  readonly documents: Sections
  readonly showNotification: ShowNotification
  /** Paths of the keys that ssh may ask for. */
  keyPaths(): Promise<readonly string[]>
}

/** A machine, or a host on the way to one, that was never connected to. `address`: host:port. */
interface NewHost {
  readonly account: AccountId
  readonly machineName: string
  readonly address: string
}

/** Answers ssh's questions for passwords and passphrases: from what it knows, else by asking the person. */
export function createAskpass(deps: AskpassDeps) {
  const { clock, report } = deps
  const program = createAskProgram(deps)
  const passphrases = createPassphrases(deps.keychain, deps.documents)
  /** What is answered, until it is closed. Null: it makes a key. */
  const open = new Map<{ close(): void }, AccountId | null>()
  /** Those that are being opened. */
  const opening = new Set<{ readonly account: AccountId | null; isOver: boolean }>()
  const questions = createQuestions(clock, ({ account, machine, kind }) => {
    const words = kind === 'touch' ? 'askpass.touch' : 'askpass.notice'
    const [title, body] = [translate(`${words}.title`, { machine }), translate(`${words}.body`)]
    deps.showNotification({ title, body }, { page: 'machines', account })
  })
  const ssh = () => findSsh(deps.platform, deps.env)

  /** How ssh's own questions are answered. */
  function promptAnswers(start: AskingStart) {
    const answers = answersOf({ ...deps, questions, passphrases }, start)
    /** A key is recorded unseen: a machine that took over the address would get the password. */
    async function confirms(gone: AbortSignal): Promise<boolean> {
      const keys = await start.hostKeys()
      const unseen = keys.find(({ isUnseen }) => isUnseen)
      return (keys.length > 0 && !unseen) || answers.confirms(unseen, gone)
    }

    return async ({ prompt, asker, isNotice }: Asked, gone: AbortSignal): Promise<string | null> => {
      if (isNotice) {
        await answers.touch(prompt, gone)
        return null
      }
      const read = readPrompt(prompt, start)
      if (read.kind === 'refused') return null
      // ssh takes the fingerprint that the person saw, and no other key.
      if (read.kind === 'new-host') return (await answers.newHost(read, gone)) ? read.fingerprint : null
      if (read.kind === 'password') return answers.password(gone, () => confirms(gone))
      if (read.kind === 'passphrase') {
        const paths = new Set([
          ...(start.identityFile === null ? [] : [start.identityFile]),
          ...(await deps.keyPaths()),
        ])
        const [path, ...others] = [...paths].filter((one) => shownPath(one) === read.path)
        if (path !== undefined && others.length === 0) return answers.passphrase(path, gone, asker)
      }
      const from = read.kind === 'other' ? read.from : undefined
      return answers.other(prompt, gone, from === undefined ? {} : { from })
    }
  }

  async function openFor(
    account: AccountId | null,
    answer: (asked: Asked, gone: AbortSignal) => Promise<string | null>,
  ): Promise<Endpoint | null> {
    const one = { account, isOver: false }
    opening.add(one)
    try {
      if ((await program.asks(await ssh())) !== 'window') return null
      const env = await program.environment()
      const endpoint = await openEndpoint({ clock, answer, closed: () => open.delete(endpoint) })
      open.set(endpoint, account)
      if (one.isOver) endpoint.close()
      return { ...endpoint, env: { ...env, ...endpoint.env } }
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
    open.forEach((account, answering) => {
      if (isOver(account)) answering.close()
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
        return await openFor(start.account, promptAnswers(start))
      } catch (error) {
        report('askpass', error)
        return null
      }
    },
    /** Whether the person takes this key for the machine's, before anything connects. */
    async confirms(
      { account, machineName, address }: NewHost,
      key: HostKey,
      gone: AbortSignal,
    ): Promise<boolean> {
      const closing = new AbortController()
      const one = { close: () => closing.abort() }
      open.set(one, account)
      const hostKey = { address, type: key.type }
      const question = { kind: 'new-host' as const, subject: fingerprint(key), isAgain: false, hostKey }
      const until = AbortSignal.any([gone, closing.signal])
      const answer = await questions.ask({ account, machine: machineName, ...question }, until)
      open.delete(one)
      return answer !== null
    },
    /** As `listen`, for a client in this process. It asks in the window on every system. */
    answers(start: AskingStart): ClientAnswers {
      const answers: ClientAnswers = createClientAnswers(
        { ...deps, questions, passphrases, closed: () => open.delete(answers) },
        start,
      )
      open.set(answers, start.account)
      return answers
    },
    /** As `listen`, for ssh-keygen: it asks for the new passphrase twice. */
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
