import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { flakySettings } from '../../../../test/fixtures/flaky-settings'
import { runAgent } from '../../../../test/fixtures/ssh-agent'
import { account, machine } from '../../../../test/fixtures/ssh-harness'
import { sshAliasesHarness } from '../../../../test/fixtures/ssh-aliases-harness'
import { makeKey, type RunningSshd, startSshd } from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { createSshKeys } from '../keys/index'
import { includeLine } from './ssh-config-parser'

const { aliasesOf, home, inSsh, knownHosts, path, put, read } = sshAliasesHarness()
const run = promisify(execFile)

/**
 * The person's configuration for ssh -F, with the line made absolute: ssh takes the home folder of the line from the
 * system's list of users, not from HOME.
 */
const configFile = (): string => {
  const file = path('configuration')
  writeFileSync(file, read('config').replace(includeLine, `Include "${inSsh('wheelhouse.conf')}"`), {
    mode: 0o600,
  })
  return file
}
const resolved = (host: string, file: string): readonly string[] =>
  execFileSync('ssh', ['-F', file, '-G', host], { encoding: 'utf8' }).split('\n')

describeWith(['ssh'], 'OpenSSH reads the aliases', () => {
  const person = [
    'Host own *.lab',
    '  User anna',
    '',
    'Host *',
    '  User nobody',
    '  StrictHostKeyChecking no',
    '',
  ].join('\n')

  it('with the intended values, and the user’s own hosts unchanged', async () => {
    const before = path('before')
    put(`UserKnownHostsFile /tmp/mine\nControlPath /tmp/%h\n${person}`)
    writeFileSync(before, read('config'), { mode: 0o600 })
    const identityFile = inSsh('50% off')
    const { enable } = aliasesOf(new Map([[account, [machine({ name: 'train-01' })]]]), {
      env: process.env,
      brought: { port: 2_200, identityFile },
    })
    await enable(true)
    expect(resolved('train-01', configFile())).toEqual(
      expect.arrayContaining([
        'hostname 10.0.0.5',
        'user ubuntu',
        'port 2200',
        'identitiesonly yes',
        'serveraliveinterval 30',
        'stricthostkeychecking accept-new',
        'updatehostkeys false',
        'checkhostip no',
        'hashknownhosts no',
        `hostkeyalias m1.${account}.wheelhouse`,
        `userknownhostsfile ${knownHosts()}`,
        'globalknownhostsfile /dev/null',
        `identityfile ${identityFile.replace('%', '%%')}`,
      ]),
    )
    expect(resolved('train-01', configFile()).join('\n')).not.toMatch(/^controlpath|anna|nobody/m)
    for (const host of ['own', 'a.lab', 'example.com', 'train-02', '10.0.0.5'])
      expect(resolved(host, configFile())).toEqual(resolved(host, before))
    await enable(false)
    expect(read('config')).toBe(readFileSync(before, 'utf8'))
  })

  it('in no configuration that it refuses, without running a command of the user', async () => {
    const { enable } = aliasesOf(new Map([[account, [machine({ name: 'train-01' })]]]), { env: process.env })
    put('Host mine\nBogus yes\n')
    await expect(enable(true)).rejects.toMatchObject({
      failure: { kind: 'local-fault', reason: expect.stringContaining('Bad configuration option: bogus') },
    })
    expect(read('config')).toBe('Host mine\nBogus yes\n')
    expect(existsSync(inSsh('wheelhouse.conf'))).toBe(false)
    put(`Match exec "touch '${path('ran')}'"\n  User anna\n`)
    expect(await enable(true)).toMatchObject({ included: true, failure: null })
    expect(existsSync(path('ran'))).toBe(false)
    await enable(false)
    mkdirSync(inSsh('conf.d/work'), { recursive: true })
    writeFileSync(inSsh('conf.d/work/config'), `Match exec "touch '${path('ran')}'"\n  User anna\n`)
    put(`Include "${inSsh('conf.d/*/config')}"\n`)
    expect(await enable(true)).toMatchObject({ included: true, failure: null })
    expect(existsSync(path('ran'))).toBe(false)
  })
})

describeWith(['ssh', 'sshd', 'git', 'rsync'], 'through an alias to a real server', () => {
  let sshd: RunningSshd
  let keys: { readonly host: string; readonly other: string; readonly own: string }
  beforeEach(async () => {
    keys = { host: makeKey(path('host key')), other: makeKey(path('other')), own: makeKey(path('own key')) }
    sshd = await startSshd({ hostKeys: [keys.host], admits: keys.own, command: 'none' })
  })
  afterEach(() => sshd.close())

  it('ssh, scp, rsync and git work, and a changed host key stops them', async () => {
    put('Host *\n  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n')
    const known = machine({ name: 'train-01', address: '127.0.0.1', username: sshd.user })
    const { enable } = aliasesOf(new Map([[account, [known]]]), {
      env: process.env,
      brought: { port: sshd.port, identityFile: keys.own },
    })
    await enable(true)
    const file = configFile()
    const env = {
      ...process.env,
      HOME: home(),
      SSH_AUTH_SOCK: '',
      GIT_SSH_COMMAND: `ssh -F '${file}' -o BatchMode=yes`,
    }
    const ssh = (...command: readonly string[]) =>
      run('ssh', ['-F', file, '-o', 'BatchMode=yes', 'train-01', ...command], { env })

    expect((await ssh('echo', 'reached')).stdout).toBe('reached\n')
    expect(readFileSync(knownHosts(), 'utf8')).toContain(`m1.${account}.wheelhouse ssh-ed25519 `)

    writeFileSync(path('sent'), 'with scp')
    await run('scp', ['-q', '-F', file, path('sent'), `train-01:${path('received')}`], { env })
    expect(readFileSync(path('received'), 'utf8')).toBe('with scp')

    mkdirSync(path('data'))
    writeFileSync(path('data/results.csv'), 'with rsync')
    const shell = `ssh -F '${file}' -o BatchMode=yes`
    await run('rsync', ['-a', '-e', shell, `${path('data')}/`, `train-01:${path('copied')}/`], { env })
    expect(readFileSync(path('copied/results.csv'), 'utf8')).toBe('with rsync')

    mkdirSync(path('repository'))
    const git = (...args: readonly string[]) => run('git', args, { env, cwd: path('repository') })
    await git('init', '-q')
    const author = ['-c', 'user.name=Jane', '-c', 'user.email=jane@example.com'] as const
    await git(...author, 'commit', '-q', '--allow-empty', '-m', 'First')
    await git('clone', '-q', `train-01:${path('repository')}`, path('clone'))
    expect((await git('-C', path('clone'), 'log', '--format=%s')).stdout).toBe('First\n')

    const { port } = sshd
    await sshd.close()
    sshd = await startSshd({ hostKeys: [keys.other], admits: keys.own, port, command: 'none' })
    await expect(ssh('echo', 'reached')).rejects.toThrow('Host key verification failed')
  })

  it('ssh offers only the key that opened the machine, of many in an agent', async () => {
    const others = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => makeKey(path(name)))
    const env = { ...process.env, HOME: home(), SSH_AUTH_SOCK: await runAgent([...others, keys.own]) }
    const opened = createSshKeys({
      folder: path('data'),
      documents: flakySettings(),
      home: home(),
      platform: process.platform,
      env,
      askpass: { listenForNewKey: () => Promise.resolve(null) },
      machineName: () => 'train-01',
    })
    const known = machine({ name: 'train-01', address: '127.0.0.1', username: sshd.user })
    const { enable } = aliasesOf(new Map([[account, [known]]]), {
      env,
      keys: opened,
      brought: { port: sshd.port },
    })
    await enable(true)
    const reach = () =>
      run('ssh', ['-F', configFile(), '-o', 'BatchMode=yes', 'train-01', 'echo', 'reached'], { env })
    await expect(reach()).rejects.toThrow('Too many authentication failures')
    const [, blob = ''] = readFileSync(`${keys.own}.pub`, 'utf8').split(' ')
    await opened.remember(account, 'm1', Buffer.from(blob, 'base64'))
    await expect.poll(() => read()).toContain('IdentitiesOnly yes')
    expect((await reach()).stdout).toBe('reached\n')
  })
})
