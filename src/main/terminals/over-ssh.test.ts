import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { account, machine } from '../../../test/fixtures/ssh-harness'
import { makeKey, startSshd, temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { createSsh } from '../ssh/index'
import { openSettings } from '../store/settings'
import { noAskpass, noKeys } from '../../../test/fixtures/no-terminals'
import { createTerminals } from './index'
import { loadPty, type PtyProgram, type StartPty } from './pty'

// Blanks, quotes and per cent signs are all good names for a folder.
const root = temporaryFolder('wheelhouse "50% off" ')
const folder = join(root, 'user data')
const [user, host, otherHost] = [join(root, 'user'), join(root, 'host'), join(root, 'other host')] as const
beforeAll(() => [user, host, otherHost].forEach((path) => makeKey(path)))
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
})
afterAll(() => rmSync(root, { recursive: true }))

/** OpenSSH's own server, which runs a shell for whoever comes. */
async function serve(hostKey = host, port?: number) {
  const server = await startSshd({
    ...{ hostKeys: [hostKey], admits: user, command: '/bin/sh' },
    ...(port !== undefined && { port }),
  })
  onTestFinished(() => server.close())
  return server
}

/** A terminal inside the application, opened as the window does, for longer than a minute. */
async function openTerminal({ user: username, port }: Awaited<ReturnType<typeof serve>>) {
  const clock = fakeClock(1_000)
  const started: PtyProgram[] = []
  const start = (await loadPty()) ?? expect.fail('no pseudo-terminals')
  const recorded: StartPty = (program, listener) => {
    started.push(program)
    return start(program, listener)
  }
  const terminals = createTerminals({ loadPty: () => Promise.resolve(recorded), clock })
  const ssh = createSsh({
    ...{ folder, home: root, platform: process.platform, env: process.env, terminals },
    keys: noKeys,
    askpass: noAskpass,
    settings: openSettings(folder),
    terminal: () => null,
    machine: () => machine({ address: '127.0.0.1', username }),
    defaults: () => ({ port, identityFile: user }),
    chooseFile: async () => null,
  })
  onTestFinished(() => {
    terminals.close()
    ssh.close()
  })
  const opened = await ssh.handlers['ssh.connect']({ account, machine: 'm1', inside: true })
  const session = opened.session ?? expect.fail('no terminal inside')

  const typed: string[] = []
  let wake = (): void => undefined
  let shown = ''
  const messages = (async function* () {
    for (;;) {
      const text = typed.shift()
      if (text !== undefined) yield { kind: 'input', text } as const
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  })()
  const { signal } = new AbortController()
  void terminals.streams['terminal.screen'](
    { session },
    {
      ...{ signal, messages },
      send: (bytes) => {
        shown += Buffer.from(bytes).toString()
        return Promise.resolve()
      },
    },
  )
  const state = async () => (await terminals.handlers['terminal.sessions']({}))[0]?.state
  const type = (text: string): void => {
    typed.push(text)
    wake()
  }
  const shows = (text: string) => expect.poll(() => shown, { timeout: 20_000 }).toContain(text)
  const is = (expected: object) => expect.poll(state, { timeout: 20_000 }).toMatchObject(expected)
  type('echo $((6 * 7))\r')
  await shows('42\r\n')
  clock.advance(60)
  return { clock, type, shows, is, args: started[0]?.args ?? [] }
}

describeWith(['sshd', 'ssh'], 'a terminal inside, on a real server', () => {
  it('shows what the shell answers, and ends with it whatever its code', async () => {
    const terminal = await openTerminal(await serve())
    expect(readFileSync(join(folder, 'known_hosts'), 'utf8')).toContain('m1.')
    expect(terminal.args, 'notices a lost line').toContain('ServerAliveInterval=5')
    terminal.type('exit 255\r')
    await terminal.is({ kind: 'ended', code: 255 })
  })

  it('comes back to the same server, and to no other', async () => {
    const first = await serve()
    const terminal = await openTerminal(first)
    await first.close()
    await terminal.is({ kind: 'waiting', attempts: 1 })
    terminal.clock.advance(2)
    await terminal.is({ kind: 'waiting', attempts: 2 })
    const second = await serve(host, first.port)
    terminal.clock.advance(5)
    await terminal.is({ kind: 'running' })
    terminal.type('echo $((60 * 7))\r')
    await terminal.shows('420\r\n')
    terminal.clock.advance(60)
    await second.close()
    await terminal.is({ kind: 'waiting' })
    await serve(otherHost, first.port)
    terminal.clock.advance(5)
    await terminal.is({ kind: 'failed', failure: { kind: 'host-key-changed' } })
  })
})
