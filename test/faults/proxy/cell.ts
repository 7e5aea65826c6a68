import { Failure, failureOf } from '#shared/failure'
import type { Subjects } from './calls'
import { type Breakage, createClient } from './client'
import type { FaultProxy } from './fault-proxy'
import type { NamedCall } from './kinds'
import type { Expected, Fault, Outcome, Result } from './wire'
import type { SessionTokens, WireCredential } from '../../../src/main/service/login'

/** Shared data of all cells. */
export interface Matrix {
  readonly proxy: FaultProxy
  readonly wireCredential: WireCredential
  readonly tokens: SessionTokens
  readonly subjects: Subjects
  /** Secrets that no failure may contain. */
  readonly secrets: readonly string[]
  /** Result of each call without a fault, by name. */
  readonly good: ReadonlyMap<string, string>
  readonly broken?: Breakage
}

export interface Cell {
  /** The kind of the failure or the part of the answer that was read, and the number of requests if it is not one. */
  readonly outcome: Outcome
  /** Problems; empty if there are none. */
  readonly problems: readonly string[]
}

/** Returns the identity of a value: its content in order, without numbers that change every second. */
const identifying = [
  'items',
  'products',
  'id',
  'region_id',
  'volume_id',
  'name',
  'display_name',
  'currency',
  'cpu',
  'memory',
  'disk',
  'network',
  'unit',
]
export const gistOf = (value: unknown): string => JSON.stringify(value, identifying) ?? 'nothing'

const outcomeOf = (result: Result, requests: number): Outcome =>
  requests === 1 ? result : `${result} ×${requests}`

const expectedOf = (expected: Outcome | Expected, { name, kind, capability }: NamedCall): Outcome => {
  if (typeof expected === 'string') return expected
  return expected[name] ?? (capability ? expected.capability : undefined) ?? expected[kind] ?? expected.all
}

const countOf = (list: readonly string[], one: string | undefined): number =>
  list.filter((other) => other === one).length

let opened = 0

/** Runs one call at one fault, and then without a fault. */
export async function runCell(matrix: Matrix, fault: Fault, call: NamedCall): Promise<Cell> {
  const { proxy, wireCredential, tokens, subjects, secrets, good, broken } = matrix
  const way = proxy.openWay(`cell-${String((opened += 1))}`)
  const client = createClient({ proxy, way, wireCredential, tokens, ...(broken && { broken }) })
  const { session, hold, clock, sent, signedInWith } = client
  const problems: string[] = []
  const attempt = async (): Promise<{ readonly value: unknown } | { readonly failure: Failure }> => {
    try {
      return { value: await call.run(client, subjects) }
    } catch (error) {
      return { failure: failureOf(error, 'an error that is no failure') }
    }
  }

  way.fault = fault
  const met = await attempt()
  const changes = call.kind === 'change' || call.kind === 'silent'
  const result: Result =
    'failure' in met ? met.failure.kind : gistOf(met.value) === good.get(call.name) ? 'whole' : 'readable'
  const outcome = outcomeOf(result, sent.length)
  const expected = expectedOf(fault.expected, call)
  if (outcome !== expected) problems.push(`${outcome}, expected ${expected}`)
  if ('failure' in met) {
    if (!Failure.safeParse(met.failure).success || met.failure.kind === 'local-fault')
      problems.push(`no failure of the closed set: ${JSON.stringify(met.failure)}`)
    const text = JSON.stringify(met.failure)
    if (secrets.some((secret) => text.includes(secret))) problems.push('the failure holds a secret')
  }
  if (way.astray() > 0) problems.push('another host was asked')
  if (changes && countOf(way.passed, sent[0]) > 1) problems.push('the service acted on the change twice')

  // Nothing is sent during the service's pause.
  const asked = sent.length
  if (hold.shown() !== null && call.kind !== 'signIn') {
    const held = await attempt()
    if (!('failure' in held) || held.failure.kind !== 'rate-limited' || sent.length !== asked)
      problems.push('a request was sent in a pause')
  }
  way.fault = null
  clock.advance(901)
  // A step for the user, without a restart.
  if (session.shown().state === 'signed-out')
    await session.signIn(signedInWith, true).catch(() => problems.push('no sign-in'))
  const before = sent.length
  const next = await attempt()
  if ('failure' in next) problems.push(`not recovered: ${next.failure.kind}`)
  else if (gistOf(next.value) !== good.get(call.name)) problems.push('recovered with another answer')
  const most = call.kind === 'paging' ? Infinity : 1
  if (sent.length - before > most) problems.push(`${String(sent.length - before)} requests to recover`)
  return { outcome, problems }
}
