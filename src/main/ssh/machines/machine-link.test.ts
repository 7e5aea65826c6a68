import { describe, expect, it } from 'vitest'
import type { HostKey } from '../client/host-key'
import type { ConnectionOutcome } from '../client/target'
import { fakeClock } from '../../../../test/fixtures/fake-clock'
import { fakeNetwork } from '../../../../test/fixtures/fake-network'
import { machineLink } from './machine-link'

const unused = {
  refused: () => undefined,
  isStartingUp: () => false,
  opened: () => undefined,
  closed: () => undefined,
}

const key: HostKey = { type: 'ssh-ed25519', blob: 'AAAA' }

/** A link that was offered an unknown host key. Recording ends once `written` is called. */
async function firstContact() {
  let opened = 0
  let written = (): void => undefined
  let shown = (): void => undefined
  const isAsked = new Promise<void>((resolve) => (shown = resolve))
  const link = machineLink({
    reach: () =>
      Promise.resolve({
        kind: 'reachable',
        target: { user: 'ubuntu', host: 'example.org', port: 22, known: [], keys: [] },
      }),
    open: (): Promise<ConnectionOutcome> => {
      opened += 1
      return Promise.resolve({ kind: 'host-key-unknown', key })
    },
    record: () => new Promise((resolve) => (written = resolve)),
    trustsFirstKey: () => false,
    changed: () => {
      if (link.link().kind === 'host-key-unknown') shown()
    },
    ...unused,
    clock: fakeClock(0),
    network: fakeNetwork(),
    random: () => 0.5,
    report: (action, error) => expect.fail(`${action}: ${String(error)}`),
  })
  link.connect()
  await isAsked
  const view = link.link()
  if (view.kind !== 'host-key-unknown') expect.fail(view.kind)
  const { fingerprint } = view
  return { link, fingerprint, opened: () => opened, written: () => written() }
}

describe('a host key that the user accepts', () => {
  it('is recorded before the connection opens', async () => {
    const { link, fingerprint, written } = await firstContact()
    const trusted = link.trust(fingerprint)
    expect(link.link().kind).toBe('host-key-unknown')
    written()
    expect(await trusted).toBe(true)
    expect(link.link().kind).toBe('connecting')
  })

  it('opens no connection if the link was closed before the key was recorded', async () => {
    const { link, fingerprint, opened, written } = await firstContact()
    const trusted = link.trust(fingerprint)
    link.close()
    written()
    expect(await trusted).toBe(true)
    expect(link.link().kind).not.toBe('connecting')
    link.connect()
    expect(link.link().kind).not.toBe('connecting')
    expect(opened()).toBe(1)
  })
})

describe('an attempt to connect that fails', () => {
  /** A link whose first attempt waits until `fail` is called; `reported` collects its reports. */
  function failingAttempt() {
    let fail = (): void => undefined
    let settle = (): void => undefined
    const isSettled = new Promise<void>((resolve) => (settle = resolve))
    const reported: unknown[] = []
    const link = machineLink({
      reach: () =>
        new Promise((_, reject) => {
          fail = () => {
            reject(new Error('the folder is gone'))
            setImmediate(settle)
          }
        }),
      open: () => expect.fail('no connection is opened'),
      record: () => expect.fail('no key is recorded'),
      trustsFirstKey: () => false,
      changed: () => undefined,
      ...unused,
      clock: fakeClock(0),
      network: fakeNetwork(),
      random: () => 0.5,
      report: (_, error) => reported.push(error),
    })
    link.connect()
    return { link, reported, fail: () => (fail(), isSettled) }
  }

  it('is reported, and tried again later', async () => {
    const { link, reported, fail } = failingAttempt()
    await fail()
    expect(reported).toEqual([new Error('the folder is gone')])
    expect(link.link()).toMatchObject({ kind: 'waiting', reason: 'the folder is gone' })
  })

  it('is not reported once the link is closed', async () => {
    const { link, reported, fail } = failingAttempt()
    link.close()
    await fail()
    expect(reported).toEqual([])
  })
})

it('a server that refuses the address is tried again only after its time', async () => {
  let opened = 0
  let shown = (): void => undefined
  const clock = fakeClock(0)
  const link = machineLink({
    reach: () =>
      Promise.resolve({
        kind: 'reachable',
        target: { user: 'ubuntu', host: 'example.org', port: 22, known: [key], keys: [] },
      }),
    open: (): Promise<ConnectionOutcome> => {
      opened += 1
      return Promise.resolve({ kind: 'refused-for-a-while', seconds: 60 })
    },
    record: () => Promise.resolve(),
    trustsFirstKey: () => false,
    changed: () => {
      if (link.link().kind === 'waiting') shown()
    },
    ...unused,
    clock,
    network: fakeNetwork(),
    random: () => 0.5,
    report: (action, error) => expect.fail(`${action}: ${String(error)}`),
  })
  const waits = () => new Promise<void>((resolve) => (shown = resolve))
  const first = waits()
  link.connect()
  await first
  expect(link.link()).toEqual({ kind: 'waiting', until: 60, attempts: 1, reason: 'refused-for-a-while' })
  clock.advance(59)
  expect(opened).toBe(1)
  const second = waits()
  clock.advance(1)
  await second
  expect(opened).toBe(2)
  link.close()
})

describe('a banner during a sign-in', () => {
  /** A link whose attempt sends a banner, then waits for `end`. */
  async function withBanner() {
    const clock = fakeClock(0)
    let end: (outcome: ConnectionOutcome) => void = () => undefined
    let begun = (): void => undefined
    const hasBegun = new Promise<void>((resolve) => (begun = resolve))
    const link = machineLink({
      reach: () =>
        Promise.resolve({
          kind: 'reachable',
          target: { user: 'ubuntu', host: 'example.org', port: 22, known: [key], keys: [] },
        }),
      open: ({ banner }) =>
        new Promise((resolve) => {
          end = resolve
          banner?.('Approve at https://example.org')
          begun()
        }),
      record: () => Promise.resolve(),
      trustsFirstKey: () => false,
      changed: () => undefined,
      ...unused,
      clock,
      network: fakeNetwork(),
      random: () => 0.5,
      report: (action, error) => expect.fail(`${action}: ${String(error)}`),
    })
    link.connect()
    await hasBegun
    return { link, clock, end: (outcome: ConnectionOutcome) => end(outcome) }
  }
  const banner = 'Approve at https://example.org'

  it('is shown once the sign-in takes longer than a greeting', async () => {
    const { link, clock } = await withBanner()
    expect(link.link()).toEqual({ kind: 'connecting' })
    clock.advance(2)
    expect(link.link()).toEqual({ kind: 'connecting', banner })
    link.close()
  })

  it('stays visible after a refusal and while waiting for the next attempt', async () => {
    const refused = await withBanner()
    refused.end({ kind: 'key-refused' })
    await expect.poll(() => refused.link.link()).toMatchObject({ kind: 'stopped', banner })
    const late = await withBanner()
    late.end({ kind: 'not-reached', reason: 'ETIMEDOUT' })
    await expect.poll(() => late.link.link()).toMatchObject({ kind: 'waiting', banner })
    late.link.connect()
    expect(late.link.link()).toEqual({ kind: 'connecting' })
    late.link.close()
  })
})
