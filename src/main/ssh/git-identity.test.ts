import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { hostileStrings } from '../../../test/fixtures/hostile-strings'
import { noAskpass, noKeys, noTerminals } from '../../../test/fixtures/no-terminals'
import { sshAliasesHarness } from '../../../test/fixtures/ssh-aliases-harness'
import { account, invalid, machine } from '../../../test/fixtures/ssh-harness'
import { makeKey, startSshd } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import type { CommandState } from '#shared/bridge/command'
import { sshMachinesOf } from '../../../test/fixtures/ssh-machines'
import { createCommands } from '../commands/index'
import { openSettings } from '../store/settings'
import { gitVariables } from './client/git-identity'
import { createSsh, type SshDeps } from './index'
import { darwinTerminals } from './launcher/darwin'
import { sshArguments, typedCommand } from './launcher/ssh-arguments'
import { ownGitIdentity } from './own-git-identity'
import { SshSettings, withMachineSettings } from './settings'

const { aliasesOf, home, path, put, read } = sshAliasesHarness()
const run = promisify(execFile)
const one = { account, machine: 'm1' }
const unset = { user: null, port: null, identityFile: null }
const ada = { gitName: "Ada O’Hara-Łęcka d'Arc 愛", gitEmail: '1234+ada@users.noreply.example.com' }

describe('the Git identity that is sent', () => {
  const known = machine({ name: 'train-01' })
  const setUp = () => aliasesOf(new Map([[account, [known]]]))

  it('is that of the machine, else of the account, each field by itself', async () => {
    const { ssh } = setUp()
    await ssh.handlers['ssh.configureAccount']({ account, ...ada })
    const view = await ssh.configure(account, 'm1', { gitEmail: ' ada@lab.example ' })
    expect(view).toMatchObject({ gitName: ada.gitName, gitEmail: 'ada@lab.example' })
    expect(view.settings).not.toHaveProperty('gitName')
    // Another field leaves it as it is; null clears it.
    await ssh.configure(account, 'm1', { port: 2_222 })
    expect(await ssh.configure(account, 'm1', { gitEmail: null })).toMatchObject({ ...ada, port: 2_222 })
  })

  it.each([
    ...['Ada\nSetEnv LD_PRELOAD=/x', 'Ada\0', 'Ada" "LD_PRELOAD=/x', '$(id)', '`id`', '${HOME}', '%h', 'a\\'],
    ...['<ada@lab>', 'a;b', 'a|b', 'a\u202eb', '\u2028', '. , -', '\u201Cada\u201D', 'x'.repeat(201)],
  ])('is never by the name %j', async (gitName) => {
    const { ssh } = setUp()
    await expect(ssh.configure(account, 'm1', { gitName })).rejects.toEqual(invalid('gitName', 'malformed'))
  })

  it.each([
    ...['ada', '@lab.example', 'ada@', 'a@b@c', 'a b@lab.example', 'ada@lab\nHost *', 'ada@lab\0', 'a@"b"'],
    ...['$(id)@lab', '`id`@lab', '%h@lab', 'ada@lab;id', '<ada@lab>', `${'a'.repeat(200)}@lab`],
  ])('is never by the email %j', async (gitEmail) => {
    const { ssh } = setUp()
    await expect(ssh.configure(account, 'm1', { gitEmail })).rejects.toEqual(invalid('gitEmail', 'malformed'))
  })

  it('is refused with every hostile string, and neither written nor sent where it stands in the settings', async () => {
    const settings = openSettings(path('settings'))
    const wrong = [...hostileStrings('/tmp/canary'), 'x'.repeat(65_536), `${'x'.repeat(65_536)}@lab`]
    const machines = wrong.map((_, index) =>
      machine({ id: `m${String(index)}`, name: `train-${String(index)}` }),
    )
    await settings.section('ssh', SshSettings).change((before) =>
      wrong.reduce(
        (stored, text, index) =>
          withMachineSettings(stored, account, `m${String(index)}`, {
            ...unset,
            gitName: text,
            gitEmail: text,
          }),
        before,
      ),
    )
    await settings.close()
    const { aliases, ssh } = aliasesOf(new Map([[account, machines]]))
    const text = await aliases.handlers['sshAliases.preview']({})
    expect(text.match(/^Host /gm)).toHaveLength(wrong.length)
    expect(text).not.toMatch(/GIT_|SetEnv|canary/)
    for (const [index, gitName] of wrong.entries()) {
      const id = `m${String(index)}`
      expect((await ssh.handlers['ssh.connection']({ account, machine: id })).gitName).toBe(gitName)
      await expect(ssh.configure(account, id, { gitName })).rejects.toEqual(invalid('gitName', 'malformed'))
      const change = ssh.configure(account, id, { gitName: null, gitEmail: gitName })
      await expect(change).rejects.toEqual(invalid('gitEmail', 'malformed'))
      const to = {
        user: 'ubuntu',
        host: '10.0.0.5',
        port: 22,
        identityFile: null,
        gitName,
        gitEmail: gitName,
      }
      expect(sshArguments(to, '/k', 'm1', 'linux').join(' ')).not.toContain('GIT_')
    }
  })

  it('stands by its names alone in the arguments of ssh, and not in the command that is shown', () => {
    const to = { user: 'ubuntu', host: '10.0.0.5', port: 22, identityFile: null, ...ada }
    const args = sshArguments(to, '/k', 'm1', 'linux')
    expect(args.filter((argument) => argument.includes('GIT_'))).toEqual([
      ...['SendEnv=GIT_AUTHOR_NAME', 'SendEnv=GIT_COMMITTER_NAME'],
      ...['SendEnv=GIT_AUTHOR_EMAIL', 'SendEnv=GIT_COMMITTER_EMAIL'],
    ])
    expect(typedCommand(to, 'linux')).toBe('ssh ubuntu@10.0.0.5')
  })
})

describe('terminals that the system starts with an environment of its own', () => {
  const window = { ssh: '/usr/bin/ssh', args: ['--', 'host'], title: 't', hold: false, folder: '/' }
  it.each(['iterm2', 'terminal', 'ghostty'])('%s gets the identity with the command', async (id) => {
    const program = darwinTerminals('/Users/ada').find((one) => one.id === id)
    const text = program?.launch('/App', { ...window, variables: gitVariables(ada) }).args ?? []
    const line = text.find((argument) => argument.includes('GIT_'))
    // What is typed into a shell is one text; the others get a list.
    const { stdout } =
      id === 'ghostty'
        ? await run('/usr/bin/env', [...text.slice(text.indexOf('/usr/bin/env') + 1, -3), '/usr/bin/env'])
        : await run('/bin/sh', ['-c', (line ?? '').replace('/usr/bin/ssh -- host', '/usr/bin/env')])
    expect(stdout).toContain(`\nGIT_AUTHOR_NAME=${ada.gitName}\n`)
    expect(stdout).toContain(`\nGIT_COMMITTER_EMAIL=${ada.gitEmail}\n`)
    expect(program?.launch('/App', window).args.join(' ')).not.toContain('GIT_')
  })
})

describeWith(['git'], 'the identity of this computer', () => {
  it('is that of git, with what its configuration includes, the last of several', async () => {
    const ask = () => ownGitIdentity('linux', { PATH: process.env['PATH'], HOME: home() }, home())
    expect(await ask()).toEqual({ name: null, email: null })
    writeFileSync(path('more'), '[user]\n  email = ada@lab.example\n')
    writeFileSync(
      `${home()}/.gitconfig`,
      `[user]\n  name = A\n  name = "${ada.gitName}"\n[include]\n  path = ${path('more')}\n`,
    )
    expect(await ask()).toEqual({ name: ada.gitName, email: 'ada@lab.example' })
  })
  it('is none where git is not installed', async () => {
    expect(await ownGitIdentity('linux', {}, '/nowhere')).toBeDefined()
    expect(await ownGitIdentity('win32', { PATH: 'C:\\nothing' }, home())).toEqual({
      name: null,
      email: null,
    })
  })
})

describeWith(['ssh', 'sshd', 'git'], 'a commit on a machine whose server accepts GIT_*', () => {
  async function setUp() {
    const [host, own] = [makeKey(path('host key')), makeKey(path('own key'))]
    const sshd = await startSshd({
      ...{ hostKeys: [host], admits: own, command: 'none' },
      set: { AcceptEnv: 'GIT_* HF_*' },
    })
    onTestFinished(() => sshd.close())
    const repository = path('repository')
    mkdirSync(repository)
    await run('git', ['init', '-q', repository])
    const log = async () =>
      (await run('git', ['-C', repository, 'log', '-1', '--format=%s|%an|%ae|%cn|%ce'])).stdout.trim()
    return {
      sshd,
      own,
      log,
      commit: (why: string) => `git -C '${repository}' commit -q --allow-empty -m ${why}`,
    }
  }
  const by = `${ada.gitName}|${ada.gitEmail}|${ada.gitName}|${ada.gitEmail}`

  async function sshWith(
    { sshd, own }: Awaited<ReturnType<typeof setUp>>,
    changes: Partial<Pick<SshDeps, 'platform' | 'env' | 'terminals'>> = {},
  ) {
    const ssh = createSsh({
      ...{ folder: path('user data'), home: home(), platform: process.platform, env: process.env },
      ...{ settings: openSettings(path('settings')), keys: noKeys, askpass: noAskpass },
      ...{ terminals: noTerminals, terminal: () => null, chooseFile: () => Promise.resolve(null) },
      machine: () => machine({ address: '127.0.0.1', username: sshd.user }),
      defaults: () => ({ port: sshd.port, identityFile: own }),
      ...changes,
    })
    onTestFinished(() => ssh.close())
    await ssh.handlers['ssh.configureAccount']({ account, ...ada })
    return ssh
  }

  it('has the identity in a terminal', async () => {
    const server = await setUp()
    const { log, commit } = server
    type Opened = Parameters<SshDeps['terminals']['open']>[0]
    const opened: Opened[] = []
    const ssh = await sshWith(server, {
      terminals: {
        hasPty: () => Promise.resolve(true),
        open: (request) => Promise.resolve(String(opened.push(request))),
      },
    })
    await ssh.configure(account, 'm1', { options: 'SendEnv=HF_HOME SetEnv=HF_TASK=7' })
    await ssh.handlers['ssh.connect']({ ...one, inside: true })
    const program = await opened[0]?.prepare({ columns: 80, rows: 24 }, new AbortController().signal)
    if (!program || !('file' in program)) expect.fail('no ssh was started')
    const { file, args, env } = program
    const words = [...args, `${commit('terminal')} && echo $HF_TASK`]
    const { stdout } = await run(file, ['-F', 'none', '-T', ...words], { env })
    expect([stdout, await log()]).toEqual(['7\n', `terminal|${by}`])
  })

  const variables = 'SetEnv=HF_TASK=7 SendEnv=HF_HOME'
  const here = { ...process.env, HF_HOME: '/data', HF_TOKEN: 'secret' }
  it.each([
    { by: 'ssh2', options: null, deps: { env: here }, isNeeded: false, printed: ' ' },
    { by: 'the system’s ssh', options: variables, deps: { env: here }, isNeeded: true, printed: '7 /data' },
    {
      ...{ by: 'ssh2 where there is no ssh', options: variables, isNeeded: undefined, printed: '7 /data' },
      // Of no system where programs are looked for elsewhere than in PATH.
      deps: { env: { ...here, PATH: '' }, platform: 'freebsd' as const },
    },
  ])('has the identity in a command on many machines, by $by', async (of) => {
    const server = await setUp()
    const { log, commit } = server
    const ssh = await sshWith(server, of.deps)
    await ssh.configure(account, 'm1', { options: of.options })
    const reach = await ssh.reach(account, 'm1')
    expect(reach.kind === 'reachable' && reach.target.system?.isNeeded).toBe(of.isNeeded)
    const clock = fakeClock()
    const machineOf = () => machine({ address: '127.0.0.1', username: server.sshd.user })
    const commands = createCommands({
      accounts: { onChange: () => () => undefined },
      sshMachines: sshMachinesOf({ machine: machineOf, ssh, clock }),
      clock,
      machine: machineOf,
    })
    onTestFinished(() => commands.close())
    const command = `${commit('many')} && echo "$HF_TASK $HF_HOME$HF_TOKEN"`
    const printed: string[] = []
    let state: CommandState | undefined
    await commands.streams['command.run'](
      { account, machines: ['m1'], command, seconds: 60 },
      {
        messages: (async function* () {})(),
        send(message) {
          if (message.kind === 'state') state = message.state
          else if (message.from === 'stdout') printed.push(message.text)
          return Promise.resolve()
        },
        signal: new AbortController().signal,
      },
    )
    expect(state).toEqual({ kind: 'exited', code: 0 })
    expect(printed.join('')).toBe(`${of.printed}\n`)
    expect(await log()).toBe(`many|${by}`)
  })

  it('has the identity by an alias', async () => {
    const { sshd, own, log, commit } = await setUp()
    put('')
    const known = machine({ name: 'train-01', address: '127.0.0.1', username: sshd.user })
    const { enable, ssh } = aliasesOf(new Map([[account, [known]]]), {
      env: process.env,
      brought: { port: sshd.port, identityFile: own },
    })
    await ssh.handlers['ssh.configureAccount']({ account, ...ada, options: 'SetEnv=HF_TASK=7' })
    await enable(true)
    expect(read()).toContain(`  SetEnv HF_TASK=7 "GIT_AUTHOR_NAME=${ada.gitName}" `)
    const file = path('configuration')
    writeFileSync(file, readFileSync(`${home()}/.ssh/wheelhouse.conf`), { mode: 0o600 })
    const words = ['-F', file, '-o', 'BatchMode=yes', 'train-01', `${commit('alias')} && echo $HF_TASK`]
    const { stdout } = await run('ssh', words, { env: { ...process.env, SSH_AUTH_SOCK: '' } })
    expect([stdout, await log()]).toEqual(['7\n', `alias|${by}`])
  })
})
