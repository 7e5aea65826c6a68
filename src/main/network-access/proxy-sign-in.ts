import { z } from 'zod'
import type { NetworkAccessView } from '#shared/bridge/network-access'
import type { Clock } from '../core/clock'
import type { ReportError } from '../core/report-error'
import type { Keychain } from '../store/keychain'
import type { ProxyCredential } from './proxy-config'

/** A proxy that wants a sign-in; `tried`: what it has just refused. */
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

const Kept = z.object({ username: z.string(), password: z.string() })

export interface ProxySignInDeps {
  readonly keychain: Pick<Keychain, 'read' | 'write' | 'remove'>
  /** Names the credential of the environment's proxy. */
  given(proxy: string): ProxyCredential | null
  readonly changed: () => void
  readonly now: Clock['now']
  readonly report: ReportError
}

/** Who signs in to which proxy: known, kept in the keychain, or asked once for any number of requests. */
export function createProxySignIn({ keychain, given, changed, now, report }: ProxySignInDeps) {
  const known = new Map<string, ProxyCredential>()
  const declined = new Set<string>()
  /** Proxies that refused what was known: it is not sent again, as a directory locks accounts after a few. */
  const refused = new Set<string>()
  const questions = new Map<string, Question>()
  let answeredAt = 0
  const entryOf = (proxy: string): string => `proxy/${proxy}`

  async function kept(proxy: string): Promise<ProxyCredential | null> {
    try {
      const secret = await keychain.read(entryOf(proxy))
      return secret === undefined ? null : Kept.parse(JSON.parse(secret))
    } catch {
      // A keychain that is closed, or an entry of another make: the person is asked.
      return null
    }
  }

  function ask(proxy: string, realm: string, refused: boolean): Promise<ProxyCredential | null> {
    const open = questions.get(proxy)
    if (open) return open.answered
    let settle: (credential: ProxyCredential | null) => void = () => undefined
    const answered = new Promise<ProxyCredential | null>((resolve) => (settle = resolve))
    questions.set(proxy, {
      shown: { proxy, realm, refused },
      answered,
      answer(credential) {
        questions.delete(proxy)
        answeredAt = now()
        settle(credential)
      },
    })
    changed()
    return answered
  }

  return {
    /** Until when the person was asked, epoch seconds; Infinity while that is so. */
    heldUntil: (): number => (questions.size > 0 ? Infinity : answeredAt),
    question: () => [...questions.values()][0]?.shown ?? null,
    signIns: () =>
      [...new Set([...known.keys(), ...declined])].map((proxy) => ({
        proxy,
        username: known.get(proxy)?.username ?? null,
      })),
    /** What to send; null: no sign-in. Waits for the person. */
    async credentials({ proxy, realm, tried }: ProxyChallenge): Promise<ProxyCredential | null> {
      const before = known.get(proxy)
      // Another request asked for it in between.
      if (before && before !== tried) return before
      if (tried !== null) {
        refused.add(proxy)
        known.delete(proxy)
      }
      const found = refused.has(proxy) ? null : (given(proxy) ?? (await kept(proxy)))
      if (found && !refused.has(proxy)) {
        // One for all requests, which see by it whether another has a newer one.
        const one = known.get(proxy) ?? found
        known.set(proxy, one)
        changed()
        return one
      }
      return declined.has(proxy) ? null : ask(proxy, realm, refused.has(proxy))
    },
    /** Opens the question although no request waits. */
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
      const keeping = remember
        ? keychain.write(entryOf(proxy), JSON.stringify(credential))
        : keychain.remove(entryOf(proxy))
      // Without a keychain it is known until the application quits.
      await keeping.catch((error: unknown) => report('networkAccess.keep', error))
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
