import { isPlainUser } from '../client/plain-values'
import { describe, expect, it } from 'vitest'
import { account, other } from '../../../../test/fixtures/ssh-harness'
import { type AliasTarget, nameAliases, wantedAliases } from './alias-names'
import { aliasText } from './alias-text'
import { namesInUse } from './names-in-use'

const target = (changes: Partial<AliasTarget> = {}): AliasTarget => ({
  account,
  machine: 'm1',
  name: 'train-01',
  user: 'ubuntu',
  host: '10.0.0.5',
  port: 22,
  identityFile: null,
  ...changes,
})
const context = {
  knownHosts: '/home/jane doe/known_hosts',
  ...({ platform: 'linux', knowsNoCommand: true, confirms: false } as const),
}
const named = (targets: readonly AliasTarget[], hosts: readonly string[] = []) =>
  nameAliases(
    targets,
    namesInUse(wantedAliases(targets), { configured: hosts, known: [], system: [] }),
    'linux',
  )
const text = (targets: readonly AliasTarget[]): string => aliasText(named(targets).aliases, context)
const names = (targets: readonly AliasTarget[], hosts: readonly string[] = []) =>
  named(targets, hosts).aliases.map(({ alias }) => alias)

/** Texts that must not enter a configuration, tried as name, user and address. */
const hostile = [
  '',
  ' ',
  'a b',
  ' a',
  'a ',
  '\t',
  'a\tb',
  'a\nb',
  'a\r\nb',
  'a\rb',
  'a\0b',
  'a\u2028b',
  'a\u0085b',
  'a\u00a0b',
  'x\n  ProxyCommand touch /tmp/p',
  'x\nHost *\n  ProxyCommand sh',
  'x\nMatch exec "touch /tmp/p"',
  'x\nInclude /tmp/p',
  '*',
  '?',
  '!a',
  'a*',
  'a?b',
  '!',
  '*,a',
  'a,b',
  '[a]',
  '{a,b}',
  '~',
  '~root',
  '~/a',
  '$HOME',
  '${HOME}',
  '$(id)',
  '`id`',
  '%h',
  '%%',
  '%d/x',
  'a%i',
  '"',
  '"a',
  'a"b',
  "'",
  "a'b",
  '\\',
  'a\\b',
  '\\n',
  '#',
  '#a',
  'a #b',
  '=',
  'a=b',
  '-',
  '-oProxyCommand=sh',
  '-v',
  '--',

  ';',
  'a;b',
  '|sh',
  '&',
  '>x',
  '<x',
  '(a)',
  '/',
  '../a',
  '@',
  'a@b',
  '\u202eevil',
  'a\u200bb',
  'a\u200fb',
  '\ufeffa',
  'tr\u0430in',
  'ｔｒａｉｎ',
  'maschinë',
  '機械',
  '🚂',
  'a\u0301',
  'a'.repeat(65_536),
  'a\n'.repeat(1_000),
  '\u001b[31ma',
  'a\u0007',
]
/** Names that mean another host. */
const reserved = ['github.com', 'a.b', '10.0.0.1', '::1', 'fe80::1', '127.1', '0x7f000001', '2130706433']

describe('names that a service reports', () => {
  it.each(hostile)('%j as any value reaches no file', (value) => {
    const empty = text([])
    expect(text([target({ name: value })])).toBe(empty)
    if (!isPlainUser(value)) expect(text([target({ user: value })])).toBe(empty)
    expect(text([target({ host: value })])).toBe(empty)
  })

  it.each(reserved)('%j is no alias, as it names another host', (name) => {
    expect(named([target({ name })])).toMatchObject({ aliases: [], leftOut: [{ name, reason: 'name' }] })
  })

  it.each(['localhost', 'LocalHost', 'ip6-loopback', 'broadcasthost', '_gateway'])(
    '%j is no alias, as it names this computer or its gateway',
    (name) => {
      expect(named([target({ name })])).toMatchObject({ aliases: [], leftOut: [{ reason: 'this-computer' }] })
    },
  )

  it('each machine without an alias has a reason', () => {
    const { leftOut } = named(
      [
        target({ name: 'odd name' }),
        target({ name: 'young', host: null }),
        target({ name: 'bare', user: null }),
        target({ name: 'mine' }),
        target({ name: 'keyed', identityFile: '/keys/${HOME}' }),
      ],
      ['MINE'],
    )
    expect(leftOut.map(({ reason }) => reason)).toEqual([
      'name',
      'no-address',
      'no-user',
      'in-use',
      'identity-file',
    ])
  })

  it('a name that matches a pattern of the configuration is no alias', () => {
    const hosts = ['prod-*', '*db?', 'a+b*']
    const taken = ['prod-1', 'PROD-db', 'db1', 'my-db1']
    expect(
      named(
        taken.map((name) => target({ name, machine: name })),
        hosts,
      ).leftOut,
    ).toMatchObject(taken.map((name) => ({ name, reason: 'in-use' })))
    expect(names([target({ name: 'db' })], hosts)).toEqual(['db'])
    expect(names([target({ name: 'aab' })], hosts)).toEqual(['aab'])
  })

  it('hostile ids stay out of the alias of the host key', () => {
    expect(text([target({ machine: 'x\n  ProxyCommand sh' })])).not.toContain('ProxyCommand')
  })
})

describe('machines of the same name', () => {
  const pair = [target(), target({ account: other })]

  it('each have a suffix, in any order, and none has the plain name', () => {
    const aliases = names(pair)
    expect(aliases).toHaveLength(2)
    for (const alias of aliases) expect(alias).toMatch(/^train-01-[0-9a-f]{6}$/)
    expect(names(pair.toReversed())).toEqual(aliases)
    expect(names([target(), target({ machine: 'm2', name: 'TRAIN-01' })])).toHaveLength(2)
  })

  it('get no alias that is another machine’s name', () => {
    const [first = ''] = names(pair)
    const all = named([...pair, target({ machine: 'm3', name: first })])
    expect(all.leftOut.map(({ reason }) => reason)).toEqual(['in-use'])
    expect(all.aliases.find(({ alias }) => alias === first)?.machine).toBe('m3')
  })
})

it('an alias has the options of a terminal and notices a lost connection', () => {
  expect(text([target({ identityFile: '/home/jane doe/.ssh/50% off' })])).toContain(
    [
      'Host train-01',
      '  HostName 10.0.0.5',
      '  User ubuntu',
      '  Port 22',
      '  UserKnownHostsFile "/home/jane doe/known_hosts"',
      '  GlobalKnownHostsFile /dev/null',
      `  HostKeyAlias m1.${account}.wheelhouse`,
      '  StrictHostKeyChecking accept-new',
      '  CheckHostIP no',
      '  HashKnownHosts no',
      '  UpdateHostKeys no',
      '  VerifyHostKeyDNS no',
      '  ControlPath none',
      '  KnownHostsCommand none',
      '  IdentityFile "/home/jane doe/.ssh/50%% off"',
      '  IdentitiesOnly yes',
      '  ForwardAgent no',
      '  ServerAliveInterval 30',
    ].join('\n'),
  )
  const onWindows = aliasText(
    nameAliases([target({ identityFile: 'C:\\Users\\Jane Doe\\.ssh\\id' })], new Map(), 'win32').aliases,
    {
      knownHosts: 'C:\\Users\\Jane Doe\\known_hosts',
      platform: 'win32',
      knowsNoCommand: false,
      confirms: true,
    },
  )
  expect(onWindows).toContain('  UserKnownHostsFile "C:/Users/Jane Doe/known_hosts"\n')
  expect(onWindows).toContain('  IdentityFile "C:/Users/Jane Doe/.ssh/id"\n')
  expect(onWindows).not.toContain('KnownHostsCommand')
  expect(onWindows).toContain('  StrictHostKeyChecking ask\n')
})

it('an alias uses the jump host of its machine and forwards the agent if the user wants that', () => {
  const through = text([target({ jumpHost: 'bastion.lab:2222', forwardAgent: true })])
  expect(through).toContain('\n  ProxyJump ubuntu@bastion.lab:2222\n')
  expect(through).toContain('\n  ForwardAgent yes\n')
  expect(text([target({ jumpHost: 'anna@10.0.0.1' })])).toContain('\n  ProxyJump anna@10.0.0.1:22\n')
  const without = text([target()])
  expect(without).not.toContain('ProxyJump')
  expect(without).not.toContain('ForwardAgent yes')
})

it.each(['a,b', 'x\n  ProxyCommand sh', '-oProxyCommand=sh', '$(id)', 'a:99999', 'none,a'])(
  'a machine with the malformed jump host %j has no alias',
  (jumpHost) => {
    expect(named([target({ jumpHost })])).toMatchObject({ aliases: [], leftOut: [{ reason: 'no-address' }] })
  },
)
