import { describe, expect, it } from 'vitest'
import type { HostKey } from '../../ssh/client/host-key'
import type { ConnectionOutcome } from '../../ssh/client/target'
import { fakeClock } from '../../../../test/fixtures/fake-clock'
import { fakeNetwork } from '../../../../test/fixtures/fake-network'
import { machineWatch } from './machine-watch'

const key: HostKey = { type: 'ssh-ed25519', blob: 'AAAA' }

/** A watch that was offered an unknown host key; what is recorded is written once `written` is called. */
async function firstContact() {
  let opened = 0
  let written = (): void => undefined
  let shown = (): void => undefined
  const isAsked = new Promise<void>((resolve) => (shown = resolve))
  const watch = machineWatch({
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
      if (watch.link().kind === 'host-key-unknown') shown()
    },
    read: () => undefined,
    clock: fakeClock(0),
    network: fakeNetwork(),
    random: () => 0.5,
    report: (action, error) => expect.fail(`${action}: ${String(error)}`),
  })
  watch.connect()
  await isAsked
  const link = watch.link()
  if (link.kind !== 'host-key-unknown') expect.fail(link.kind)
  const { fingerprint } = link
  return { watch, fingerprint, opened: () => opened, written: () => written() }
}

describe('a host key that the person accepts', () => {
  it('is recorded, then the connection is made', async () => {
    const { watch, fingerprint, written } = await firstContact()
    const trusted = watch.trust(fingerprint)
    expect(watch.link().kind).toBe('host-key-unknown')
    written()
    expect(await trusted).toBe(true)
    expect(watch.link().kind).toBe('connecting')
  })

  it('leads to no connection where the machine is watched no more once it is recorded', async () => {
    const { watch, fingerprint, opened, written } = await firstContact()
    const trusted = watch.trust(fingerprint)
    watch.close()
    written()
    expect(await trusted).toBe(true)
    expect(watch.link().kind).not.toBe('connecting')
    watch.connect()
    expect(watch.link().kind).not.toBe('connecting')
    expect(opened()).toBe(1)
  })
})

describe('an attempt to connect that fails', () => {
  /** A watch whose first attempt waits until `fail` is called; `reported` collects what it reports. */
  function failingAttempt() {
    let fail = (): void => undefined
    let settle = (): void => undefined
    const isSettled = new Promise<void>((resolve) => (settle = resolve))
    const reported: unknown[] = []
    const watch = machineWatch({
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
      read: () => undefined,
      clock: fakeClock(0),
      network: fakeNetwork(),
      random: () => 0.5,
      report: (_, error) => reported.push(error),
    })
    watch.connect()
    return { watch, reported, fail: () => (fail(), isSettled) }
  }

  it('is reported, and tried again later', async () => {
    const { watch, reported, fail } = failingAttempt()
    await fail()
    expect(reported).toEqual([new Error('the folder is gone')])
    expect(watch.link()).toMatchObject({ kind: 'waiting', reason: 'the folder is gone' })
  })

  it('is not reported once the watch is closed', async () => {
    const { watch, reported, fail } = failingAttempt()
    watch.close()
    await fail()
    expect(reported).toEqual([])
  })
})
