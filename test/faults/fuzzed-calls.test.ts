import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { type CallName, calls, events } from '#shared/bridge/index'
import { Failure, FailureError } from '#shared/failure'
import { createModules } from '../../src/main/app/modules'
import { answerCall } from '../../src/main/desktop/answer-call'
import { openSettings } from '../../src/main/store/settings'
import { deep, seeds } from '../fixtures/counts'
import { fakeClock } from '../fixtures/fake-clock'
import { fuzzedService, knownIds, secret } from '../fixtures/fuzzed-service'
import { memorySecrets } from '../fixtures/memory-secrets'
import { plainHost } from '../fixtures/plain-host'
import { nearValuesOf } from '../fixtures/schema-values'

/** Seconds of the computer's clock after which a call counts as one that hangs. */
const patience = 30

/** Inputs that one main process gets: what they leave behind, as hundreds of accounts, makes each slower than the last. */
const inputsOfOne = 100

/** The whole main process, with a service of which nothing is certain. */
async function begin(service: ReturnType<typeof fuzzedService>) {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-fuzzed-'))
  const clock = fakeClock()
  const problems: string[] = []
  const settings = openSettings(folder)
  const host = plainHost({
    ...{ folder, secrets: memorySecrets(), clock, fetch: service.fetch, target: join(folder, 'saved') },
    report: (action, error) => {
      if (!(error instanceof FailureError)) problems.push(`${action}: ${inspect(error)}`)
    },
  })
  const main = createModules(host, settings)
  const { handlers } = main
  main.forwardEvents((name, payload) => {
    const { error } = events[name].safeParse(payload)
    if (error) problems.push(`the event ${name} does not fit: ${JSON.stringify(error.issues[0])}`)
  })
  await main.modules.store.open()

  /** Why an answer is not as it should be; null where it is. */
  async function problemOf(name: CallName, input: unknown): Promise<string | null> {
    let isAnswered = false
    const answering = answerCall(handlers, name, input).finally(() => {
      isAnswered = true
    })
    const until = performance.now() + patience * 1000
    for (let round = 0; !isAnswered; round += 1) {
      await setImmediate()
      if (round % 20 === 19) clock.advance(1)
      if (performance.now() > until) return 'hangs'
    }
    const answer = await answering
    const [problem] = problems.splice(0)
    if (problem !== undefined || answer.ok) return problem ?? null
    const failure = Failure.parse(answer.failure)
    const text = JSON.stringify(failure)
    const isOurs = failure.kind !== 'local-fault' || failure.action !== name
    return isOurs && !text.includes(secret.slice(0, 6)) ? null : text
  }

  return {
    problemOf,
    async end(): Promise<void> {
      await main.close()
      await settings.close()
      rmSync(folder, { recursive: true, force: true })
    },
    /** The account, signed in again where a call before has ended that. */
    async account(): Promise<string> {
      const { accounts } = await handlers['accounts.list']({})
      const signedIn = accounts.find(({ state }) => state === 'signed-in')
      if (signedIn) return signedIn.id
      service.isFuzzed = false
      const credential = { kind: 'api-token', token: secret } as const
      const baseUrl = 'http://127.0.0.1:1/api/v1'
      const { id } = await handlers['accounts.connect']({ baseUrl, credential, staySignedIn: false })
      service.isFuzzed = true
      return id
    },
  }
}

/** The same with ids that there are, in some of the places where the contract has one. */
function withKnownIds(value: unknown, account: string, seed: number): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown, at) => withKnownIds(inner, account, seed + at))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (typeof inner !== 'string') return [key, withKnownIds(inner, account, seed + key.length)]
      if (key === 'account') return [key, seed % 8 === 0 ? inner : account]
      if (key === 'password' || key === 'token') return [key, secret]
      return [key, knownIds.includes(key) && seed % 4 !== 0 ? `${key}-${String(seed % 3)}` : inner]
    }),
  )
}

const isCall = (name: string): name is CallName => Object.hasOwn(calls, name)
const inputs = new Map(Object.entries(calls).map(([name, { input }]) => [name, input] as const))

it(
  'whatever the window sends, a call answers or fails with a kind of ours that holds no secret',
  async () => {
    const service = fuzzedService(7)
    const wrong: string[] = []
    let tried = 0
    let main = await begin(service)
    for (const [name, input] of inputs) {
      if (!isCall(name)) continue
      const values = nearValuesOf(input)
      let left = deep(6, 1_000)
      while (left > 0) {
        const inputsHere = Math.min(left, inputsOfOne)
        const id = await main.account()
        const { counterexample, errorInstance, numRuns } = await fc.check(
          fc.asyncProperty(values, fc.nat(), async (value, seed) => {
            const problem = await main.problemOf(name, withKnownIds(value, id, seed))
            if (problem !== null) throw new Error(problem)
          }),
          { ...seeds, numRuns: inputsHere, endOnFailure: true },
        )
        tried += numRuns
        left -= inputsHere
        if (errorInstance) wrong.push(`${name}: ${inspect(errorInstance)}\n${inspect(counterexample)}`)
        if (tried % inputsOfOne !== 0) continue
        await main.end()
        main = await begin(service)
      }
      if (tried % 20_000 === 0) console.info(`${String(tried)} inputs tried`)
    }
    await main.end()
    console.info(`${String(tried)} inputs of ${String(inputs.size)} calls tried`)
    expect(wrong.join('\n\n')).toBe('')
  },
  deep(60_000, 3_600_000),
)
