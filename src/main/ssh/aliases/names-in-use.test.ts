import { execFileSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { account, machine } from '../../../../test/fixtures/ssh-harness'
import { sshAliasesHarness } from '../../../../test/fixtures/ssh-aliases-harness'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { systemPlaces } from './names-in-use'

const { aliasesOf, inSsh, path, put, read } = sshAliasesHarness()
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ'
const named = (...names: readonly string[]) =>
  aliasesOf(new Map([[account, names.map((name) => machine({ id: name, name }))]]))
/** Returns the alias of each name, or the reason for none. */
async function outcomes(...names: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { aliases, leftOut } = await named(...names).view()
  return Object.fromEntries([
    ...aliases.map(({ machine: name, alias }) => [name, alias] as const),
    ...leftOut.map(({ name, reason }) => [name, reason] as const),
  ])
}
const hashed = (name: string): string => {
  const salt = randomBytes(20)
  const digest = createHmac('sha1', salt).update(name).digest('base64')
  return `|1|${salt.toString('base64')}|${digest} ${key}\n`
}

it.each([
  ['plain', `nas,192.168.1.5 ${key}\n`],
  ['in capitals', `NAS ${key}\n`],
  ['with a port of its own', `[nas]:2222 ${key}\n`],
  ['with both', `[nas]:2222,[192.168.1.5]:2222 ${key}\n`],
  ['by a pattern', `n?s ${key}\n`],
  ['of an authority', `@cert-authority *.lab,nas* ${key}\n`],
  ['without an end of its line', `a.lab ${key}\r\nnas ${key}`],
  ['hashed', hashed('other') + hashed('nas')],
])('a host of known_hosts written as %s is no alias', async (_how, text) => {
  writeFileSync(inSsh('known_hosts'), text)
  expect(await outcomes('NAS', 'train-01')).toEqual({ NAS: 'known-host', 'train-01': 'train-01' })
})

it.each([
  ['the second of the person’s', () => inSsh('known_hosts2')],
  ['the system’s', () => path('etc ssh', 'ssh_known_hosts')],
  ['the second of the system’s', () => path('etc ssh', 'ssh_known_hosts2')],
])('%s file of known hosts is read', async (_whose, file) => {
  mkdirSync(path('etc ssh'))
  writeFileSync(file(), hashed('nas'))
  expect(await outcomes('nas', 'train-01')).toEqual({ nas: 'known-host', 'train-01': 'train-01' })
})

it('comments, wildcards, exceptions, names with dots and the application’s own keys reserve no name', async () => {
  writeFileSync(
    inSsh('known_hosts'),
    `# nas ${key}\n#nas ${key}\n@cert-authority * ${key}\n!nas,*.lab ${key}\nnas.lab ${key}\n|1|x|y ${key}\n\n`,
  )
  mkdirSync(path('user data'))
  writeFileSync(path('user data', 'known_hosts'), `nas ${key}\n`)
  expect(await outcomes('nas')).toEqual({ nas: 'nas' })
})

it('a name of the hosts file or of the computer is no alias', async () => {
  writeFileSync(
    path('etc hosts'),
    '127.0.0.1 localhost\n192.168.1.5\tnas.lab  NAS # db\n#10.0.0.1 eval\n\n0.0.0.0 ads.example\n::1 vm\r\n',
  )
  expect(await outcomes('nas', 'vm', 'laptop', 'db', 'eval', 'ads', 'lab')).toEqual({
    nas: 'this-computer',
    vm: 'this-computer',
    laptop: 'this-computer',
    db: 'db',
    eval: 'eval',
    ads: 'ads',
    lab: 'lab',
  })
})

it('a host of the system’s configuration is no alias', async () => {
  mkdirSync(path('etc ssh'))
  writeFileSync(path('etc ssh', 'ssh_config'), 'Host nas gpu-*\nHost *\n')
  expect(await outcomes('nas', 'gpu-1', 'eval')).toEqual({ nas: 'in-use', 'gpu-1': 'in-use', eval: 'eval' })
})

it('an alias with a suffix is checked against known_hosts too', async () => {
  const pair = () =>
    aliasesOf(new Map([[account, ['m1', 'm2'].map((id) => machine({ id, name: 'nas' }))]])).view()
  const [first, second] = (await pair()).aliases
  writeFileSync(inSsh('known_hosts'), hashed('nas') + hashed(first?.alias ?? ''))
  const { aliases, leftOut } = await pair()
  expect(aliases).toEqual([second])
  expect(leftOut).toMatchObject([{ machine: first?.machine, reason: 'known-host' }])
})

it('an alias disappears while another host has its name', async () => {
  put('')
  const { enable, change, view } = named('nas', 'eval')
  await enable(true)
  expect(read()).toContain('Host nas\n')
  writeFileSync(inSsh('known_hosts'), hashed('nas'))
  change()
  await expect.poll(() => read()).not.toContain('Host nas\n')
  expect(read()).toContain('Host eval\n')
  expect(await view()).toMatchObject({ leftOut: [{ name: 'nas', reason: 'known-host' }] })
  writeFileSync(inSsh('known_hosts'), hashed('other'))
  change()
  await expect.poll(() => read()).toContain('Host nas\n')
})

it.each([
  ['a folder', (file: string) => mkdirSync(file)],
  ['a pipe', (file: string) => void execFileSync('mkfifo', [file])],
  [
    'far too large',
    (file: string) => (writeFileSync(file, `nas ${key}\n`), truncateSync(file, 9 * 1_048_576)),
  ],
  ['no text', (file: string) => writeFileSync(file, randomBytes(100_000))],
])('a hosts file that is %s is skipped', async (_what, make) => {
  make(inSsh('known_hosts'))
  make(path('etc hosts'))
  expect(await outcomes('nas')).toEqual({ nas: 'nas' })
})

it('each system has its own places', () => {
  const ownName = hostname()
  expect(systemPlaces('linux', {})).toEqual({ sshFolder: '/etc/ssh', hostsFile: '/etc/hosts', ownName })
  expect(systemPlaces('win32', { SYSTEMROOT: 'D:\\Windows', PROGRAMDATA: 'D:\\Data' })).toEqual({
    sshFolder: 'D:\\Data\\ssh',
    ownName,
    hostsFile: 'D:\\Windows\\System32\\drivers\\etc\\hosts',
  })
})

describeWith(['ssh'], 'what OpenSSH itself hashes', () => {
  it('is matched against its names', async () => {
    const file = inSsh('known_hosts')
    const real = execFileSync('sh', [
      '-c',
      `ssh-keygen -q -t ed25519 -N '' -f "$1" && cat "$1.pub"`,
      'sh',
      join(path(), 'key'),
    ])
    writeFileSync(file, `nas,192.168.1.5 ${real.toString()}[gate]:2222 ${real.toString()}`)
    execFileSync('ssh-keygen', ['-q', '-H', '-f', file], { stdio: 'ignore' })
    rmSync(`${file}.old`)
    // With a port of its own a name is hashed together with it.
    expect(await outcomes('nas', 'gate')).toEqual({ nas: 'known-host', gate: 'gate' })
  })
})
