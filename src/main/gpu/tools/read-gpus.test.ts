import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { signedIn } from '../../../../test/fixtures/login-shell'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { realGpu } from '../../../../test/fixtures/real-gpus'
import { transports } from '../../../../test/fixtures/system-ssh'
import type { GpuReport } from '#shared/bridge/gpu'
import { complaints, outputs } from './fixtures/outputs'
import type { CommandResult } from '../../ssh/client/transport'
import { connectionLimits } from '../../ssh/client/target'
import { gpuReport, withDetails } from './nvidia-smi'
import { createEstimates } from './activity'
import { gpuReader } from './read-gpus'
import { rocmReport } from './rocm-smi'

const { noDriver, noDevices, noTool } = complaints
const emptyReport = {
  kind: 'gpus',
  tool: 'nvidia-smi',
  driver: null,
  gpus: [],
  processes: null,
  isDetailed: false,
  said: null,
} as const satisfies GpuReport
const says = (stdout: string): CommandResult => ({ stdout, stderr: '', status: 0 })

/** Creates a machine with these tools. `asked` returns the tools that ran since its last call. */
function machine(tools: Readonly<Record<string, CommandResult | 'hangs'>>) {
  const asked: string[] = []
  const read = gpuReader((command) => {
    const tool = /(nvidia-smi|amd-smi|rocm-smi) /.exec(command)?.[1] ?? command
    asked.push(tool)
    const result = tools[tool] ?? noTool
    return Promise.resolve(result === 'hangs' ? { kind: 'timed-out' } : { kind: 'finished', ...result })
  }, 20)
  return { read: () => read('never'), asked: () => asked.splice(0) }
}

it('an endless answer is read to its end within bounded memory', () => {
  const filled = (text: string): string => text.repeat(connectionLimits.output / text.length)
  const names = Array.from({ length: connectionLimits.output / 10 }, (_, at) => `"k${at}":""`)
  const answers = ['index\na\n', 'index\n' + 'a\n', 'a b\n', 'index, '].map(filled)
  for (const stdout of [...answers, `index\n${filled('a\n')}`]) {
    expect(gpuReport({ stdout, stderr: stdout, status: 0 })).toMatchObject({ kind: 'not-understood' })
    const processes = `== processes\n${stdout.replaceAll('index', 'gpu_uuid')}`
    expect(withDetails(emptyReport, processes).processes ?? []).toEqual([])
  }
  const stdout = `{"card0":{${names.join(',')}}}`
  expect(rocmReport({ stdout, stderr: '', status: 0 })).toMatchObject({
    kind: 'gpus',
    gpus: [{ name: 'AMD' }],
  })
})

it('a GPU that only holds memory is read with its lowest power without work', async () => {
  const tools = { 'nvidia-smi': says(realGpu('h100-memory-held.txt').split('\ngpu_uuid')[0] ?? '') }
  const held = { power: 122.9, memoryUsed: 10_767 }
  const estimates = createEstimates()
  const read = gpuReader(() => Promise.resolve({ kind: 'finished', ...tools['nvidia-smi'] }), 20, estimates)
  // The lowest power so far.
  expect(await read('never')).toMatchObject({ gpus: [{ ...held, idlePower: 122.9 }] })
  tools['nvidia-smi'] = says(realGpu('h100-idle.csv'))
  expect(await read('never')).toMatchObject({ gpus: [{ power: 71.11, memoryUsed: 0 }] })
  tools['nvidia-smi'] = says(realGpu('h100-memory-held.txt').split('\ngpu_uuid')[0] ?? '')
  expect(await read('never')).toMatchObject({ gpus: [{ ...held, idlePower: 71.11 }] })
})

describeWith(['accounts'], 'a PATH with a folder that is closed to the user', () => {
  /** User without rights. */
  const nobody = 65_534

  /** Runs the commands of a reader as that user. `files`: modes of files in an open folder of the PATH. */
  function reader(files: Readonly<Record<string, number>>) {
    // Not inside the folder of this run, which the user cannot read.
    const newFolder = (): string => mkdtempSync(join(tmpdir(), '../wheelhouse-path-'))
    const [closed, open] = [newFolder(), newFolder()]
    onTestFinished(() => [closed, open].forEach((folder) => rmSync(folder, { recursive: true })))
    chmodSync(closed, 0o700)
    chmodSync(open, 0o755)
    for (const [name, mode] of Object.entries(files)) {
      writeFileSync(join(open, name), '#!/bin/sh\nexit 3\n')
      chmodSync(join(open, name), mode)
    }
    const PATH = `${closed}:${open}:/usr/bin:/bin`
    const exec = (command: string) => {
      const options = { uid: nobody, gid: nobody, env: { PATH }, cwd: '/', encoding: 'utf8' } as const
      const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', command], options)
      return Promise.resolve({ kind: 'finished' as const, stdout, stderr, status })
    }
    return { path: PATH, read: () => gpuReader(exec, 20)('never') }
  }

  it('is not a permission problem if no folder has a tool', async () => {
    const { path, read } = reader({})
    expect(await read()).toEqual({ kind: 'no-tool', path })
  })

  it.each(['nvidia-smi', 'amd-smi', 'rocm-smi'])('does not affect %s, which runs', async (tool) => {
    expect(await reader({ [tool]: 0o755 }).read()).toMatchObject({ kind: 'not-understood' })
  })

  it.each(['nvidia-smi', 'amd-smi', 'rocm-smi'])(
    'does not hide missing permission to run %s',
    async (tool) => {
      const said = expect.stringContaining('Permission denied')
      expect(await reader({ [tool]: 0o644 }).read()).toEqual({ kind: 'no-permission', said })
    },
  )
})

describe('an AMD machine', () => {
  it.each([
    ['without a driver', noDriver],
    ['without a GPU', noDevices],
  ])('is read with rocm-smi if an nvidia-smi %s was left behind', async (_what, nvidia) => {
    const { read, asked } = machine({ 'nvidia-smi': nvidia, 'rocm-smi': says(outputs.mi300x) })
    expect(await read()).toMatchObject({ kind: 'gpus', tool: 'rocm-smi' })
    expect(asked()).toEqual(['nvidia-smi', 'amd-smi', 'rocm-smi'])
    expect(await read()).toMatchObject({ kind: 'gpus', tool: 'rocm-smi' })
    expect(asked()).toEqual(['rocm-smi'])
  })

  it('reports that rocm-smi hangs', async () => {
    const { read, asked } = machine({ 'nvidia-smi': noDriver, 'rocm-smi': 'hangs' })
    expect(await read()).toEqual({ kind: 'no-answer', seconds: 20 })
    expect(asked()).toEqual(['nvidia-smi', 'amd-smi', 'rocm-smi'])
  })
})

describe('an NVIDIA machine without its driver', () => {
  it.each([
    ['no rocm-smi', noTool],
    ['a rocm-smi that finds nothing', says('{}')],
  ])('reports nvidia-smi’s message with %s, and is queried for AMD GPUs once', async (_what, rocm) => {
    const { read, asked } = machine({ 'nvidia-smi': noDriver, 'rocm-smi': rocm })
    expect(await read()).toMatchObject({ kind: 'no-driver' })
    expect(asked()).toEqual(['nvidia-smi', 'amd-smi', 'rocm-smi'])
    expect(await read()).toMatchObject({ kind: 'no-driver' })
    expect(asked()).toEqual(['nvidia-smi'])
  })
})

it('a machine without any tool reports its folders and is queried each time, since a tool may be installed', async () => {
  const { read, asked } = machine({ 'echo "$PATH"': says('/usr/bin:/bin\n') })
  for (let time = 0; time < 2; time += 1) {
    expect(await read()).toEqual({ kind: 'no-tool', path: '/usr/bin:/bin' })
    expect(asked()).toEqual(['nvidia-smi', 'amd-smi', 'rocm-smi', 'echo "$PATH"'])
  }
})

describeWith(['sshd'], 'a tool outside the PATH of the login', () => {
  it.each(transports)('is found among the user’s own programs: %s', async (transport) => {
    const files = { '.local/bin/nvidia-smi': `#!/bin/sh\ncat <<'END'\n${outputs.gb200}\nEND\n` }
    const connection = await signedIn('/bin/bash', { files, transport })
    const report = await gpuReader(connection.exec, 20)('never')
    expect(report).toMatchObject({ kind: 'gpus', tool: 'nvidia-smi' })
  })

  it('is searched in the folders of NVIDIA, WSL and ROCm images', async () => {
    const connection = await signedIn('/bin/bash')
    const report = await gpuReader(connection.exec, 20)('never')
    const path = report.kind === 'no-tool' ? (report.path ?? '').split(':') : []
    const folders = ['/usr/local/nvidia/bin', '/usr/lib/wsl/lib', '/opt/rocm/bin']
    expect(folders.filter((folder) => !path.includes(folder))).toEqual([])
  })
})

describe('processes that the driver does not list', () => {
  const [first, second] = ['GPU-00000000-aaaa', 'GPU-11111111-bbbb']
  const table = [
    'index, uuid, utilization.gpu [%], memory.used [MiB], memory.total [MiB], name',
    `0, ${first}, 90 %, 70000 MiB, 81559 MiB, NVIDIA H100`,
    `1, ${second}, 0 %, 70000 MiB, 81559 MiB, NVIDIA H100`,
  ].join('\n')
  const listed = `== processes\ngpu_uuid, pid, used_gpu_memory [MiB], process_name\n${first}, 10, 69000 MiB, python\n`
  const devices = [10, 20, 30]
    .map(
      (pid) =>
        `/proc/${pid}/fd:\nlrwx------ 1 u u 64 5 -> /dev/nvidia0\nlrwx------ 1 u u 64 6 -> /dev/nvidia1\n`,
    )
    .join('')
  const commands: Readonly<Record<string, string>> = {
    10: 'python train.py',
    20: '/usr/bin/nvidia-persistenced --user nvidia-persistenced',
    30: 'python serve.py',
  }
  function answer(command: string): string {
    if (command.includes('--query-gpu')) return table
    if (command.includes('--query-compute-apps')) return listed
    if (command.startsWith('ls -l /proc')) return devices
    const pids = /-p (\S+)/.exec(command)?.[1]?.split(',') ?? []
    return pids.map((pid) => `${pid} anna 60 ${commands[pid] ?? ''}\n`).join('')
  }

  it('are found for each GPU whose memory is held, without services of the driver', async () => {
    const read = gpuReader(
      (command) => Promise.resolve({ kind: 'finished', stdout: answer(command), stderr: '', status: 0 }),
      20,
    )
    const report = await read('always')
    const processes = report.kind === 'gpus' ? (report.processes ?? []) : []
    expect(processes.map(({ gpu, pid, command }) => `${gpu} ${pid} ${command}`)).toEqual([
      `${first} 10 python train.py`,
      `${second} 30 python serve.py`,
    ])
  })
})

it('programs are read from /proc on a machine without ps', async () => {
  const id = 'GPU-00000000-aaaa'
  const answers: readonly (readonly [string, string])[] = [
    ['--query-gpu', `index, uuid, utilization.gpu [%], name\n0, ${id}, 90 %, NVIDIA H100`],
    ['--query-compute-apps', `== processes\ngpu_uuid, pid, process_name\n${id}, 10, python\n`],
    ['/proc/uptime', '10 systemd-network 60 python train.py\n== starts\n'],
  ]
  const read = gpuReader((command) => {
    const stdout = answers.find(([part]) => command.includes(part))?.[1] ?? ''
    return Promise.resolve({ kind: 'finished', stdout, stderr: '', status: 0 })
  }, 20)
  expect(await read('always')).toMatchObject({
    processes: [{ pid: 10, user: 'systemd-network', seconds: 60, command: 'python train.py' }],
  })
})

describe('counters of activity', () => {
  const id = 'GPU-00000000-aaaa'
  const table = [
    'index, uuid, utilization.gpu [%], memory.used [MiB], power.draw [W], power.limit [W], name',
    `0, ${id}, 90 %, 70000 MiB, 400.00 W, 700.00 W, NVIDIA H100`,
  ].join('\n')
  const counters = realGpu('h200-product.dmon.txt')

  /** Reads details `outputs.length` times. Returns the kind of each activity, and whether counters were asked for. */
  async function readings(outputs: readonly string[]): Promise<readonly string[]> {
    const results: string[] = []
    let asked = false
    let output = ''
    const read = gpuReader(
      (command) => {
        if (command.includes('pmon')) asked = command.includes('dmon')
        const stdout = command.includes('--query-gpu') ? table : `== activity\n${asked ? output : ''}`
        return Promise.resolve({ kind: 'finished', stdout, stderr: '', status: 0 })
      },
      20,
      createEstimates(() => new Map([[id, 70]])),
    )
    for (output of outputs) {
      const report = await read('always')
      const activity = report.kind === 'gpus' ? report.gpus[0]?.activity : undefined
      results.push(`${asked ? 'asked' : 'not asked'}, ${activity?.kind ?? 'none'}`)
    }
    return results
  }

  it('are asked for again after one reading without them, without an estimate', async () => {
    expect(await readings(['', counters, '', '', counters])).toEqual([
      'asked, none',
      'asked, measured',
      'asked, none',
      'asked, none',
      'asked, measured',
    ])
  })

  it('are replaced by an estimate after two readings without ever any', async () => {
    expect(await readings(['', '', counters])).toEqual([
      'asked, none',
      'asked, estimated',
      'not asked, estimated',
    ])
  })
})
