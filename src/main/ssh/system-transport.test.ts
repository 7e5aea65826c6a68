import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { filesHarness } from '../../../test/fixtures/files-harness'
import { noAskpass, noKeys, noTerminals } from '../../../test/fixtures/no-terminals'
import { account, machine } from '../../../test/fixtures/ssh-harness'
import { fingerprintBySsh, makeKey, startSshd, temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith, findProgram } from '../../../test/fixtures/system-requirements'
import { telemetryHarness } from '../../../test/fixtures/telemetry-harness'
import { breakableLine, portOf, tunnelsHarness } from '../../../test/fixtures/tunnels-harness'
import { openSettings } from '../store/settings'
import { openConnection } from './client/connection'
import { sshWithTerminals, type SshWithTerminalsDeps } from '../../../test/fixtures/ssh-with-terminals'
import { needsSystem, sentVariables } from './system-transport'

const destination = { user: 'ubuntu', host: '10.0.0.5', port: 22, identityFile: null }

it.each([
  [{ proxycommand: ['nc -x proxy %h %p'] }, true],
  [{ proxycommand: ['none'] }, false],
  [{ proxyjump: ['bastion'] }, true],
  [{ hostname: ['10.0.0.9'] }, true],
  [{ hostname: ['10.0.0.5'], identityfile: ['~/.ssh/id_rsa', '~/.ssh/id_ed25519_sk'] }, false],
  [{ identityfile: ['~/.ssh/work'] }, true],
  [{ certificatefile: ['~/.ssh/work-cert.pub'] }, true],
  [{ identityagent: ['~/.1password/agent.sock'] }, true],
])('the system’s ssh is used if the user’s configuration needs it: %j', (config, needed) => {
  expect(needsSystem(new Map(Object.entries(config)), destination)).toBe(needed)
})

it('the system’s ssh is used if the user set options', () => {
  expect(needsSystem(new Map(), { ...destination, options: 'Compression=yes' })).toBe(true)
})

it('ssh2 connects through a jump host that the user set', () => {
  const config = new Map([['proxyjump', ['ubuntu@bastion:22']]])
  expect(needsSystem(config, { ...destination, jumpHost: 'bastion' })).toBe(false)
})

it('the same variables are sent as by ssh, set ones first', () => {
  const config = new Map([
    ['sendenv', ['LANG', 'LC_*', 'HF_?', 'A.B']],
    ['setenv', ['HF_HOME=/data', 'LC_ALL=C=D']],
  ])
  const env = {
    LANG: 'C',
    LANGUAGE: 'en',
    LC_ALL: 'de',
    LC_TIME: 'nb',
    XLC_TIME: '',
    HF_A: '1',
    HF_AB: '2',
    AxB: '3',
  }
  const sent = { LANG: 'C', LC_ALL: 'C=D', LC_TIME: 'nb', HF_A: '1', HF_HOME: '/data' }
  expect(sentVariables(config, env)).toEqual(sent)
  expect(sentVariables(new Map(), { PATH: '/bin' })).toEqual({})
})

describeWith(['sshd', 'ssh'], 'a machine that only the system’s ssh can reach', () => {
  /** `hasOwnKey`: the key with the certificate is set for the machine. */
  async function setUp(changes: Partial<SshWithTerminalsDeps> = {}, hasOwnKey = true) {
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.ssh'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const [ca, key, hostKey] = ['ca', 'id', 'host'].map((name) => makeKey(join(folder, name)))
    if (!ca || !key || !hostKey) return expect.fail('no keys')
    const sshd = await startSshd({
      hostKeys: [hostKey],
      admits: makeKey(join(folder, 'stranger')),
      command: 'none',
      set: { TrustedUserCAKeys: `${ca}.pub`, AcceptEnv: 'HF_*' },
    })
    const line = await breakableLine(sshd.port)
    onTestFinished(() => sshd.close())
    execFileSync('ssh-keygen', ['-q', '-s', ca, '-I', 'jane', '-n', sshd.user, `${key}.pub`])
    const ssh = sshWithTerminals({
      folder: join(folder, 'data'),
      home: folder,
      platform: 'linux',
      env: { PATH: process.env['PATH'] },
      settings: openSettings(join(folder, 'settings')),
      terminals: noTerminals,
      keys: noKeys,
      askpass: noAskpass,
      terminal: () => null,
      chooseFile: () => Promise.resolve(null),
      machine: () => machine({ address: '127.0.0.1', username: sshd.user }),
      defaults: () => ({ port: line.port, ...(hasOwnKey && { identityFile: key }) }),
      ...changes,
    })
    onTestFinished(() => ssh.close())
    const target = async (isSilent = false) => {
      const reach = await ssh.reach(account, 'm1', isSilent)
      return reach.kind === 'reachable' ? reach.target : expect.fail(reach.kind)
    }
    const connect = async (isSilent?: boolean) =>
      openConnection(await target(isSilent), new AbortController().signal)
    /** As a link does at first contact. */
    const known = async () => {
      const first = await connect()
      if (first.kind !== 'host-key-unknown') return expect.fail(first.kind)
      await ssh.record(account, 'm1', first.key)
      return target()
    }
    return { folder, sshd, line, known, connect, ssh }
  }

  it('runs commands and lists files with a certificate, and stops at a changed host key', async () => {
    const { known, connect, folder, sshd } = await setUp()
    const reached = await known()
    expect(reached.system?.isNeeded).toBe(true)
    const outcome = await connect()
    if (outcome.kind !== 'connected') return expect.fail(outcome.kind)
    expect(await outcome.connection.exec('echo $((6 * 7))')).toMatchObject({ stdout: '42\n', status: 0 })
    expect(sshd.log()).toMatch(/Accepted certificate ID "jane"/)
    outcome.connection.close()

    const { look, list } = filesHarness(reached)
    await look()
    writeFileSync(join(folder, 'one'), '1')
    const listed = await list(folder)
    expect(JSON.stringify(listed)).toContain('"one"')

    const file = join(folder, 'data', 'known_hosts')
    const [alias] = readFileSync(file, 'utf8').split(' ')
    const [type, blob] = readFileSync(join(folder, 'stranger.pub'), 'utf8').split(' ')
    writeFileSync(file, `${alias ?? ''} ${type ?? ''} ${blob ?? ''}\n`)
    expect(await connect()).toEqual({
      kind: 'host-key-changed',
      known: fingerprintBySsh(join(folder, 'stranger')),
      offered: fingerprintBySsh(join(folder, 'host')),
    })
  })

  it('gets the variables that are set for it', async () => {
    const { known, connect, ssh } = await setUp()
    await ssh.configure(account, 'm1', { options: 'SetEnv=HF_HOME=/data Compression=yes SetEnv=HF_TASK=7' })
    await known()
    const outcome = await connect()
    if (outcome.kind !== 'connected') return expect.fail(outcome.kind)
    onTestFinished(() => outcome.connection.close())
    expect(await outcome.connection.exec('echo $HF_HOME $HF_TASK')).toMatchObject({ stdout: '/data 7\n' })
  })

  it('forwards HTTP with a certificate, also after a cut line', async () => {
    const { known, line, sshd } = await setUp()
    const server = createServer((_request, response) => response.end('hello'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const tunnels = tunnelsHarness(await known())
    const { localPort } = await tunnels.open(portOf(server))
    const read = async () => (await fetch(`http://127.0.0.1:${String(localPort)}/`)).text()
    expect(await read()).toBe('hello')
    const found = tunnels.services(({ report }) => report !== null)
    await tunnels.look(true, true)
    const { report } = await found
    const ports = report?.kind === 'services' ? report.services.map((one) => one.port) : []
    expect(ports).toContain(portOf(server))
    await tunnels.look(false)
    expect(sshd.log()).toMatch(/Accepted publickey .* ED25519-CERT /)
    const waiting = tunnels.until('waiting')
    line.cut()
    await waiting
    const back = tunnels.until('open')
    tunnels.clock.advance(60)
    await back
    expect(await read()).toBe('hello')
  })

  it('reports GPUs with a certificate', async () => {
    const { folder, line, sshd } = await setUp()
    const telemetry = telemetryHarness(() => line.port, {
      privateKey: readFileSync(join(folder, 'id'), 'utf8'),
      env: { PATH: process.env['PATH'] },
    })
    copyFileSync(join(folder, 'id-cert.pub'), `${telemetry.identityFile}-cert.pub`)
    telemetry.place('m1', sshd.user)
    expect((await telemetry.read()).link).toEqual({ kind: 'connected' })
    expect(sshd.log()).toMatch(/Accepted certificate ID "jane"/)
  })

  it('stays with ssh2 if ssh has a new default key, as OpenSSH 10.4 has', async () => {
    const bin = temporaryFolder()
    onTestFinished(() => rmSync(bin, { recursive: true, force: true }))
    const real = findProgram('ssh') ?? expect.fail('ssh')
    const newer = `s|^identityfile ~/.ssh/id_rsa$|&\\nidentityfile ~/.ssh/id_mldsa44_ed25519|`
    writeFileSync(
      join(bin, 'ssh'),
      `#!/bin/sh\ncase " $* " in *" -G "*) ${real} "$@" | sed '${newer}' ;; *) exec ${real} "$@" ;; esac\n`,
      { mode: 0o755 },
    )
    const { known, folder } = await setUp({ env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } }, false)
    makeKey(join(folder, '.ssh', 'id_ed25519'))
    expect((await known()).system?.isNeeded).toBe(false)
  })

  it('is reached through a proxy of the user’s configuration', async () => {
    const bin = temporaryFolder()
    onTestFinished(() => rmSync(bin, { recursive: true, force: true }))
    // The system's ssh with the test's configuration instead of the user's.
    const asked = join(bin, 'asked')
    const counts = `case " $* " in *" -G "*HostKeyAlias*) echo asked >> '${asked}' ;; esac`
    writeFileSync(
      join(bin, 'ssh'),
      `#!/bin/sh\n${counts}\nexec ${findProgram('ssh') ?? ''} -F ${bin}/config "$@"\n`,
    )
    chmodSync(join(bin, 'ssh'), 0o755)
    const { monotonic, advance } = fakeClock()
    const { known, connect, line } = await setUp({ env: { PATH: bin }, monotonic })
    const through = `const s = require('net').connect(${String(line.port)}, '127.0.0.1')
      require('fs').writeFileSync('${bin}/used', process.env.SSH_ASKPASS_REQUIRE ?? 'may ask')
      process.stdin.pipe(s).pipe(process.stdout)`
    writeFileSync(join(bin, 'proxy.cjs'), through)
    writeFileSync(join(bin, 'config'), `Host *\n  ProxyCommand ${process.execPath} ${bin}/proxy.cjs\n`)
    const reached = await known()
    expect(reached.system?.isNeeded).toBe(true)
    const answers = () => readFileSync(asked, 'utf8').trim().split('\n').length
    expect(answers()).toBe(1)
    advance(5)
    for (const [isSilent, used] of [
      [false, 'may ask'],
      [true, 'never'],
    ] as const) {
      const outcome = await connect(isSilent)
      if (outcome.kind !== 'connected') return expect.fail(JSON.stringify(outcome))
      expect(readFileSync(join(bin, 'used'), 'utf8')).toBe(used)
      outcome.connection.close()
    }
    expect(answers()).toBe(2)
  })
})
