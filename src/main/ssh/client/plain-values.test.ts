import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import {
  isPlainHost,
  isPlainPath,
  isPlainUser,
  sshConfigUser,
  plainHost,
  plainPort,
  plainUser,
  windowTitle,
} from './plain-values'

describe('a host from the service', () => {
  it.each([
    '10.0.0.5',
    '127.0.0.1',
    '::1',
    '2001:db8::7',
    'gpu-01',
    'gpu_01.example.com',
    'xn--bcher-kva.example',
  ])('is accepted as %s', (host) => {
    expect(isPlainHost(host)).toBe(true)
    expect(plainHost(host)).toBe(host)
  })

  it.each([
    '-oProxyCommand=sh',
    'host;reboot',
    'host name',
    'host\nname',
    '$(id)',
    '`id`',
    'user@host',
    'fe80::1%eth0',
    '[::1]',
    '127.1',
    '2130706433',
    '0x7f000001',
    'host.0x7f',
    '300.1.1.1',
    'a..b',
    '.a',
    'a.',
    'a-',
    'höst',
    `${'a'.repeat(64)}.example`,
    'ssh://host',
    'host:22',
    '*',
    "ho'st",
  ])('is refused as %j', (host) => {
    expect(isPlainHost(host)).toBe(false)
    expect(() => plainHost(host)).toThrow(
      expect.objectContaining({ failure: { kind: 'invalid-input', field: 'host', reason: 'not-a-host' } }),
    )
  })

  it.each([null, ''])('is required if the service reports %j', (host) => {
    expect(() => plainHost(host)).toThrow(
      expect.objectContaining({ failure: { kind: 'invalid-input', field: 'host', reason: 'required' } }),
    )
  })
})

describe('a user name', () => {
  const accepted = [
    'root',
    'jane.doe',
    'svc_gpu-1',
    '_apt',
    '4user',
    'CORP\\jane',
    'jane@corp.example',
    'ops+gpu',
  ]
  const odd = [
    'zoë',
    '田中',
    'a b',
    'a/b',
    '.a',
    '#a',
    'a#b',
    'a=b',
    'a\\\\b',
    '~a',
    'a,b',
    ''.padEnd(256, 'a'),
  ]
  it.each([...accepted, ...odd])('is accepted as %s', (user) => {
    expect(plainUser(user)).toBe(user)
  })

  it.each([...accepted, ...odd])(
    'reaches ssh unchanged, as an argument and in a configuration: %s',
    (user) => {
      const folder = temporaryFolder()
      const config = join(folder, 'config')
      writeFileSync(config, `Host there\n  User ${sshConfigUser(user)}\n`)
      const userOf = (...args: readonly string[]) =>
        /^user (.*)$/m.exec(execFileSync('ssh', [...args, '-G', 'there'], { encoding: 'utf8' }))?.[1]
      expect([userOf('-F', 'none', '-l', user), userOf('-F', config)]).toEqual([user, user])
      rmSync(folder, { recursive: true })
    },
  )

  it.each([
    '-l',
    '-oProxyCommand=sh',
    'a;b',
    '$USER',
    '%u',
    "o'neil",
    'a"b',
    'a|b',
    '`id`',
    'a(b)',
    'a{b}',
    'a&b',
    'a\n',
    'a\tb',
    ' a',
    'a ',
    'a -b',
    'a\\',
    'a\u202Eb',
    ''.padEnd(257, 'a'),
  ])('is refused as %j', (user) => {
    expect(isPlainUser(user)).toBe(false)
    expect(() => plainUser(user)).toThrow(
      expect.objectContaining({
        failure: { kind: 'invalid-input', field: 'user', reason: 'not-a-user-name' },
      }),
    )
  })

  it('is required if it is unknown', () => {
    expect(() => plainUser(null)).toThrow(
      expect.objectContaining({ failure: { kind: 'invalid-input', field: 'user', reason: 'required' } }),
    )
  })
})

describe('a port', () => {
  it.each([1, 22, 65_535])('is accepted as %d', (port) => {
    expect(plainPort(port)).toBe(port)
  })

  it.each([0, -1, 65_536, 22.5, Number.NaN, Number.POSITIVE_INFINITY])('is refused as %d', (port) => {
    expect(() => plainPort(port)).toThrow(
      expect.objectContaining({ failure: { kind: 'invalid-input', field: 'port', reason: 'not-a-port' } }),
    )
  })
})

describe('a file name', () => {
  it.each([
    ['/home/jane doe/50%', 'linux', true],
    ['/home/$USER/{key}', 'linux', true],
    ['/home/${X}', 'linux', false],
    ['/home/a\nb', 'darwin', false],
    ['C:\\Users\\Jane Doe\\id', 'win32', true],
    ['C:\\50%\\id', 'win32', false],
  ] as const)('%j on %s can be passed to ssh: %s', (path, platform, can) => {
    expect(isPlainPath(path, platform)).toBe(can)
  })
})

describe('a window title', () => {
  it.each([
    ['trainer 01', 'trainer 01'],
    ['  $(reboot) "x" \'y\' ; z', '$(reboot) "x" \'y\' ; z'],
    ['one\ntwo\u2028three\tfour', 'one two three four'],
    ['\u001b]0;evil\u0007name', ']0;evil name'],
    ['safe\u202Egnp.exe', 'safe gnp.exe'],
    ['--hold', 'hold'],
    ['+- -e sh', 'e sh'],
    ['\u0000\u0007', 'root@10.0.0.5'],
    ['---', 'root@10.0.0.5'],
    ['x'.repeat(500), 'x'.repeat(80)],
    ['🚀'.repeat(100), '🚀'.repeat(80)],
  ])('of the machine %j is %j', (name, title) => {
    expect(windowTitle(name, 'root@10.0.0.5')).toBe(title)
  })
})
