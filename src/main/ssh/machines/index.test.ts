import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { SshLink } from '#shared/bridge/ssh-link'
import { fakeClock } from '../../../../test/fixtures/fake-clock'
import { filesHarness, ownFolder } from '../../../../test/fixtures/files-harness'
import { account, machine } from '../../../../test/fixtures/ssh-harness'
import { allConsents, sshMachinesOf } from '../../../../test/fixtures/ssh-machines'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../../test/fixtures/tunnels-harness'
import type { ConnectionOutcome, ConnectionTarget } from '../client/target'
import type { SshConnection } from '../client/transport'
import type { SshMachines } from './index'
import type { LeaseUse } from './lease'

/** A lease whose link a test can wait for. */
function lease(machines: SshMachines, changes: Partial<LeaseUse> = {}) {
  const waiting = new Set<() => void>()
  const opened: SshConnection[] = []
  const held = machines.acquire({
    account,
    machine: 'm1',
    purpose: 'action',
    mayAsk: () => true,
    trustsFirstKey: () => true,
    isUrgent: () => false,
    changed: () => waiting.forEach((look) => look()),
    opened: (connection) => void opened.push(connection),
    closed: () => undefined,
    ...changes,
  })
  const until = (kind: SshLink['kind']): Promise<SshLink> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (held.link().kind !== kind) return
        waiting.delete(look)
        resolve(held.link())
      }
      waiting.add(look)
      look()
    })
  const connection = async (): Promise<SshConnection> => {
    await until('connected')
    return held.connection() ?? expect.fail('no connection')
  }
  return { ...held, until, opened, connection }
}

/** Machines that are reached like this. `startedAt`: epoch seconds, on a clock that begins at `now`. */
function machinesAt(
  target: ConnectionTarget,
  { startedAt = 0, now = 1_790_000_000 }: { readonly startedAt?: number; readonly now?: number } = {},
  open?: (target: ConnectionTarget) => Promise<ConnectionOutcome>,
) {
  const clock = fakeClock(now)
  const consents = allConsents()
  const machines = sshMachinesOf({
    consents,
    machine: () => machine({ address: target.host, startedAt }),
    clock,
    ...(open && { open }),
    ssh: {
      reach: () => Promise.resolve({ kind: 'reachable', target }),
      record: () => Promise.resolve(),
    },
  })
  return { clock, machines, consents }
}

describeWith(['sshd'], 'the shared connection of a machine', () => {
  it('stays open for other leases, and for a while after the last one', async () => {
    const { target, log } = await sshdTarget()
    const { machines, clock } = machinesAt(target)
    const [first, second] = [lease(machines), lease(machines)]
    const connection = await first.connection()
    expect(second.connection).toBeDefined()
    first.release()
    expect(await connection.exec('echo still')).toMatchObject({ stdout: 'still\n' })
    second.release()
    expect(machines.openConnections()).toBe(1)
    const third = lease(machines)
    await third.connection()
    third.release()
    clock.advance(30)
    expect(machines.openConnections()).toBe(0)
    expect(log().match(/^Accepted publickey/gm)).toHaveLength(1)
  })

  it('survives a lease whose command hangs, times out or is cancelled', async () => {
    const { target, log } = await sshdTarget()
    const { machines } = machinesAt(target)
    const [first, second] = [lease(machines), lease(machines)]
    const connection = await first.connection()
    const cancelling = new AbortController()
    const hanging = connection.exec('sleep 600', cancelling.signal)
    cancelling.abort(new Error('cancelled'))
    await expect(hanging).rejects.toThrow('cancelled')
    first.release()
    expect(await (await second.connection()).exec('echo fine')).toMatchObject({ stdout: 'fine\n' })
    expect(log().match(/^Accepted publickey/gm)).toHaveLength(1)
  })

  it('opens a second connection for a session that MaxSessions refuses', async () => {
    const { target, log } = await sshdTarget({ MaxSessions: '1' })
    const { machines, clock } = machinesAt(target)
    const held = lease(machines)
    const connection = await held.connection()
    const browsing = await connection.sftp()
    onTestFinished(() => void browsing.destroy())
    expect(await connection.exec('echo beside')).toMatchObject({ stdout: 'beside\n' })
    expect(await connection.exec('echo again')).toMatchObject({ stdout: 'again\n' })
    expect(log().match(/^Accepted publickey/gm)).toHaveLength(2)
    browsing.destroy()
    clock.advance(30)
    await expect
      .poll(() => log().match(/Connection closed|Disconnected|disconnect/gi)?.length ?? 0)
      .toBeGreaterThan(0)
    expect(machines.openConnections()).toBe(1)
  })

  it.each([
    ['SFTP', async (connection: SshConnection) => (await connection.sftp()).destroy()],
    ['a command', async (connection: SshConnection) => connection.exec('true')],
  ])('ends an optional channel for %s that MaxSessions refuses', async (_name, use) => {
    const { target, log } = await sshdTarget({ MaxSessions: '1' })
    const { machines } = machinesAt(target)
    const connection = await lease(machines).connection()
    const { stream } = await connection.pipe('cat', undefined, true)
    await use(connection)
    expect(stream.destroyed).toBe(true)
    await expect(connection.pipe('cat', undefined, true)).rejects.toMatchObject({ kind: 'refused' })
    expect(log().match(/^Accepted publickey/gm)).toHaveLength(1)
  })

  it('serves a reading while a slow upload fills the line', async () => {
    const { target, line, log } = await sshdTarget()
    const files = filesHarness(target)
    await files.look()
    const reading = lease(files.sshMachines, { mayAsk: () => false })
    const connection = await reading.connection()
    const [from, remote] = [ownFolder(), ownFolder()]
    writeFileSync(join(from, 'big'), randomBytes(3 * 1024 * 1024))
    line.slow(4 * 1024 * 1024)
    await files.upload(remote, join(from, 'big'))
    for (const at of [1, 2, 3])
      expect(await connection.exec(`echo ${at}`)).toMatchObject({ stdout: `${at}\n` })
    await files.until('done')
    expect(readFileSync(join(remote, 'big')).equals(readFileSync(join(from, 'big')))).toBe(true)
    expect(log().match(/^Accepted publickey/gm)).toHaveLength(1)
  })
})

const target: ConnectionTarget = { user: 'ubuntu', host: '10.0.0.5', port: 22, known: [], keys: [] }
const unused = (): never => expect.fail('not expected')

/** A connection without a machine, which the test can lose. */
function fakeConnection() {
  let lose: (reason: string) => void = () => undefined
  const connection: SshConnection = {
    exec: unused,
    run: unused,
    pipe: unused,
    shell: unused,
    forward: unused,
    sftp: unused,
    onLost: (listener) => {
      lose = listener
      return () => undefined
    },
    close: () => undefined,
  }
  return { connection, lose: (reason: string) => lose(reason) }
}

it('a machine that started minutes ago is retried after it refused a key, and one success wakes all leases', async () => {
  let isAdmitted = false
  const now = 1_790_000_000
  const { machines, clock } = machinesAt(target, { now, startedAt: now - 60 }, () =>
    Promise.resolve(
      isAdmitted ? { kind: 'connected', connection: fakeConnection().connection } : { kind: 'key-refused' },
    ),
  )
  const [background, waited] = [lease(machines, { mayAsk: () => false }), lease(machines)]
  expect(await background.until('stopped')).toMatchObject({ stop: { kind: 'key-refused' } })
  isAdmitted = true
  clock.advance(20)
  await Promise.all([background.until('connected'), waited.until('connected')])
})

it('a machine that runs for hours is not retried after it refused a key', async () => {
  let attempts = 0
  const { machines, clock } = machinesAt(target, {}, () => {
    attempts += 1
    return Promise.resolve({ kind: 'key-refused' })
  })
  const held = lease(machines)
  await held.until('stopped')
  clock.advance(3_600)
  expect([held.link().kind, attempts]).toEqual(['stopped', 1])
})

it('a server that closes after each session is reconnected after a pause', async () => {
  let attempts = 0
  const { machines, clock } = machinesAt(target, {}, () => {
    attempts += 1
    const { connection, lose } = fakeConnection()
    setImmediate(() => lose('ECONNRESET'))
    return Promise.resolve({ kind: 'connected', connection })
  })
  const held = lease(machines)
  for (let second = 0; second < 90; second += 1) {
    await held.until('waiting')
    clock.advance(1)
  }
  expect(attempts).toBeLessThanOrEqual(5)
})

it('a retry that could lock the user out waits until the penalties expire', async () => {
  let attempts = 0
  const { machines, clock } = machinesAt(target, {}, () => {
    attempts += 1
    return Promise.resolve({ kind: 'key-refused' })
  })
  const held = lease(machines)
  await held.until('stopped')
  held.retry()
  await held.until('stopped')
  held.retry()
  expect(await held.until('waiting')).toMatchObject({ reason: 'over-budget' })
  expect(attempts).toBe(2)
  clock.advance(5)
  await held.until('stopped')
  expect(attempts).toBe(3)
})

it('a lease without consent waits for it, and loses the connection once it is withdrawn', async () => {
  let [attempts, closed] = [0, 0]
  const { machines, consents } = machinesAt(target, {}, () => {
    attempts += 1
    return Promise.resolve({
      kind: 'connected',
      connection: { ...fakeConnection().connection, close: () => void (closed += 1) },
    })
  })
  await consents.answer(account, null, { gpu: false, services: false, files: false })
  const held = lease(machines, { purpose: 'files' })
  const refused = { kind: 'off', why: 'no-consent' }
  held.retry()
  held.update()
  expect([held.link(), attempts]).toEqual([refused, 0])
  await consents.answer(account, 'm2', { files: true })
  await consents.answer(account, 'm1', { gpu: true })
  expect(held.link()).toEqual(refused)

  await consents.answer(account, 'm1', { files: true })
  await held.until('connected')
  expect([attempts, held.opened.length]).toEqual([1, 1])
  await consents.answer(account, 'm1', { files: false })
  expect([held.link(), closed > 0, machines.openConnections()]).toEqual([refused, true, 0])
})

it('a command, transfer or forward needs no consent, and keeps the connection when one is withdrawn', async () => {
  const ended: string[] = []
  const { machines, consents } = machinesAt(target, {}, () =>
    Promise.resolve({ kind: 'connected', connection: fakeConnection().connection }),
  )
  const browsing = lease(machines, { purpose: 'files', closed: () => void ended.push('browsing') })
  const transfer = lease(machines, { closed: () => void ended.push('transfer') })
  await Promise.all([browsing.until('connected'), transfer.until('connected')])
  await consents.answer(account, null, { files: false })
  expect([browsing.link().kind, transfer.link().kind]).toEqual(['off', 'connected'])
  expect(ended).toEqual(['browsing'])
  expect(machines.openConnections()).toBe(1)
  await consents.answer(account, null, { files: true })
  await browsing.until('connected')
  expect(browsing.opened).toHaveLength(2)
})

describeWith(['sshd'], 'an action over a connection that is open already', () => {
  it('opens no connection, and holds an open one until it has ended', async () => {
    const { target } = await sshdTarget()
    const { machines, clock } = machinesAt(target)
    const answer = (connection: SshConnection) => connection.exec('echo here')
    expect(await machines.ifConnected(account, 'm1', answer)).toBeNull()
    expect(machines.openConnections()).toBe(0)
    const held = lease(machines, { purpose: 'gpu', mayAsk: () => false })
    await held.connection()
    const outcome = await machines.ifConnected(account, 'm1', async (connection) => {
      held.release()
      clock.advance(60)
      return answer(connection)
    })
    expect(outcome).toMatchObject({ stdout: 'here\n' })
    clock.advance(60)
    expect(machines.openConnections()).toBe(0)
  })
})
