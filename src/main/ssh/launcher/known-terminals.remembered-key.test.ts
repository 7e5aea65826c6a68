import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { connectHarness } from '../../../../test/fixtures/connect-harness'
import { noKeys } from '../../../../test/fixtures/no-terminals'
import { account } from '../../../../test/fixtures/ssh-harness'
import { makeKey } from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { darwinTerminals } from './darwin'
import { readCustomCommand } from './custom-command'
import { linuxTerminals } from './linux'
import { windowsTerminals } from './windows'

const { key, bin, start, sshTo } = connectHarness()

/** A terminal without a window: it runs the arguments after `-e`, or hands them on. */
const terminal = (name: string, last: string): void =>
  writeFileSync(
    join(bin, name),
    `#!/bin/sh\nwhile [ "$1" != -e ]; do shift; done\nshift\n${last}\nexit 0\n`,
    {
      mode: 0o755,
    },
  )

describeWith(['sshd', 'ssh'], 'the key that opened a machine before', () => {
  beforeAll(() => {
    for (const name of ['user', 'stranger', 'host']) makeKey(key(name))
    terminal('xterm', '"$@"')
    terminal('x-terminal-emulator', 'setsid "$@" </dev/null >/dev/null 2>&1 &')
  })

  async function connect(name: string, admits: string) {
    const server = await start({ hostKeys: [key('host')], admits: key(admits) })
    let drops = 0
    const drop = (): Promise<void> => Promise.resolve(void (drops += 1))
    const keys = { ...noKeys, identityFor: () => Promise.resolve(key('user')), drop }
    const ssh = sshTo(server, { terminal: name, keys, watchFor: 3_000 })
    await ssh.connect(account, 'M1')
    return { server, drops: () => drops }
  }

  it('is dropped if a terminal that runs as long as ssh ends at once', async () => {
    const { drops } = await connect('xterm', 'stranger')
    expect(drops()).toBe(1)
  })

  it('stays if the terminal hands the session on and ends at once', async () => {
    const { server, drops } = await connect('x-terminal-emulator', 'user')
    await server.logged(/Accepted publickey/)
    expect(drops()).toBe(0)
  })
})

it('terminals that hand the session on are marked', () => {
  const handOn = (terminals: readonly { readonly id: string; readonly staysWithWindow: boolean }[]) =>
    terminals.filter(({ staysWithWindow }) => !staysWithWindow).map(({ id }) => id)
  expect(handOn(darwinTerminals('/Users/jane'))).toEqual(['iterm2', 'ghostty', 'terminal'])
  expect(handOn(windowsTerminals('C:\\Windows', 'C:\\Local', 'C:\\Programs'))).toEqual(['windows-terminal'])
  expect(handOn(linuxTerminals('', '/home/jane'))).toEqual(['x-terminal-emulator'])
  expect(readCustomCommand('term {command}', 'linux')?.staysWithWindow).toBe(false)
})
