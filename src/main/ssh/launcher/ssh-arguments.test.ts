import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { noKnownHostsCommand, sshArguments, typedCommand } from './ssh-arguments'

const to = { user: 'ubuntu', host: '10.0.0.5', port: 22, identityFile: null }
const alias = 'm1.abcdefghijkl.wheelhouse'

describe('the arguments for ssh', () => {
  const args = sshArguments(to, '/home/jane/known_hosts', alias, 'linux')

  it('never disable host key checks, and use only the application’s file', () => {
    expect(args).toContain('StrictHostKeyChecking=accept-new')
    expect(args).toContain('UserKnownHostsFile=/home/jane/known_hosts')
    expect(args).toContain('GlobalKnownHostsFile=/dev/null')
    expect(args).toContain(`HostKeyAlias=${alias}`)
    expect(args.join(' ')).not.toMatch(/StrictHostKeyChecking=(no|off|ask)/)
  })

  it('name the user by option and the host after the end of all options', () => {
    expect(args.slice(-6)).toEqual(['-p', '22', '-l', 'ubuntu', '--', '10.0.0.5'])
  })

  it('leave the choice of keys to ssh if the user chose none', () => {
    expect(args.join(' ')).not.toMatch(/Identit/)
  })

  it('let a session wait for the network as long as the user has set', () => {
    expect(args.join(' ')).not.toMatch(/ServerAlive/)
  })

  it('use only the chosen identity', () => {
    const chosen = sshArguments({ ...to, identityFile: '/home/jane doe/.ssh/id "a"' }, '/k', alias, 'linux')
    expect(chosen.join('\n')).toContain('-i\n/home/jane doe/.ssh/id "a"\n-o\nIdentitiesOnly=yes')
  })

  it('name an identity with a percent sign by the option that can escape it', () => {
    const chosen = sshArguments({ ...to, identityFile: '/keys/50% off' }, '/k', alias, 'linux')
    expect(chosen).toContain('IdentityFile="/keys/50%% off"')
    expect(chosen).not.toContain('-i')
  })

  it('contain no quote and no backslash on Windows', () => {
    const onWindows = sshArguments(
      { ...to, identityFile: 'C:\\Users\\Jane Doe\\.ssh\\id_ed25519' },
      'known_hosts',
      alias,
      'win32',
    )
    expect(onWindows).toContain('C:/Users/Jane Doe/.ssh/id_ed25519')
    expect(onWindows).toContain('UserKnownHostsFile=known_hosts')
    expect(onWindows.join('')).not.toMatch(/["'\\]/)
  })
})

describeWith(['ssh'], 'OpenSSH reads those arguments', () => {
  it('with the intended values', () => {
    const folder = '/home/jane "j" doe\\x/50% #1'
    const args = sshArguments(
      { user: 'jane.doe', host: '::1', port: 2200, identityFile: '/keys/50% off' },
      `${folder}/known_hosts`,
      alias,
      'linux',
    )
    const read = execFileSync('ssh', ['-G', ...args], { encoding: 'utf8' }).split('\n')
    expect(read).toEqual(
      expect.arrayContaining([
        'user jane.doe',
        'hostname ::1',
        'port 2200',
        `hostkeyalias ${alias}`,
        'stricthostkeychecking accept-new',
        'hashknownhosts no',
        'updatehostkeys false',
        'verifyhostkeydns false',
        'identitiesonly yes',
        'globalknownhostsfile /dev/null',
        `userknownhostsfile ${folder}/known_hosts`,
        // This one is printed before its tokens are expanded.
        'identityfile /keys/50%% off',
      ]),
    )
  })

  /** Returns ssh's interpretation of arguments with the user's configuration `text`. */
  function reader(text: string): (args: readonly string[]) => string {
    const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-ssh-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const config = join(folder, 'config')
    writeFileSync(config, text)
    return (args) => execFileSync('ssh', ['-F', config, '-G', ...args], { encoding: 'utf8' })
  }

  it('without a command of the user’s configuration for host keys', () => {
    const read = reader('KnownHostsCommand /usr/bin/known %H\n')
    expect(read(['localhost'])).toContain('/usr/bin/known')
    expect(read([...noKnownHostsCommand, 'localhost'])).not.toContain('/usr/bin/known')
  })

  it('and lends the agent only if that is set, whatever the user’s configuration is', () => {
    const read = reader('ForwardAgent yes\n')
    const args = (forwardAgent?: boolean | null) =>
      sshArguments({ ...to, forwardAgent }, '/k', alias, 'linux')
    expect(read(['localhost'])).toContain('forwardagent yes')
    for (const unset of [undefined, null, false]) expect(read(args(unset))).toContain('forwardagent no')
    expect(read(args(true))).toContain('forwardagent yes')
  })
})

describe('the command to copy', () => {
  it('is what a user would type', () => {
    expect(typedCommand(to, 'linux')).toBe('ssh ubuntu@10.0.0.5')
    expect(typedCommand({ ...to, port: 2222, host: '::1' }, 'darwin')).toBe('ssh -p 2222 ubuntu@::1')
  })

  it('is quoted for a POSIX shell', () => {
    const identityFile = "/home/jane's keys/$id"
    expect(typedCommand({ ...to, identityFile }, 'linux')).toBe(
      `ssh -i '/home/jane'\\''s keys/$id' -o IdentitiesOnly=yes ubuntu@10.0.0.5`,
    )
  })

  it('can be pasted into cmd and PowerShell on Windows', () => {
    const identityFile = 'C:\\Users\\Jane Doe\\.ssh\\id'
    expect(typedCommand({ ...to, identityFile }, 'win32')).toBe(
      'ssh -i "C:/Users/Jane Doe/.ssh/id" -o IdentitiesOnly=yes ubuntu@10.0.0.5',
    )
  })
})
