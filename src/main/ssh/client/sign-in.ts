import type {
  AnyAuthMethod,
  AuthHandlerMiddleware,
  KeyboardInteractiveAuthMethod,
  NextAuthHandler,
} from 'ssh2'
import type { Subscribe } from '#shared/emitter'
import type { Clock } from '../../core/clock'
import type { HostKey } from './host-key'
import type { AskPassphrase } from './locked-key'
import type { OfferedKey } from './offered-keys'

/** Question of a machine by keyboard-interactive (RFC 4256). Every text may be hostile. */
export interface MachinePrompt {
  readonly name: string
  readonly instruction: string
  readonly prompt: string
  /** The input need not be hidden. */
  readonly isEchoed: boolean
}

/** Answers of the user. Null or false: no answer. Never reject. */
export interface SignInAnswers {
  /** Asks whether the user trusts this host key. */
  confirms(key: HostKey): Promise<boolean>
  password(): Promise<string | null>
  readonly passphrase: AskPassphrase
  prompt(prompt: MachinePrompt): Promise<string | null>
  /** A question begins to wait for its answer (true), or has been answered (false). */
  readonly onAsk: Subscribe<boolean>
  readonly clock: Clock
}

/** Why a sign-in ends early: the machine is too slow, it breaks the protocol, or there is nothing left to offer. */
export type SignInEnd = 'late' | 'broken' | 'refused'

export interface SignInDeps {
  readonly user: string
  readonly keys: readonly OfferedKey[]
  /** Keys recorded for the machine. */
  readonly known: readonly HostKey[]
  readonly asks: SignInAnswers
  /** Time limit for the machine, from the start and after each answer. */
  readonly seconds: number
  /** Host key that the machine has proven to hold. */
  hostKey(): HostKey | undefined
  /** Closes the connection. */
  end(why: SignInEnd): void
}

/** Questions for one password, as with OpenSSH (ssh_config(5), NumberOfPasswordPrompts). */
const maxAttempts = 3
/** Prompts that a machine may show at once. */
const maxPrompts = 20

/**
 * Signs in in OpenSSH's order: keys, keyboard-interactive, password. The machine's time stops while the user answers;
 * anything that it sends in that time ends the sign-in. Sends no input of the user before they have seen the host key.
 */
export function createSignIn(deps: SignInDeps) {
  const { user: username, asks, known } = deps
  let { seconds } = deps
  const methods = deps.keys.map(({ method }) => method)
  let prompted = 0
  let passwords = 0
  let hasPrompted = false
  /** ssh2 doesn't report the remaining methods while it offers an agent's keys. */
  let isListOld = false
  let isConfirmed: boolean | undefined
  let isAsking = false
  let isAnswering = false
  let isOver = false
  let cancel = (): void => undefined
  let stopListening = (): void => undefined

  function close(): void {
    isOver = true
    cancel()
    stopListening()
  }
  function end(why: SignInEnd): void {
    if (isOver) return
    close()
    deps.end(why)
  }
  function wait(): void {
    cancel()
    if (!isOver) cancel = asks.clock.after(seconds, () => end('late'))
  }
  stopListening = asks.onAsk((isOpen) => {
    isAsking = isOpen
    if (isOpen) cancel()
    else wait()
  })
  wait()

  const isSeen = ({ type, blob }: HostKey): boolean =>
    known.some((key) => key.type === type && key.blob === blob && !key.isUnseen)
  async function confirmed(): Promise<boolean> {
    const key = deps.hostKey()
    return key !== undefined && (isSeen(key) || asks.confirms(key))
  }
  /** Asks all questions; null if an answer is missing, or the machine no longer waits for them. */
  async function answered(
    questions: readonly (() => Promise<string | null>)[],
  ): Promise<readonly string[] | null> {
    isAnswering = true
    const answers: string[] = []
    try {
      if (questions.length > 0) isConfirmed ??= await confirmed()
      for (const ask of questions) {
        const answer = isConfirmed && !isOver ? await ask() : null
        if (answer === null) return null
        answers.push(answer)
      }
      return isOver ? null : answers
    } finally {
      isAnswering = false
    }
  }

  const prompt: KeyboardInteractiveAuthMethod['prompt'] = (name, instruction, _language, prompts, finish) => {
    if (isOver) return
    if (isAsking || isAnswering || prompts.length > maxPrompts) return end('broken')
    hasPrompted = true
    const questions = prompts.map(
      ({ prompt: text, echo }) =>
        () =>
          asks.prompt({ name, instruction, prompt: text, isEchoed: echo ?? false }),
    )
    void answered(questions).then((answers) => (answers ? finish([...answers]) : end('refused')))
  }

  /** Returns the next method to try; null: none is left. */
  async function next(left: readonly string[] | null): Promise<AnyAuthMethod | null> {
    // Reports the server's methods and costs no attempt (RFC 4252 §5.2).
    if (left === null) return { type: 'none', username }
    const key = left.includes('publickey') ? methods.shift() : undefined
    if (key) return key
    // Tried again only if the machine asked anything the first time.
    const mayPrompt = prompted === 0 || (hasPrompted && prompted < maxAttempts)
    if (left.includes('keyboard-interactive') && mayPrompt) {
      prompted += 1
      return { type: 'keyboard-interactive', username, prompt }
    }
    if (left.includes('password') && passwords < maxAttempts) {
      passwords += 1
      const [password] = (await answered([asks.password])) ?? []
      return password === undefined ? null : { type: 'password', username, password }
    }
    return isListOld ? { type: 'none', username } : null
  }

  async function go(left: readonly string[] | null, send: NextAuthHandler): Promise<void> {
    const method = await next(left)
    if (isOver) return
    if (method === null) return end('refused')
    isListOld = method.type === 'agent'
    send(method)
  }

  /** `left`: the methods that the server accepts; null at first. */
  const authHandler: AuthHandlerMiddleware = (left: readonly string[] | null, _isPartial, send) => {
    if (isOver) return
    if (isAsking || isAnswering) return end('broken')
    void go(left, send)
  }
  return {
    authHandler,
    close,
    /** Sets the machine's time limit in seconds, and starts counting again. */
    extend(next: number): void {
      seconds = next
      if (!isAsking) wait()
    },
  }
}
