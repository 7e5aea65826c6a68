import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Job } from '#shared/bridge/job'
import { isComplete, largeFile, type LastLook, type LookOutcome } from '#shared/bridge/last-look'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { account, machine } from '../../../test/fixtures/ssh-harness'
import { sshMachinesOf } from '../../../test/fixtures/ssh-machines'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'
import { openConsents } from '../ssh/machines/consents'
import { createLastLook } from './index'
import { lookScript } from './script'

/** A machine with a home folder, a volume and programs of its own, behind a real sshd. */
async function setUp(env: Readonly<Record<string, string>> = {}, systemMounts: readonly string[] = []) {
  const root = realpathSync(temporaryFolder())
  const home = join(root, 'home')
  const volume = join(root, 'my volume')
  const programs = join(root, 'bin')
  const tmux = join(root, 't')
  const system = join(root, 'var/lib')
  for (const folder of [home, volume, programs, tmux]) mkdirSync(folder, { mode: 0o700 })
  for (const name of ['kubelet', 'overlay', 'tmpfs', 'lxcfs', 'docker'])
    mkdirSync(join(system, name), { recursive: true })
  writeFileSync(join(system, 'resolv.conf'), '')
  const mounts = join(root, 'mounts')
  writeFileSync(
    mounts,
    [
      '/dev/vda / ext4 rw 0 0',
      `/dev/vdb ${volume.replace(' ', '\\040')} ext4 rw 0 0`,
      'proc /proc proc rw 0 0',
      // Mounts of the system on an ordinary machine.
      `/dev/vda ${system}/kubelet ext4 rw 0 0`,
      `overlay ${system}/overlay overlay rw 0 0`,
      `tmpfs ${system}/tmpfs tmpfs rw 0 0`,
      `lxcfs ${system}/lxcfs fuse.lxcfs rw 0 0`,
      `/dev/vdd ${system}/resolv.conf ext4 rw 0 0`,
      '/dev/vda15 /boot/efi vfat rw 0 0',
      '/dev/loop0 /snap/core/1 squashfs ro 0 0',
      ...systemMounts.map((mount) => mount.replace('SYSTEM', system)),
      '',
    ].join('\n'),
  )
  const set = {
    HOME: home,
    TMUX_TMPDIR: tmux,
    SCREENDIR: join(root, 'screens'),
    PATH: `${programs}:/usr/local/bin:/usr/bin:/bin`,
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...env,
  }
  const { target } = await sshdTarget({
    SetEnv: Object.entries(set)
      .map(([name, value]) => `"${name}=${value}"`)
      .join(' '),
  })
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const clock = fakeClock(1_795_269_600)
  const consents = openConsents(flakySettings())
  const watched: Job[] = []
  const view = machine({ id: 'm1', address: target.host })
  const sshMachines = sshMachinesOf({
    consents,
    machine: () => view,
    clock,
    ssh: {
      reach: () => Promise.resolve({ kind: 'reachable', target }),
      record: () => Promise.resolve(),
    },
  })
  const lastLook = createLastLook({
    machine: (_account, id) => (id === 'm1' ? view : undefined),
    sshMachines,
    consents,
    clock,
    runningJobs: () => Promise.resolve(watched),
    // A busy computer may need longer than the usual limit.
    script: (before) =>
      lookScript(before, { seconds: 300, mounts, systemMounts: `${system}/*`, folders: `${root}/none*` }),
  })
  onTestFinished(() => lastLook.close())
  const look = (before: 'stop' | 'delete' = 'delete'): Promise<LookOutcome> =>
    lastLook.look({ account, machine: 'm1', before, mayAsk: true })
  const git = (folder: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
      cwd: folder,
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', HOME: home },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  /** Creates a repository with one commit. */
  function repository(path: string): string {
    mkdirSync(path, { recursive: true })
    git(path, 'init', '-q', '-b', 'main')
    writeFileSync(join(path, 'a'), 'a')
    git(path, 'add', '.')
    git(path, 'commit', '-qm', 'first')
    return path
  }
  /** Creates a repository whose commits are pushed to a bare one outside the places that are read. */
  function pushed(path: string): string {
    const far = join(root, 'far')
    repository(path)
    git(root, 'init', '-q', '--bare', '-b', 'main', far)
    git(path, 'push', '-q', far, 'main')
    git(path, 'remote', 'add', 'origin', far)
    git(path, 'fetch', '-q', 'origin')
    return path
  }
  function program(name: string, body: string): void {
    writeFileSync(join(programs, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(programs, name), 0o755)
  }
  const allow = () => consents.answer(account, 'm1', { look: true })
  async function looked(before: 'stop' | 'delete' = 'delete'): Promise<LastLook> {
    await allow()
    const outcome = await look(before)
    return outcome.kind === 'looked' ? outcome.look : expect.fail(JSON.stringify(outcome))
  }
  return {
    root,
    home,
    volume,
    system,
    env: set,
    clock,
    consents,
    lastLook,
    look,
    looked,
    allow,
    git,
    repository,
    pushed,
    program,
    watched,
  }
}

/** Names, sizes and times of all files below a folder. */
const everything = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const { size, mtimeMs, ctimeMs } = statSync(join(folder, name))
      return `${name} ${String(size)} ${String(mtimeMs)} ${String(ctimeMs)}`
    })

describeWith(['sshd', 'ssh', 'git'], 'a look at a machine before it is deleted', () => {
  it('finds Git work that is uncommitted, unpushed or stashed, at home and on volumes', async () => {
    const { home, volume, git, repository, pushed, looked } = await setUp()
    pushed(join(home, 'clean'))
    const dirty = join(home, 'with space\tand tab')
    git(home, 'clone', '-q', join(home, '..', 'far'), dirty)
    writeFileSync(join(dirty, 'a'), 'b')
    writeFileSync(join(dirty, 'new'), 'n')
    const stashed = join(home, 'deep/er/stashed')
    git(home, 'clone', '-q', join(home, '..', 'far'), stashed)
    writeFileSync(join(stashed, 'a'), 'c')
    git(stashed, 'stash', '-q')
    repository(join(volume, 'local'))
    mkdirSync(join(home, 'empty'))
    git(join(home, 'empty'), 'init', '-q')
    git(home, 'clone', '-q', '--bare', join(home, '..', 'far'), join(home, 'mirror.git'))
    const before = everything(home)
    const look = await looked()
    // A refreshed index or a lock would be a write.
    expect(everything(home)).toEqual(before)
    const counts = look.repositories.map(({ path, changes, unpushed, tagged, stashes, problem }) => [
      path,
      [changes, unpushed, tagged, stashes],
      problem,
    ])
    expect(new Set(counts)).toEqual(
      new Set([
        [stashed, [0, 0, 0, 1], null],
        [join(home, 'mirror.git'), [0, 1, 0, 0], null],
        [dirty, [2, 0, 0, 0], null],
        [join(volume, 'local'), [0, 1, 0, 0], null],
      ]),
    )
    expect([look.cleanRepositories, look.gaps, isComplete(look)]).toEqual([2, [], true])
  })

  it('counts commits that only tags reach', async () => {
    const { home, git, pushed, looked } = await setUp()
    const path = pushed(join(home, 'tagged'))
    git(path, 'tag', 'pushed')
    git(path, 'checkout', '-q', '--detach')
    git(path, 'commit', '-q', '--allow-empty', '-m', 'second')
    git(path, 'tag', '-a', '-m', 'an old run', 'v2')
    git(path, 'checkout', '-q', 'main')
    expect((await looked()).repositories).toEqual([
      { path, changes: 0, unpushed: 0, tagged: 1, stashes: 0, problem: null },
    ])
    git(path, 'tag', '-d', 'v2')
    expect((await looked()).cleanRepositories).toBe(1)
  })

  it('takes a clone in which nobody committed for clean, with any tag or commit checked out', async () => {
    const { home, git, pushed, looked } = await setUp()
    const author = pushed(join(home, 'author'))
    git(author, 'checkout', '-q', '-b', 'release')
    git(author, 'commit', '-q', '--allow-empty', '-m', 'a release')
    git(author, 'tag', 'v1')
    git(author, 'push', '-q', 'origin', 'v1')
    const clone = join(home, 'clone')
    git(home, 'clone', '-q', join(home, '..', 'far'), clone)
    git(clone, 'checkout', '-q', 'v1')
    git(home, 'clone', '-q', '--depth', '1', '--branch', 'v1', `file://${join(home, '..', 'far')}`, 'shallow')
    expect((await looked()).repositories.map(({ path }) => path)).toEqual([author])
    git(clone, 'commit', '-q', '--allow-empty', '-m', 'own')
    expect((await looked()).repositories).toContainEqual(
      expect.objectContaining({ path: clone, unpushed: 2, tagged: 0 }),
    )
  })

  it('reports a repository of another user as unread', async () => {
    const { home, pushed, looked } = await setUp({ GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' })
    pushed(join(home, 'theirs'))
    const look = await looked()
    expect(look.cleanRepositories).toBe(0)
    expect(look.repositories).toMatchObject([{ path: join(home, 'theirs'), changes: null }])
    expect(look.repositories[0]?.problem).toContain('dubious ownership')
    expect(isComplete(look)).toBe(false)
  })

  it('does not run a monitor that a repository names', async () => {
    const { home, root, git, pushed, looked, program } = await setUp()
    const path = pushed(join(home, 'watched'))
    program('monitor', `touch ${root}/ran`)
    git(path, 'config', 'core.fsmonitor', join(root, 'bin', 'monitor'))
    expect((await looked()).cleanRepositories).toBe(1)
    expect(readdirSync(root)).not.toContain('ran')
  })

  it('finds large new files, but no small or old ones', async () => {
    const { home, volume, looked } = await setUp()
    const large = (path: string): string => {
      writeFileSync(path, '')
      truncateSync(path, largeFile.bytes + 1_000)
      return path
    }
    const model = large(join(home, 'model.bin'))
    execFileSync('touch', ['-d', '2001-01-01', large(join(home, 'old.bin'))])
    writeFileSync(join(home, 'small.bin'), 'x')
    const onVolume = large(join(volume, 'data.bin'))
    const { files, gaps } = await looked()
    expect(files.map(({ path, bytes, mount }) => [path, bytes, mount])).toEqual([
      [model, largeFile.bytes + 1_000, null],
      [onVolume, largeFile.bytes + 1_000, volume],
    ])
    expect(gaps).toEqual([])
  })

  it('reports disks in places of the system, which are not searched', async () => {
    const { system, looked } = await setUp({}, [
      '/dev/vdc SYSTEM/docker ext4 rw 0 0',
      'tank/data SYSTEM/hidden\\040pool zfs rw 0 0',
    ])
    const look = await looked()
    expect(look.gaps).toEqual([
      { part: 'files', reason: 'not-searched', path: `${system}/docker` },
      { part: 'files', reason: 'not-searched', path: `${system}/hidden pool` },
    ])
    expect(isComplete(look)).toBe(false)
  })

  it('reports programs on the GPUs, and a tool that fails', async () => {
    const { looked, program } = await setUp()
    const child = execFileSync('sh', ['-c', 'sleep 600 >/dev/null 2>&1 & echo $!'], {
      encoding: 'utf8',
    }).trim()
    onTestFinished(() => void process.kill(Number(child)))
    program('nvidia-smi', `echo ${child}`)
    expect((await looked('stop')).programs).toEqual([{ pid: Number(child), command: 'sleep 600' }])
    program('nvidia-smi', 'echo "NVIDIA-SMI has failed"; exit 9')
    expect((await looked('stop')).gaps).toEqual([{ part: 'gpus', reason: 'NVIDIA-SMI has failed' }])
  })

  it('survives hostile names and output without an end', async () => {
    const { home, looked, program, repository } = await setUp()
    repository(join(home, '\u001B]0;x\u0007evil\nend\nrepository /tmp'))
    program('git', 'yes "?? file"')
    program('nvidia-smi', 'head -c 100000000 /dev/zero')
    const look = await looked()
    expect(look.gaps.map(({ part }) => part)).toEqual(expect.arrayContaining(['gpus', 'files']))
    expect([look.cleanRepositories, isComplete(look)]).toEqual([0, false])
  })

  it('needs its own consent, and reads no disk before a stop', async () => {
    const { home, consents, look, looked, repository } = await setUp()
    repository(join(home, 'r'))
    await consents.answer(account, null, { gpu: true, services: true, files: true, startup: true })
    expect(await look()).toEqual({ kind: 'no-consent' })
    expect(await looked('stop')).toMatchObject({ repositories: [], files: [], gaps: [] })
    await consents.answer(account, 'm1', { look: false })
    expect(await look()).toEqual({ kind: 'no-consent' })
  })

  it('a look that takes ten seconds ends with its findings so far', async () => {
    const { home, root, clock, looked, program, repository } = await setUp()
    const path = repository(join(home, 'r'))
    program('git', `touch ${root}/began; exec sleep 600`)
    // A machine without `timeout` waits for the tool.
    program('timeout', 'shift; exec "$@"')
    const ended = looked()
    await expect.poll(() => readdirSync(root), { timeout: 20_000 }).toContain('began')
    clock.advance(10)
    expect(await ended).toMatchObject({
      repositories: [{ path, changes: null, problem: 'cut-off' }],
      gaps: [
        { part: 'answer', reason: 'cut-off' },
        { part: 'answer', reason: 'out-of-time' },
      ],
    })
  })
})

describeWith(['sshd', 'ssh', 'tmux', 'screen'], 'a look at sessions', () => {
  it('lists started commands that still run', async () => {
    const { home, looked } = await setUp()
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    function job(id: string, command: string, ofBoot: string, files: readonly string[] = []): void {
      const folder = join(home, '.cache/wheelhouse/jobs', id)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'command'), command)
      writeFileSync(join(folder, 'runner'), `${String(process.pid)} 1 ${ofBoot} 1\n`)
      for (const file of files) writeFileSync(join(folder, file), '0 1\n')
    }
    job('ab12', String.raw`printf 'a\nend\c'` + '\u001b\nend\n', boot)
    job('cd34', 'ended', boot, ['code'])
    job('ef56', 'rebooted', 'other')
    const { sessions, gaps } = await looked('stop')
    expect([sessions, gaps]).toEqual([[{ tool: 'job', name: String.raw`printf 'a\nend\c'  end` }], []])
  })

  it('lists the sessions of tmux and screen', async () => {
    const { env, looked } = await setUp()
    mkdirSync(env.SCREENDIR, { mode: 0o700 })
    const run = (file: string, args: readonly string[]) =>
      execFileSync(file, args, { env: { ...process.env, ...env, TERM: 'xterm' } })
    run('tmux', ['new-session', '-d', '-s', 'train run', 'sleep 600'])
    run('tmux', ['-L', 'other', 'new-session', '-d', '-s', 'exit 0', 'sleep 600'])
    run('screen', ['-dmS', 'eval', 'sleep', '600'])
    onTestFinished(() => {
      run('tmux', ['kill-server'])
      run('tmux', ['-L', 'other', 'kill-server'])
      run('screen', ['-S', 'eval', '-X', 'quit'])
    })
    const { sessions, gaps } = await looked('stop')
    expect(sessions.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { tool: 'screen', name: 'eval' },
      { tool: 'tmux', name: 'exit 0' },
      { tool: 'tmux', name: 'train run' },
    ])
    expect(gaps).toEqual([])
  })
})
