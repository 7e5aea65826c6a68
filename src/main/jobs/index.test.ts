import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Job, JobTarget, JobView } from '#shared/bridge/job'
import { createEmitter } from '#shared/emitter'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { installation } from '../../../test/fixtures/private-documents'
import { account, machine } from '../../../test/fixtures/ssh-harness'
import { sshMachinesOf } from '../../../test/fixtures/ssh-machines'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'
import type { GoneMachines } from '../fleet/index'
import { openConsents } from '../ssh/machines/consents'
import { createJobs } from './index'

const start = Math.floor(Date.now() / 1000)

/** A machine with a home folder and a tmux of its own behind a real sshd, on a clock that the test sets. */
async function setUp(programs = '/usr/local/bin:/usr/bin:/bin') {
  const root = realpathSync(temporaryFolder())
  const home = join(root, 'my home')
  const tmux = join(root, 't')
  for (const folder of [home, tmux]) mkdirSync(folder, { mode: 0o700 })
  const env = { HOME: home, TMUX_TMPDIR: tmux, PATH: programs }
  const { target } = await sshdTarget({
    SetEnv: Object.entries(env)
      .map(([name, value]) => `"${name}=${value}"`)
      .join(' '),
  })
  const inTmux = (...args: readonly string[]): string =>
    execFileSync('tmux', args, { env: { ...process.env, ...env }, encoding: 'utf8', stdio: 'pipe' })
  onTestFinished(() => {
    try {
      inTmux('kill-server')
    } catch {
      // No server runs.
    }
    rmSync(root, { recursive: true, force: true })
  })
  const clock = fakeClock(start)
  const consents = openConsents(flakySettings())
  await consents.answer(account, 'm1', { jobs: true })
  const installed = installation()
  const gone = createEmitter<GoneMachines>()
  const notices: { readonly title: string; readonly body: string }[] = []
  const world: { idleSince: number | null } = { idleSince: null }
  const view = machine({ id: 'm1', address: target.host })
  async function open() {
    const { documents, open: openStore, quit } = installed.start()
    await openStore()
    const sshMachines = sshMachinesOf({
      consents,
      machine: () => view,
      clock,
      ssh: {
        reach: () => Promise.resolve({ kind: 'reachable', target }),
        record: () => Promise.resolve(),
      },
    })
    const jobs = createJobs({
      documents,
      machine: (_account, id) => (id === 'm1' ? view : undefined),
      fleet: { onChange: () => () => undefined },
      onGone: gone.on,
      details: [],
      sshMachines,
      consents,
      idleSince: (_account, _machine, minutes) =>
        world.idleSince !== null && clock.now() - world.idleSince >= minutes * 60 ? world.idleSince : null,
      costsOf: () =>
        Promise.resolve(
          new Map([['m1', { perHour: { currency: 'USD', millionths: 3_600_000 }, cost: null }]]),
        ),
      destination: () => ({ page: 'machines', account, machine: 'm1', tab: 'jobs' }),
      showNotification: (_kind, { title, body, output = '' }) =>
        void notices.push({ title, body: `${body}\n${output}` }),
      clock,
      report: (action, error) => expect.fail(`${action}: ${String(error)}`),
    })
    onTestFinished(() => jobs.close())
    jobs.start()
    return Object.assign(jobs, {
      async quit(): Promise<void> {
        jobs.close()
        await quit()
      },
    })
  }
  return { root, home, inTmux, clock, consents, installed, gone, notices, world, open }
}
type World = Awaited<ReturnType<typeof setUp>>
type OpenJobs = Awaited<ReturnType<World['open']>>

async function watch(jobs: OpenJobs, target: JobTarget): Promise<JobView> {
  const outcome = await jobs.handlers['jobs.watch']({ account, machine: 'm1', target })
  return outcome.kind === 'watching' ? outcome.job : expect.fail(JSON.stringify(outcome))
}
/** Lets minutes pass until the job has ended or is lost, and returns it. */
async function settled({ clock }: World, jobs: OpenJobs, id: string): Promise<Job> {
  const find = () => jobs.list(account).find((job) => job.id === id)
  await expect
    .poll(
      () => {
        clock.advance(60)
        return find()?.state.kind
      },
      { timeout: 30_000, interval: 300 },
    )
    .toMatch(/ended|lost/)
  return find() ?? expect.fail()
}

let world: World
beforeEach(async () => {
  world = await setUp()
})

describeWith(['sshd', 'ssh', 'tmux'], 'a command that is started on a machine', () => {
  it('runs in tmux without the connection; its end is notified once with code, cost and last lines', async () => {
    const { home, clock, notices, open, installed } = world
    const jobs = await open()
    const command = `printf '\\033[31mred\\033[0m\\n1 %%\\r2 %%\\n'; pwd; exit 3`
    const job = await watch(jobs, { kind: 'command', command })
    expect(job).toMatchObject({ subject: { kind: 'command', isInTmux: true }, state: { kind: 'running' } })
    expect(await settled(world, jobs, job.id)).toMatchObject({ state: { kind: 'ended', code: 3 } })
    await expect.poll(() => notices.length).toBe(1)
    expect(notices[0]?.title).toMatch(/^Exit code 3 on .*: printf/)
    expect(notices[0]?.body).toMatch(new RegExp(`^After \\d.*\nred\n2 %\n${home}$`))
    clock.advance(300)
    await jobs.quit()
    expect(installed.plainText()).not.toMatch(/printf|trainer/)
    const restarted = await open()
    clock.advance(300)
    expect(restarted.list(account)).toMatchObject([{ state: { kind: 'ended', code: 3 } }])
    expect(notices).toHaveLength(1)
  })

  it('is found again after a restart of the application', async () => {
    const { notices, open, root } = world
    const first = await open()
    const gate = join(root, 'gate')
    const job = await watch(first, {
      kind: 'command',
      command: `until [ -f '${gate}' ]; do sleep 0.1; done; echo it\\'s done`,
    })
    await first.quit()
    writeFileSync(gate, '')
    const second = await open()
    expect(await settled(world, second, job.id)).toMatchObject({ state: { kind: 'ended', code: 0 } })
    await expect.poll(() => notices[0]?.body).toMatch(/it's done$/)
  })

  it('outlives the connection without tmux', async () => {
    // All programs of the machine but tmux.
    const programs = join(world.root, 'bin')
    mkdirSync(programs)
    for (const folder of ['/usr/bin', '/bin'])
      for (const name of readdirSync(folder))
        if (name !== 'tmux' && !existsSync(join(programs, name)))
          symlinkSync(join(folder, name), join(programs, name))
    const bare = await setUp(programs)
    const first = await bare.open()
    const gate = join(bare.root, 'gate')
    const command = `until [ -f '${gate}' ]; do sleep 0.1; done; echo done; exit 4`
    const job = await watch(first, { kind: 'command', command })
    expect(job).toMatchObject({ subject: { kind: 'command', isInTmux: false }, state: { kind: 'running' } })
    await first.quit()
    const second = await bare.open()
    bare.clock.advance(60)
    expect(second.list(account)).toMatchObject([{ state: { kind: 'running' } }])
    writeFileSync(gate, '')
    expect(await settled(bare, second, job.id)).toMatchObject({ state: { kind: 'ended', code: 4 } })
    await expect.poll(() => bare.notices[0]?.body).toMatch(/done$/)
  })

  it('is ended with its children, and its exit code is kept', async () => {
    const { open } = world
    const jobs = await open()
    const job = await watch(jobs, { kind: 'command', command: 'sleep 1000 | sleep 1000' })
    expect(await jobs.handlers['jobs.end']({ account, job: job.id, signal: 'TERM' })).toEqual({
      kind: 'ended',
    })
    expect(await settled(world, jobs, job.id)).toMatchObject({ state: { kind: 'ended', code: 143 } })
  })

  it('shows only the end of an endless log without line ends', async () => {
    const { open, home } = world
    const jobs = await open()
    const job = await watch(jobs, {
      kind: 'command',
      command: "head -c 100000000 /dev/zero | tr '\\0' 'x'; printf '\\033]0;title\\007\\001end'",
    })
    await settled(world, jobs, job.id)
    const log = await jobs.handlers['jobs.log']({ account, job: job.id })
    expect(log).toMatchObject({ kind: 'log', isCut: true })
    expect(log.kind === 'log' && log.text.length).toBeLessThanOrEqual(32_768)
    expect(log.kind === 'log' && log.text).toMatch(/^x+end$/)
    const { subject } = job
    const folder = subject.kind === 'command' ? subject.id : ''
    rmSync(join(home, '.cache/wheelhouse/jobs', folder), { recursive: true })
    expect(await jobs.handlers['jobs.log']({ account, job: job.id })).toEqual({ kind: 'none' })
  })

  it('is known to have ended soon after its log is read, without another minute', async () => {
    const jobs = await world.open()
    const gate = join(world.root, 'log-gate')
    const job = await watch(jobs, { kind: 'command', command: `until [ -f '${gate}' ]; do sleep 0.1; done` })
    writeFileSync(gate, '')
    await expect
      .poll(
        async () => {
          await jobs.handlers['jobs.log']({ account, job: job.id })
          return jobs.list(account)[0]?.state.kind
        },
        { timeout: 30_000, interval: 300 },
      )
      .toBe('ended')
  })

  it('gets the umask and the locale of the user, not of the script', async () => {
    const jobs = await world.open()
    const job = await watch(jobs, { kind: 'command', command: 'umask; echo "${LC_ALL-none}"' })
    await settled(world, jobs, job.id)
    expect(await jobs.handlers['jobs.log']({ account, job: job.id })).toMatchObject({
      text: `${process.umask().toString(8).padStart(4, '0')}\nnone`,
    })
  })

  it('whose files were removed, or that a reboot ended, is lost', async () => {
    const { open, home, notices } = world
    const jobs = await open()
    const folder = ({ subject }: JobView): string =>
      join(home, '.cache/wheelhouse/jobs', subject.kind === 'command' ? subject.id : '')
    const removed = await watch(jobs, { kind: 'command', command: 'sleep 1000' })
    const rebooted = await watch(jobs, { kind: 'command', command: 'sleep 1001' })
    rmSync(folder(removed), { recursive: true })
    const runner = join(folder(rebooted), 'runner')
    const [pid, began, , at] = readFileSync(runner, 'utf8').trim().split(' ')
    writeFileSync(runner, `${pid} ${began} 00000000-0000-0000-0000-000000000000 ${at}\n`)
    expect(await settled(world, jobs, removed.id)).toMatchObject({
      state: { kind: 'lost', why: 'files-gone' },
    })
    expect(await settled(world, jobs, rebooted.id)).toMatchObject({
      state: { kind: 'lost', why: 'rebooted' },
    })
    await expect
      .poll(() => notices.map(({ title }) => title))
      .toContain('No longer known on trainer 01: sleep 1001')
  })
})

describeWith(['sshd', 'ssh', 'tmux'], 'a program that already runs', () => {
  it('is watched by PID, start time and user, with the file that it prints to', async () => {
    const { open, notices, root } = world
    const jobs = await open()
    const log = join(root, 'train log')
    const child = spawn('sh', ['-c', `echo epoch 1; exec sleep 1000 > '${log}'`], { stdio: 'ignore' })
    onTestFinished(() => void child.kill())
    writeFileSync(log, 'epoch 1\n')
    const pid = child.pid ?? expect.fail()
    await expect.poll(() => readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8')).toBe('sleep\x001000\x00')
    const job = await watch(jobs, { kind: 'process', pid })
    expect(job.name).toBe('sleep 1000')
    expect(job.subject).toMatchObject({ kind: 'process', process: { pid }, log })
    expect(await jobs.runningOn(account, 'm1')).toMatchObject([{ id: job.id }])
    const other: JobTarget = { kind: 'process', pid, start: '1' }
    expect(await jobs.handlers['jobs.watch']({ account, machine: 'm1', target: other })).toEqual({
      kind: 'refused',
      why: 'no-process',
    })
    writeFileSync(log, 'epoch 2\n')
    child.kill()
    expect(await settled(world, jobs, job.id)).toMatchObject({ state: { kind: 'ended', code: null } })
    expect(await jobs.runningOn(account, 'm1')).toEqual([])
    await expect.poll(() => notices[0]?.body).toMatch(/epoch 2$/)
  })

  it('is found among the user’s programs, without programs of the connection', async () => {
    const jobs = await world.open()
    const child = spawn('sh', ['-c', ': find me; while :; do :; done'], { stdio: 'ignore', detached: true })
    onTestFinished(() => void child.kill('SIGKILL'))
    const pid = child.pid ?? expect.fail()
    const find = async () => {
      const listed = await jobs.handlers['jobs.processes']({ account, machine: 'm1' })
      return listed.kind === 'processes' ? listed.processes : []
    }
    await expect
      .poll(async () => (await find()).find((one) => one.pid === pid)?.command, { timeout: 60_000 })
      .toBe('sh -c : find me; while :; do :; done')
    const listed = await find()
    expect(listed.filter(({ command }) => /eval "|^sshd: /.test(command))).toEqual([])
    const { start } = listed.find((one) => one.pid === pid) ?? expect.fail()
    expect(await watch(jobs, { kind: 'process', pid, start })).toMatchObject({ state: { kind: 'running' } })
  })

  it('is described with the backslashes of its command line', async () => {
    const jobs = await world.open()
    const script = String.raw`sleep 1000; : 'a\nlog /etc/passwd\c'`
    const child = spawn('sh', ['-c', script], { stdio: 'ignore', detached: true })
    const pid = child.pid ?? expect.fail()
    onTestFinished(() => void process.kill(-pid))
    await expect.poll(() => readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8')).toContain('sleep')
    const job = await watch(jobs, { kind: 'process', pid })
    expect(job.subject).toMatchObject({ command: `sh -c ${script}`, log: null })
  })

  it('in a tmux pane runs until the whole pipeline has ended', async () => {
    const { clock, open, inTmux } = world
    inTmux('new-session', '-d', '-s', 'work', 'bash --norc')
    inTmux('send-keys', '-t', 'work', 'sleep 1001 | sleep 1002', 'Enter')
    const jobs = await open()
    const find = async () => {
      const listed = await jobs.handlers['jobs.panes']({ account, machine: 'm1' })
      return listed.kind === 'panes'
        ? listed.panes.find(({ command }) => command === 'sleep 1001')
        : undefined
    }
    await expect.poll(find).toBeDefined()
    const { socket, pane } = (await find()) ?? expect.fail()
    const job = await watch(jobs, { kind: 'pane', socket, pane })
    const { subject } = job
    const first = subject.kind === 'pane' ? subject.process.pid : expect.fail()
    process.kill(first)
    await expect.poll(() => existsSync(`/proc/${String(first)}`)).toBe(false)
    for (let minute = 0; minute < 3; minute += 1) {
      clock.advance(60)
      // An answer takes a moment.
      await sleep(300)
    }
    expect(jobs.list(account)).toMatchObject([{ state: { kind: 'running' } }])
    inTmux('send-keys', '-t', 'work', 'C-c', '')
    expect(await settled(world, jobs, job.id)).toMatchObject({ state: { kind: 'ended' } })
  })

  it('in a tmux pane is listed and watched until it ends, while its shell goes on', async () => {
    const { open, inTmux } = world
    inTmux('new-session', '-d', '-s', 'my work', 'sh')
    inTmux('send-keys', '-t', 'my work', 'sleep 1000', 'Enter')
    const jobs = await open()
    const panes = async () => {
      const listed = await jobs.handlers['jobs.panes']({ account, machine: 'm1' })
      return listed.kind === 'panes' ? listed.panes : []
    }
    await expect.poll(panes).toMatchObject([{ label: 'my work:0.0', command: 'sleep 1000', isIdle: false }])
    const [pane] = await panes()
    if (!pane) expect.fail()
    const job = await watch(jobs, { kind: 'pane', socket: pane.socket, pane: pane.pane })
    inTmux('send-keys', '-t', 'my work', 'C-c', '')
    await settled(world, jobs, job.id)
    const log = await jobs.handlers['jobs.log']({ account, job: job.id })
    expect(log.kind === 'log' && log.text).toMatch(/sleep 1000/)
    inTmux('has-session', '-t', 'my work')
  })
})

describeWith(['sshd', 'ssh', 'tmux'], 'jobs of a machine', () => {
  it('need their own consent, and are not asked about without it', async () => {
    const { consents, open } = world
    const jobs = await open()
    const job = await watch(jobs, { kind: 'command', command: 'sleep 1000' })
    await expect.poll(() => jobs.list(account)).toMatchObject([{ link: { kind: 'connected' } }])
    expect(await jobs.runningOn(account, 'm1')).toHaveLength(1)
    await consents.answer(account, 'm1', { jobs: false })
    expect(await jobs.runningOn(account, 'm1')).toEqual([])
    expect(jobs.list(account)).toMatchObject([{ link: null, isAllowed: false, state: { kind: 'running' } }])
    const target: JobTarget = { kind: 'command', command: 'true' }
    expect(await jobs.handlers['jobs.watch']({ account, machine: 'm1', target })).toEqual({
      kind: 'refused',
      why: 'no-consent',
    })
    await jobs.handlers['jobs.end']({ account, job: job.id, signal: 'KILL' })
  })

  it('are lost when the machine is deleted', async () => {
    const { open, gone, notices } = world
    const jobs = await open()
    await watch(jobs, { kind: 'idle', minutes: 10 })
    gone.emit({ account, machines: [machine({ id: 'm1' })], expected: false })
    await expect.poll(() => notices.length).toBe(1)
    expect(jobs.list(account)).toMatchObject([{ state: { kind: 'lost', why: 'machine-gone' } }])
  })

  it('end when the GPUs fall idle by readings', async () => {
    const { clock, open, notices, world: facts } = world
    const jobs = await open()
    const job = await watch(jobs, { kind: 'idle', minutes: 10 })
    expect(await jobs.runningOn(account, 'm1')).toEqual([])
    clock.advance(600)
    expect(notices).toEqual([])
    facts.idleSince = clock.now()
    clock.advance(540)
    expect(notices).toEqual([])
    clock.advance(120)
    expect(await settled(world, jobs, job.id)).toMatchObject({ state: { kind: 'ended' } })
    expect(notices).toMatchObject([{ title: 'The GPUs of trainer 01 are idle' }])
  })
})
