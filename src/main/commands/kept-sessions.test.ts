import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { noKeeper } from '#shared/bridge/terminal'
import { realTerminals } from '../../../test/fixtures/real-terminals'
import { account, machine } from '../../../test/fixtures/ssh-harness'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { newKeptName } from '../ssh/launcher/kept-session'
import { sshMachinesOf } from '../../../test/fixtures/ssh-machines'
import { createCommands } from './index'
import { createKeptSessions, parseKept } from './kept-sessions'

/** Makes a folder with all programs of this computer except tmux. */
function withoutTmux(): string {
  const folder = temporaryFolder()
  for (const name of readdirSync('/usr/bin').filter((one) => one !== 'tmux'))
    symlinkSync(join('/usr/bin', name), join(folder, name))
  return folder
}

/** Builds commands on the machine of a terminal. */
function commandsOf({ ssh, clock }: Pick<Parameters<typeof sshMachinesOf>[0], 'ssh' | 'clock'>) {
  const commands = createCommands({
    accounts: { onChange: () => () => undefined },
    machine: () => machine(),
    sshMachines: sshMachinesOf({ machine: () => machine(), ssh, clock }),
    clock,
  })
  onTestFinished(() => commands.close())
  return commands
}

/** ssh in a pseudo-terminal, and the application's own client. */
const clients = [{ hasPty: true }, { hasPty: false }]

for (const tool of ['tmux', 'screen'] as const)
  describeWith(['sshd', 'ssh', tool], `a session kept by ${tool}`, () => {
    const { host, serve, openTerminal } = realTerminals()

    /** Starts a server whose tool stores sessions in its own folder. The test's end ends those sessions. */
    async function serveTool(port?: number, earlierSockets?: string) {
      const sockets = earlierSockets ?? temporaryFolder()
      const screens = join(sockets, 'screens')
      const place =
        tool === 'tmux' ? `TMUX_TMPDIR=${sockets}` : `SCREENDIR=${screens} PATH=${withoutTmux()} LANG=C.UTF-8`
      if (earlierSockets === undefined) {
        mkdirSync(screens)
        chmodSync(screens, 0o700)
        onTestFinished(() => {
          if (tool === 'tmux')
            execFileSync('tmux', ['kill-server'], { env: { ...process.env, TMUX_TMPDIR: sockets } })
          else for (const name of readdirSync(screens)) process.kill(parseInt(name, 10))
        })
      }
      return {
        server: await serve(host, port, { ForceCommand: 'none', SetEnv: `HOME=${sockets} ${place}` }),
        sockets,
      }
    }

    it('is not listed before it begins', async () => {
      const sockets = temporaryFolder()
      const place =
        tool === 'tmux' ? `TMUX_TMPDIR=${sockets}` : `SCREENDIR=${sockets} PATH=${withoutTmux()} LANG=C.UTF-8`
      chmodSync(sockets, 0o700)
      const server = await serve(host, undefined, {
        ForceCommand: 'none',
        SetEnv: `HOME=${sockets} ${place}`,
      })
      const terminal = await openTerminal(server, {}, process.env, { hasPty: false })
      const { handlers } = createKeptSessions(commandsOf(terminal), () => null)
      const listed = await handlers['terminal.kept']({ account, machine: 'm1' })
      expect(listed).toEqual({ kind: 'sessions', sessions: [] })
    })

    it.each(clients)(
      'is attached again after its terminal was killed, and after its connection was lost: %j',
      async (client) => {
        const { server, sockets } = await serveTool()
        const first = await openTerminal(server, { keep: 'new' }, process.env, client)
        first.type('mark=still-; echo ${mark}here\r')
        await first.shows('still-here')
        const name = (await first.listed())?.kept ?? expect.fail('nothing is kept')
        await first.rename('Training')
        first.quit()

        const { handlers } = createKeptSessions(commandsOf(first), first.keptTitle)
        expect(await handlers['terminal.kept']({ account, machine: 'm1' })).toMatchObject({
          kind: 'sessions',
          sessions: [{ name, title: 'Training' }],
        })

        const second = await openTerminal(server, { keep: name }, process.env, client)
        expect(await second.listed()).toMatchObject({ kept: name, title: 'Training' })
        second.type('clear; echo ${mark}there\r')
        await second.shows('still-there')
        second.clock.advance(60)
        await server.close()
        await second.is({ kind: 'waiting', attempts: 1 })
        const again = await serveTool(server.port, sockets)
        second.clock.advance(2)
        await second.is({ kind: 'running' })
        second.type('clear; echo ${mark}back\r')
        await second.shows('still-back')
        expect(again.server.port).toBe(server.port)
      },
    )
  })

describeWith(['sshd', 'ssh'], 'a session to be kept', () => {
  const { host, serve, openTerminal } = realTerminals()

  it.each(clients)('ends with its own exit code on a machine without tmux and screen: %j', async (client) => {
    const empty = temporaryFolder()
    const server = await serve(host, undefined, {
      ForceCommand: 'none',
      SetEnv: `PATH=${join(empty, 'bin')}`,
    })
    const terminal = await openTerminal(server, { keep: newKeptName() }, process.env, client)
    await terminal.is({ kind: 'ended', code: noKeeper })
  })

  it('reports the folders that were searched for tmux and screen', async () => {
    const folder = join(temporaryFolder(), 'bin')
    const server = await serve(host, undefined, { ForceCommand: 'none', SetEnv: `PATH=${folder}` })
    const terminal = await openTerminal(server, {}, process.env, { hasPty: false })
    const { handlers } = createKeptSessions(commandsOf(terminal), () => null)
    const listed = await handlers['terminal.kept']({ account, machine: 'm1' })
    expect(listed).toEqual({ kind: 'no-tool', path: expect.stringContaining(`${folder}:/usr/local/bin:`) })
  })

  it.each([
    ['tmux', 'server version is too old for client'],
    ['tmux', 'protocol version mismatch (client 8, server 7)'],
    ['screen', "Cannot make directory '/run/screen': Permission denied"],
  ] as const)('reports the error of %s instead of an empty list: %s', async (tool, message) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, tool), `#!/bin/sh\necho "${message}" >&2\nexit 1\n`, { mode: 0o755 })
    const path = tool === 'tmux' ? `${folder}:/usr/bin:/bin` : `${folder}:${withoutTmux()}`
    const server = await serve(host, undefined, {
      ForceCommand: 'none',
      SetEnv: `HOME=${folder} PATH=${path}`,
    })
    const terminal = await openTerminal(server, {}, process.env, { hasPty: false })
    const { handlers } = createKeptSessions(commandsOf(terminal), () => null)
    const listed = await handlers['terminal.kept']({ account, machine: 'm1' })
    expect(listed).toEqual({ kind: 'not-understood', said: `${tool}: ${message}` })
  })

  it('reports the output of a login that takes too long', async () => {
    const home = temporaryFolder()
    const reached = join(home, 'reached')
    writeFileSync(join(home, '.bashrc'), `echo Loading modules; touch ${reached}; exec sleep 60\n`)
    const server = await serve(host, undefined, {
      ForceCommand: 'SHELL=/bin/bash exec /bin/bash -c "$SSH_ORIGINAL_COMMAND"',
      SetEnv: `HOME=${home}`,
    })
    const terminal = await openTerminal(server, {}, process.env, { hasPty: false })
    const { handlers } = createKeptSessions(commandsOf(terminal), () => null)
    async function list() {
      rmSync(reached, { force: true })
      const listed = handlers['terminal.kept']({ account, machine: 'm1' })
      await expect
        .poll(() => existsSync(reached) && terminal.clock.waits().some((wait) => Math.round(wait) === 20))
        .toBe(true)
      terminal.clock.advance(20)
      return listed
    }
    // The output may arrive after the file is created.
    const expected = { kind: 'slow-login', seconds: 20, loginOutput: 'Loading modules' }
    await expect.poll(list, { timeout: 60_000 }).toEqual(expected)
  })
})

it.each([
  [
    'tmux',
    'tmux\nmine 1700000000 1\nwheelhouse-ab12 1700000000 0\nwheelhouse-cd34 1700000060 2\n',
    [
      { name: 'wheelhouse-ab12', beganAt: 1_700_000_000, attached: false, state: null },
      { name: 'wheelhouse-cd34', beganAt: 1_700_000_060, attached: true, state: null },
    ],
    0,
  ],
  ['tmux without sessions', 'tmux\n', [], 0],
  ['tmux that crashes', 'tmux\n', undefined, 139],
  ['tmux without a server', 'tmux\nno server running on /tmp/tmux-0/default\n', [], 1],
  [
    'tmux without a socket, after a warning',
    'tmux\ntmux: /opt/conda/lib/libtinfo.so.6: no version information available (required by tmux)\nerror connecting to /tmp/tmux-0/default (No such file or directory)\n',
    [],
    1,
  ],
  [
    'tmux whose socket belongs to another user',
    'tmux\nerror connecting to /tmp/tmux-0/default (Permission denied)\n',
    undefined,
    1,
  ],
  ['screen without sessions', 'screen\nNo Sockets found in /run/screen/S-root.\n\n', [], 1],
  [
    'screen without its folder',
    "screen\nCannot make directory '/run/screen': Permission denied\n",
    undefined,
    1,
  ],
  [
    'screen',
    'screen\nThere are screens on:\n\t42.wheelhouse-ab12\t(11/22/26 10:00:00)\t(Detached)\n\t43.pts-0.host\t(Attached)\n\t44.wheelhouse-cd34\t(Multi, attached)\n\t45.wheelhouse-ef56\t(Dead ???)\n\t46.wheelhouse-0000\n3 Sockets in /run/screen.\n',
    [
      { name: 'wheelhouse-ab12', beganAt: null, attached: false, state: null },
      { name: 'wheelhouse-cd34', beganAt: null, attached: true, state: null },
      { name: 'wheelhouse-ef56', beganAt: null, attached: false, state: 'Dead ???' },
      { name: 'wheelhouse-0000', beganAt: null, attached: false, state: null },
    ],
    0,
  ],
  [
    'a hostile machine',
    'tmux\nwheelhouse-$(reboot) 1 0\nwheelhouse-a;b 1 0\n\u001b]0;x\u0007wheelhouse-a 1 0\nwheelhouse-a 1e9 many\n',
    [{ name: 'wheelhouse-a', beganAt: null, attached: false, state: null }],
    0,
  ],
  [
    'a machine that lists a session twice',
    'tmux\nwheelhouse-a 1 0\nwheelhouse-a 1 0\n',
    [{ name: 'wheelhouse-a', beganAt: 1, attached: false, state: null }],
    0,
  ],
  ['neither', 'none\n/usr/bin\n', undefined, 0],
  ['something else', 'motd\n', undefined, 0],
])('parses the list of %s', (_tool, text, sessions, code) => {
  expect(parseKept(text, code)).toEqual(sessions)
})
