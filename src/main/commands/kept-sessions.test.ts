import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
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

/** A folder with all programs of this computer but tmux. */
function withoutTmux(): string {
  const folder = temporaryFolder()
  for (const name of readdirSync('/usr/bin').filter((one) => one !== 'tmux'))
    symlinkSync(join('/usr/bin', name), join(folder, name))
  return folder
}

/** By ssh in a pseudo-terminal, and by the application's own client. */
const ways = [{ hasPty: true }, { hasPty: false }]

for (const tool of ['tmux', 'screen'] as const)
  describeWith(['sshd', 'ssh', tool], `a session kept by ${tool}`, () => {
    const { host, serve, openTerminal } = realTerminals()

    /** A server whose tool has a folder of its own, which it ends with. */
    async function keeping(port?: number, before?: string) {
      const sockets = before ?? temporaryFolder()
      const screens = join(sockets, 'screens')
      const place =
        tool === 'tmux' ? `TMUX_TMPDIR=${sockets}` : `SCREENDIR=${screens} PATH=${withoutTmux()} LANG=C.UTF-8`
      if (before === undefined) {
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

    it.each(ways)(
      'is found again after its terminal was killed, and after its line was lost: %j',
      async (way) => {
        const { server, sockets } = await keeping()
        const first = await openTerminal(server, { keep: 'new' }, process.env, way)
        first.type('mark=still-; echo ${mark}here\r')
        await first.shows('still-here')
        const name = (await first.listed())?.kept ?? expect.fail('nothing is kept')
        await first.rename('Training')
        first.quit()

        const commands = createCommands({
          accounts: { onChange: () => () => undefined },
          machine: () => machine(),
          sshMachines: sshMachinesOf({ machine: () => machine(), ssh: first.ssh, clock: first.clock }),
          clock: first.clock,
        })
        onTestFinished(() => commands.close())
        const { handlers } = createKeptSessions(commands, first.keptTitle)
        expect(await handlers['terminal.kept']({ account, machine: 'm1' })).toMatchObject({
          ...{ kind: 'sessions', sessions: [{ name, title: 'Training' }] },
        })

        const second = await openTerminal(server, { keep: name }, process.env, way)
        expect(await second.listed()).toMatchObject({ kept: name, title: 'Training' })
        second.type('clear; echo ${mark}there\r')
        await second.shows('still-there')
        second.clock.advance(60)
        await server.close()
        await second.is({ kind: 'waiting', attempts: 1 })
        const again = await keeping(server.port, sockets)
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

  it.each(ways)('is refused plainly by a machine that has neither tmux nor screen: %j', async (way) => {
    const empty = temporaryFolder()
    const server = await serve(host, undefined, {
      ForceCommand: 'none',
      SetEnv: `PATH=${join(empty, 'bin')}`,
    })
    const terminal = await openTerminal(server, { keep: newKeptName() }, process.env, way)
    await terminal.is({ kind: 'ended', code: noKeeper })
  })
})

it.each([
  [
    'tmux',
    'tmux\nmine 1700000000 1\nwheelhouse-ab12 1700000000 0\nwheelhouse-cd34 1700000060 2\n',
    [
      { name: 'wheelhouse-ab12', beganAt: 1_700_000_000, attached: false },
      { name: 'wheelhouse-cd34', beganAt: 1_700_000_060, attached: true },
    ],
  ],
  ['tmux without a server', 'tmux\n', []],
  [
    'screen',
    'screen\nThere are screens on:\n\t42.wheelhouse-ab12\t(11/22/26 10:00:00)\t(Detached)\n\t43.pts-0.host\t(Attached)\n\t44.wheelhouse-cd34\t(Attached)\n3 Sockets in /run/screen.\n',
    [
      { name: 'wheelhouse-ab12', beganAt: null, attached: false },
      { name: 'wheelhouse-cd34', beganAt: null, attached: true },
    ],
  ],
  [
    'a hostile machine',
    'tmux\nwheelhouse-$(reboot) 1 0\nwheelhouse-a;b 1 0\n\u001b]0;x\u0007wheelhouse-a 1 0\nwheelhouse-a 1e9 0\n',
    [],
  ],
  [
    'a machine that says one twice',
    'tmux\nwheelhouse-a 1 0\nwheelhouse-a 1 0\n',
    [{ name: 'wheelhouse-a', beganAt: 1, attached: false }],
  ],
  ['neither', 'none\n', null],
  ['something else', 'motd\n', null],
])('sessions are listed as %s has them', (_tool, text, sessions) => {
  expect(parseKept(text)).toEqual(sessions)
})
