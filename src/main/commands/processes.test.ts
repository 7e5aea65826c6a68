import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { EndOutcome } from '#shared/bridge/process'
import type { EndRequest } from '#shared/end-process'
import { makeKey, startSshd, temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { account, telemetryHarness, telemetryServer } from '../../../test/fixtures/telemetry-harness'
import { programsCommand, programsOf } from '../gpu/tools/programs'
import { createProcesses, endOutcome } from './processes'

/** Returns a process as Wheelhouse lists it. */
function listedNow(pid: number): Omit<EndRequest, 'signal'> | null {
  const { stdout } = spawnSync('/bin/sh', ['-c', programsCommand([pid])], { encoding: 'utf8' })
  const { user = '', start = null } = programsOf(stdout).get(pid) ?? {}
  return start === null ? null : { pid, user, start }
}
const listed = (pid: number): Omit<EndRequest, 'signal'> => listedNow(pid) ?? expect.fail(`no process ${pid}`)

const pidOf = ({ pid }: ChildProcess): number => pid ?? expect.fail('not started')

/** Ends processes of this computer over a real sshd. Files in `devices` count as devices of a GPU. */
async function onThisComputer() {
  const folder = temporaryFolder()
  const [hostKey, key] = [makeKey(join(folder, 'host')), makeKey(join(folder, 'id'))]
  const sshd = await startSshd({ hostKeys: [hostKey], admits: key, command: 'none' })
  const harness = telemetryHarness(() => sshd.port, { privateKey: readFileSync(key, 'utf8') })
  harness.place('m1', sshd.user)
  const processes = createProcesses({
    machine: (_account, id) => harness.machines.get(id),
    sshMachines: harness.sshMachines,
    devices: [join(folder, 'gpu')],
  })
  onTestFinished(async () => {
    processes.close()
    await sshd.close()
    rmSync(folder, { recursive: true })
  })
  return {
    /** Starts a shell that has a file of that name open. `script` ends by a signal only. */
    async start(script: string, device: string): Promise<ChildProcess> {
      const file = openSync(join(folder, device), 'w')
      const program = spawn('/bin/sh', ['-c', `${script}; echo ready >&2; while :; do sleep 0.1; done`], {
        stdio: ['ignore', file, 'pipe'],
      })
      closeSync(file)
      onTestFinished(() => void program.kill('SIGKILL'))
      if (program.stderr) await once(program.stderr, 'data')
      return program
    },
    end: (request: Omit<EndRequest, 'signal'>, signal: EndRequest['signal'] = 'TERM') =>
      processes.handlers['process.end']({ account, machine: 'm1', ...request, signal }),
  }
}
const refused = (why: Extract<EndOutcome, { kind: 'refused' }>['why']) => ({ kind: 'refused', why })

describeWith(['sshd'], 'ending a process on a machine', () => {
  it('sends SIGTERM to a process with a GPU open, and then finds it gone', async () => {
    const { start, end } = await onThisComputer()
    const program = await start('true', 'gpu0')
    const exit = once(program, 'exit')
    const request = listed(pidOf(program))
    expect(await end(request)).toEqual({ kind: 'ended' })
    expect(await exit).toEqual([null, 'SIGTERM'])
    expect(await end(request)).toEqual({ kind: 'gone' })
  })

  it('reports a process that ignores SIGTERM, and ends it by SIGKILL', async () => {
    const { start, end } = await onThisComputer()
    const program = await start("trap '' TERM", 'gpu0')
    const request = listed(pidOf(program))
    expect(await end(request)).toEqual({ kind: 'running' })
    expect(program.exitCode).toBeNull()
    expect(await end(request, 'KILL')).toEqual({ kind: 'ended' })
  })

  it('refuses other processes: another start or user, no GPU, PID 1, and the session itself', async () => {
    const { start, end } = await onThisComputer()
    const program = await start('true', 'gpu0')
    const other = await start('true', 'notes')
    const request = listed(pidOf(program))
    expect(await end({ ...request, start: '1' })).toEqual(refused('changed'))
    expect(await end({ ...request, user: 'nobody-else' })).toEqual(refused('changed'))
    expect(await end(listed(pidOf(other)))).toEqual(refused('no-gpu'))
    expect(await end({ ...request, pid: 1 })).toEqual(refused('init'))
    // Its own sshd has this computer's test as an ancestor.
    expect(await end(listed(process.pid))).toEqual(refused('session'))
    const sessions = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .flatMap((line) => (/sshd: .*(?:@notty|\[priv\])/.test(line) ? Number.parseInt(line, 10) : []))
    // Sessions of other tests may end meanwhile.
    const outcomes: unknown[] = []
    for (const pid of sessions) {
      const session = listedNow(pid)
      if (session) outcomes.push((await end(session)).kind)
    }
    expect(outcomes).toContain('refused')
    expect(outcomes.filter((kind) => kind !== 'refused' && kind !== 'gone')).toEqual([])
    expect(program.exitCode).toBeNull()
    expect(other.exitCode).toBeNull()
  })
})

describe('the answer of a machine', () => {
  it('is no result if the script printed none, was cut off or never began', () => {
    const finished = { kind: 'finished', stdout: '', stderr: '', status: 0 } as const
    expect(endOutcome({ ...finished, stdout: 'refused no-gpu\n' })).toEqual(refused('no-gpu'))
    expect(endOutcome(finished)).toEqual({ kind: 'unanswered', state: { kind: 'exited', code: 0 } })
    expect(endOutcome({ kind: 'timed-out' })).toMatchObject({ state: { kind: 'timed-out', mayRun: true } })
    expect(endOutcome({ kind: 'timed-out', isLogin: true })).toMatchObject({ state: { beforeStart: true } })
    expect(endOutcome({ kind: 'not-begun', why: 'restricted', said: '' })).toMatchObject({
      state: { kind: 'not-begun', why: 'restricted' },
    })
  })
})

describe('a process of the sandbox', () => {
  it('ends with its memory and its work, or ignores SIGTERM first', async () => {
    const ended: number[] = []
    const server = await telemetryServer([
      {
        name: 'm1',
        gpuProfile: () => 'spinning',
        ended: () => ended,
        endProcess: (pid) => ended.push(pid),
      },
    ])
    const harness = telemetryHarness(server.port)
    const { handlers, close } = createProcesses({
      machine: (_account, id) => harness.machines.get(id),
      sshMachines: harness.sshMachines,
    })
    onTestFinished(close)
    await harness.telemetry.handlers['gpu.look']({ account, machine: 'm1', looking: true })
    await harness.read()
    const view = await harness.viewWhere(({ report }) => {
      if (report?.kind === 'gpus' && report.isDetailed) return true
      harness.pass(60)
      return false
    })
    const [process] = view.report?.kind === 'gpus' ? (view.report.processes ?? []) : []
    if (!process?.user || !process.start) expect.fail(JSON.stringify(view.report))
    const { pid, user, start } = process
    const end = (signal: EndRequest['signal'], changes: Partial<EndRequest> = {}) =>
      handlers['process.end']({ account, machine: 'm1', pid, user, start, signal, ...changes })
    expect(await end('TERM', { start: '7' })).toEqual(refused('changed'))
    expect(await end('TERM', { pid: 1 })).toEqual(refused('init'))
    expect(await end('TERM')).toEqual({ kind: 'running' })
    expect(await end('KILL')).toEqual({ kind: 'ended' })
    expect(await end('KILL')).toEqual({ kind: 'gone' })
    expect(ended).toEqual([pid])
    harness.pass(60)
    const after = await harness.viewWhere(
      ({ report }) => report?.kind === 'gpus' && report.gpus[0]?.utilization === 0,
    )
    expect(after.report?.kind === 'gpus' && after.report.gpus[0]?.memoryUsed).toBe(0)
  })
})
