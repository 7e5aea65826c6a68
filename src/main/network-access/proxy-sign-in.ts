import { z } from 'zod'
import type { NetworkAccessView } from '#shared/bridge/network-access'
import type { Clock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import type { Keychain } from '../store/keychain'
import type { ProxyCredential } from './proxy-config'

/** Sign-in that a proxy requests. `tried`: credential that it just refused. */
export interface ProxyChallenge {
  /** host:port */
  readonly proxy: string
  readonly realm: string
  readonly tried: ProxyCredential | null
}

interface Question {
  readonly shown: NonNullable<NetworkAccessView['question']>
  readonly answered: Promise<ProxyCredential | null>
  answer(credential: ProxyCredential | null): void
}

const StoredCredential = z.object({ username: z.string(), password: z.string() })

export interface ProxySignInDeps {
  readonly keychain: Pick<Keychain, 'read' | 'write' | 'remove'>
  environmentCredential(proxy: string): ProxyCredential | null
  readonly changed: () => void
  readonly now: Clock['now']
  readonly report: ReportError
}

/** Finds the credential for a proxy: known, stored in the keychain, or asked once for all requests. */
export function createProxySignIn({
  keychain,
  environmentCredential,
  changed,
  now,
  report,
}: ProxySignInDeps) {
  const known = new Map<string, ProxyCredential>()
  const declined = new Set<string>()
  /** Proxies that refused a known credential. It is not sent again, since directories lock accounts. */
  const refused = new Set<string>()
  const questions = new Map<string, Question>()
  let answeredAt = 0
  const entryOf = (proxy: string): string => `proxy/${proxy}`

  async function readStored(proxy: string): Promise<ProxyCredential | null> {
    try {
      const secret = await keychain.read(entryOf(proxy))
      return secret === undefined ? null : StoredCredential.parse(JSON.parse(secret))
    } catch {
      // The keychain is closed or the entry is malformed. The user has to sign in.
      return null
    }
  }

  function ask(proxy: string, realm: string, refused: boolean): Promise<ProxyCredential | null> {
    const question = questions.get(proxy)
    if (question) return question.answered
    let resolveAnswer: (credential: ProxyCredential | null) => void = () => undefined
    const answered = new Promise<ProxyCredential | null>((resolve) => (resolveAnswer = resolve))
    questions.set(proxy, {
      shown: { proxy, realm, refused },
      answered,
      answer(credential) {
        questions.delete(proxy)
        answeredAt = now()
        resolveAnswer(credential)
      },
    })
    changed()
    return answered
  }

  return {
    /** Returns when the last question was answered (epoch seconds); Infinity while one is open. */
    heldUntil: (): number => (questions.size > 0 ? Infinity : answeredAt),
    question: () => [...questions.values()][0]?.shown ?? null,
    signIns: () =>
      [...new Set([...known.keys(), ...declined])].map((proxy) => ({
        proxy,
        username: known.get(proxy)?.username ?? null,
      })),
    /** Returns the credential to send; null for none. May wait for the user. */
    async credentials({ proxy, realm, tried }: ProxyChallenge): Promise<ProxyCredential | null> {
      const current = known.get(proxy)
      // Another request has got a newer credential.
      if (current && current !== tried) return current
      if (tried !== null) {
        refused.add(proxy)
        known.delete(proxy)
      }
      const candidate = refused.has(proxy)
        ? null
        : (environmentCredential(proxy) ?? (await readStored(proxy)))
      if (candidate && !refused.has(proxy)) {
        // All requests share one object, by which they recognize a newer credential.
        const shared = known.get(proxy) ?? candidate
        known.set(proxy, shared)
        changed()
        return shared
      }
      return declined.has(proxy) ? null : ask(proxy, realm, refused.has(proxy))
    },
    /** Opens the question without a waiting request. */
    reopen(proxy: string): void {
      declined.delete(proxy)
      void ask(proxy, '', false)
    },
    async signIn(proxy: string, credential: ProxyCredential, remember: boolean): Promise<void> {
      known.set(proxy, credential)
      declined.delete(proxy)
      refused.delete(proxy)
      questions.get(proxy)?.answer(credential)
      changed()
      const writing = remember
        ? keychain.write(entryOf(proxy), JSON.stringify(credential))
        : keychain.remove(entryOf(proxy))
      // Without the keychain the credential lasts until the application quits.
      await writing.catch((error: unknown) => report('networkAccess.keep', error))
    },
    decline(proxy: string): void {
      declined.add(proxy)
      questions.get(proxy)?.answer(null)
      changed()
    },
    async signOut(proxy: string): Promise<void> {
      await keychain.remove(entryOf(proxy))
      known.delete(proxy)
      declined.delete(proxy)
      refused.delete(proxy)
      changed()
    },
    close(): void {
      for (const question of questions.values()) question.answer(null)
    },
  }
}
