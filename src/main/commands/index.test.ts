import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { AccountsView } from '#shared/bridge/account'
import type { CommandMessage, CommandState } from '#shared/bridge/command'
import { createEmitter } from '#shared/emitter'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { account, machine } from '../../../test/fixtures/ssh-harness'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { transports } from '../../../test/fixtures/system-ssh'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'
import { openConnection } from '../ssh/client/connection'
import type { OpenConnection } from '../ssh/machines/attempts'
import { sshMachinesOf } from '../../../test/fixtures/ssh-machines'
import type { ConnectionTarget } from '../ssh/client/target'
import { createCommands } from './index'

/** Builds commands over `targets`, by machine id, on a stopped clock. */
function setUp(targets: Readonly<Record<string, ConnectionTarget>>, open?: OpenConnection) {
  const clock = fakeClock()
  const accounts = createEmitter<AccountsView>()
  const recorded = new Map<string, ConnectionTarget['known']>()
  const machineOf = (_account: string, id: string) =>
    id === 'off'
      ? machine({ id, status: 'stopped' })
      : targets[id] && machine({ id, address: targets[id].host })
  const sshMachines = sshMachinesOf({
    machine: machineOf,
    clock,
    ...(open && { open }),
    ssh: {
      reach: (_account, id) => {
        const target = targets[id]
        return Promise.resolve(
          target
            ? { kind: 'reachable', target: { ...target, known: recorded.get(id) ?? target.known } }
            : { kind: 'no-address' },
        )
      },
      record: (_account, id, key) => Promise.resolve(void recorded.set(id, [key])),
    },
  })
  const commands = createCommands({
    accounts: { onChange: accounts.on },
    machine: machineOf,
    sshMachines,
    clock,
  })
  onTestFinished(() => commands.close())

  function run(machines: readonly string[], command: string, seconds: 10 | 60 = 60) {
    const closing = new AbortController()
    const states = new Map<string, CommandState>()
    const seen: string[] = []
    const pieces: Extract<CommandMessage, { kind: 'output' }>[] = []
    let wake = (): void => undefined
    const orders: { cancel: string | null }[] = []
    const messages = (async function* () {
      for (;;) {
        const next = orders.shift()
        if (next) yield next
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    })()
    const ended = commands.streams['command.run'](
      { account, machines: [...machines], command, seconds },
      {
        messages,
        signal: closing.signal,
        send(message) {
          if (message.kind === 'output') pieces.push(message)
          else {
            states.set(message.machine, message.state)
            seen.push(`${message.machine} ${message.state.kind}`)
          }
          return Promise.resolve()
        },
      },
    )
    return {
      ended,
      seen,
      pieces,
      close: () => closing.abort(),
      state: (id: string) => states.get(id),
      is: (id: string, kind: CommandState['kind']) =>
        expect.poll(() => states.get(id)?.kind, { timeout: 20_000 }).toBe(kind),
      cancel(id: string | null): void {
        orders.push({ cancel: id })
        wake()
      },
      printed: (id: string, from: 'stdout' | 'stderr' = 'stdout') =>
        pieces
          .filter((one) => one.machine === id && one.from === from)
          .map(({ text }) => text)
          .join(''),
    }
  }
  return { run, clock, commands, recorded }
}
function scratch(name: string): string {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, name)
}

describeWith(['sshd', 'ssh'], 'a command on many machines', () => {
  it('reports the output and outcome of each machine, and why it did not reach others', async () => {
    const { target } = await sshdTarget()
    const other = await sshdTarget()
    const targets = {
      a: target,
      new: { ...target, known: [] },
      changed: { ...target, known: other.target.known },
      nothing: { ...target, port: 1 },
    }
    const { run, recorded } = setUp(targets)
    const execution = run(
      ['a', 'a', 'new', 'changed', 'nothing', 'off', 'deleted'],
      'echo out; echo err >&2; exit 3',
    )
    await execution.ended
    expect([execution.printed('a'), execution.printed('a', 'stderr')]).toEqual(['out\n', 'err\n'])
    expect(execution.seen.filter((one) => one.startsWith('a '))).toEqual([
      'a connecting',
      'a running',
      'a exited',
    ])
    expect(execution.state('a')).toEqual({ kind: 'exited', code: 3 })
    // The command recorded the key without showing it to the user.
    const unseen = target.known.map((key) => ({ ...key, isUnseen: true }))
    expect([execution.state('new'), recorded.get('new')]).toEqual([{ kind: 'exited', code: 3 }, unseen])
    expect(execution.state('changed')).toMatchObject({ kind: 'stopped', stop: { kind: 'host-key-changed' } })
    expect(execution.state('nothing')).toEqual({ kind: 'not-reached', reason: 'ECONNREFUSED' })
    expect(execution.state('off')).toEqual({ kind: 'unavailable', why: 'stopped' })
    expect(execution.state('deleted')).toEqual({ kind: 'unavailable', why: 'gone' })
    const killed = run(['a'], 'kill -9 $$')
    await killed.ended
    expect(killed.state('a')).toEqual({ kind: 'signalled', signal: 'SIGKILL' })
  })

  it.each(transports)('ends on a machine once it is cancelled or exceeds its time: %s', async (transport) => {
    const { target } = await sshdTarget({}, transport)
    const { run, clock } = setUp({ a: target, b: target })
    /** Starts a command that hangs; `processes` resolves to the ids of its two processes. */
    async function hang(machines: readonly string[]) {
      const hanging = run(machines, 'sleep 600 & echo $$ $! .; wait', 10)
      const processes = async (id: string) => {
        await expect.poll(() => hanging.printed(id), { timeout: 20_000 }).toContain('.')
        return hanging.printed(id).match(/\d+/g)?.map(Number) ?? []
      }
      return { ...hanging, processes }
    }
    const gone = (ids: readonly number[]) =>
      expect.poll(() => ids.filter((id) => existsSync(`/proc/${id}`)), { timeout: 20_000 }).toEqual([])
    const slow = await hang(['a', 'b'])
    const [ofA, ofB] = [await slow.processes('a'), await slow.processes('b')]
    expect([ofA.length, ofB.length]).toEqual([2, 2])
    slow.cancel('b')
    await slow.is('b', 'cancelled')
    await gone(ofB)
    expect(slow.state('a')?.kind).toBe('running')
    clock.advance(10)
    await slow.ended
    expect(slow.state('a')).toEqual({ kind: 'timed-out', seconds: 10 })
    await gone(ofA)

    const closed = await hang(['a'])
    const ofClosed = await closed.processes('a')
    closed.close()
    await closed.ended
    await gone(ofClosed)
    // Connections close 30 seconds after their last use.
    clock.advance(30)
    expect(clock.pending()).toBe(0)
  })

  it('sends the first and last of long output, and ends a command that prints endlessly', async () => {
    const { target } = await sshdTarget()
    const { run } = setUp({ a: target })
    const long = run(['a'], 'seq 1 60000')
    await long.ended
    const [first] = long.pieces
    const last = long.pieces.at(-1)
    const whole = Array.from({ length: 60_000 }, (_, at) => `${at + 1}\n`).join('')
    expect([first?.text.slice(0, 4), last?.text.slice(-6)]).toEqual(['1\n2\n', '60000\n'])
    expect(long.printed('a')).toHaveLength(128 * 1024)
    expect(last?.leftOut).toBe(whole.length - 128 * 1024)
    const endless = run(['a'], 'yes')
    await endless.ended
    expect(endless.state('a')).toEqual({ kind: 'printed-too-much', bytes: 64 * 1024 * 1024 })
    expect(endless.printed('a')).toHaveLength(128 * 1024)
  })

  it.each(transports)('reports exit code 255 and a signal: %s', async (transport) => {
    const { target } = await sshdTarget({}, transport)
    const { run } = setUp({ a: target })
    for (const [command, state] of [
      ['exit 255', { kind: 'exited', code: 255 }],
      ['kill -9 $$', { kind: 'signalled', signal: 'SIGKILL' }],
    ] as const) {
      const execution = run(['a'], command)
      await execution.ended
      expect([execution.state('a'), execution.printed('a', 'stderr')]).toEqual([state, ''])
    }
  })

  it('reports that it may still run if the machine does not confirm its end', async () => {
    const { target } = await sshdTarget()
    const { run } = setUp({ a: target }, async (...to) => {
      const outcome = await openConnection(...to)
      if (outcome.kind !== 'connected') return outcome
      const exec = () => Promise.resolve({ kind: 'timed-out' } as const)
      return { ...outcome, connection: { ...outcome.connection, exec } }
    })
    const execution = run(['a'], 'echo .; exec sleep 5')
    await expect.poll(() => execution.printed('a'), { timeout: 20_000 }).toContain('.')
    execution.cancel('a')
    await execution.ended
    expect(execution.state('a')).toEqual({ kind: 'cancelled', mayRun: true })
  })

  it('reports that it may still run if a forced command leads its process group', async () => {
    const ForceCommand = `/bin/sh -c "$SSH_ORIGINAL_COMMAND"; true`
    const { target } = await sshdTarget({ ForceCommand }, 'ssh without sharing')
    const { run } = setUp({ a: target })
    const execution = run(['a'], 'echo .; exec sleep 5')
    await expect.poll(() => execution.printed('a'), { timeout: 20_000 }).toContain('.')
    execution.cancel('a')
    await execution.ended
    expect(execution.state('a')).toEqual({ kind: 'cancelled', mayRun: true })
  })
})

describeWith(['sshd', 'ssh'], 'a command on a slow or lost connection', () => {
  it.each(transports)('never begins after a cancel during a slow login: %s', async (transport) => {
    const [waits, goes, ran] = [scratch('waits'), scratch('goes'), scratch('ran')]
    // The loop also ends when the folder of the test is removed.
    const until = `[ -e ${goes} ] || [ ! -e ${waits} ]`
    const wait = `echo $$ >${waits}.new; mv ${waits}.new ${waits}; until ${until}; do sleep 0.05; done`
    const login = '/bin/sh -c "$SSH_ORIGINAL_COMMAND"; true'
    const ForceCommand = `case $SSH_ORIGINAL_COMMAND in *touch*) ${wait};; esac; ${login}`
    const { target, line } = await sshdTarget({ ForceCommand }, transport)
    const { run, clock } = setUp({ a: target })
    const poll = <Value>(read: () => Value) => expect.poll(read, { timeout: 20_000 })
    const waiting = () => poll(() => existsSync(waits)).toBe(true)
    const execution = run(['a'], `touch ${ran}`)
    await waiting()
    execution.cancel('a')
    await execution.ended
    // Only ssh2 sends the close of the channel and the question in one order.
    const certainty = transport === 'ssh2' ? { beforeStart: true } : { mayRun: true }
    expect(execution.state('a')).toEqual({ kind: 'cancelled', ...certainty })
    const shell = Number(readFileSync(waits, 'utf8'))
    writeFileSync(goes, '')
    await poll(() => existsSync(`/proc/${shell}`)).toBe(false)
    expect(existsSync(ran)).toBe(false)

    // Over a silent connection the machine may never receive the cancel.
    for (const path of [waits, goes]) rmSync(path)
    const silent = run(['a'], `touch ${ran}`)
    await waiting()
    line.hold(true)
    const timers = clock.pending()
    silent.cancel('a')
    await poll(clock.pending).toBe(timers + 1)
    clock.advance(10)
    await silent.ended
    expect(silent.state('a')).toEqual({ kind: 'cancelled', mayRun: true })
  })

  it.each(transports)('does not run again after its connection was lost: %s', async (transport) => {
    const { target, line } = await sshdTarget({}, transport)
    const { run, clock } = setUp({ a: target })
    const file = scratch('runs')
    const execution = run(['a'], `echo x >> ${file}; echo began; exec sleep 60`)
    await expect.poll(() => execution.printed('a'), { timeout: 20_000 }).toBe('began\n')
    line.cut()
    await execution.ended
    clock.advance(600)
    expect(execution.state('a')).toEqual({ kind: 'lost' })
    expect([readFileSync(file, 'utf8'), clock.pending()]).toEqual(['x\n', 0])
  })
})

it('a command runs on ten machines at once, and never begins on waiting machines once cancelled', async () => {
  const target = { user: 'ubuntu', host: '10.0.0.5', port: 22, known: [], keys: [] }
  const ids = Array.from({ length: 15 }, (_, at) => `m${at}`)
  let opened = 0
  const { run, commands } = setUp(Object.fromEntries(ids.map((id) => [id, target])), (_target, signal) => {
    opened += 1
    return new Promise((resolve) =>
      signal.addEventListener('abort', () => resolve({ kind: 'not-reached', reason: 'ECONNABORTED' })),
    )
  })
  const execution = run(ids, 'true')
  await expect.poll(() => opened).toBe(10)
  execution.cancel('m14')
  await execution.is('m14', 'cancelled')
  commands.forgetAccount(account)
  await execution.ended
  expect([...new Set(ids.map((id) => execution.state(id)?.kind))]).toEqual(['cancelled'])
  expect(opened).toBe(10)
})

it('a script of the application does not wait for a user command on ten machines', async () => {
  const target = { user: 'ubuntu', host: '10.0.0.5', port: 22, known: [], keys: [] }
  const ids = Array.from({ length: 10 }, (_, at) => `m${at}`)
  let opened = 0
  const { run, commands } = setUp(
    Object.fromEntries([...ids, 'other'].map((id) => [id, target])),
    (_target, signal) => {
      opened += 1
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ kind: 'not-reached', reason: 'ECONNABORTED' })),
      )
    },
  )
  const execution = run(ids, 'sleep 7200')
  await expect.poll(() => opened).toBe(10)
  const own = commands.once(account, 'other', 'tmux ls')
  await expect.poll(() => opened).toBe(11)
  commands.forgetAccount(account)
  await execution.ended
  expect((await own).state).toEqual({ kind: 'cancelled' })
})
