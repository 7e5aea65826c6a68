import { describe, expect, it } from 'vitest'
import { connectionLimits } from '../ssh/client/target'
import { parseListeners, readServices, servicesOf } from './listeners'

const none = new Set<number>()

describe('the list of listeners', () => {
  it('is parsed from several versions of ss', () => {
    // iproute2 4.15 (users with a tail), 5.15 (Process), 6.1 (-H, scoped addresses).
    const text = [
      'State    Recv-Q    Send-Q        Local Address:Port        Peer Address:Port',
      'LISTEN   0         128               127.0.0.1:8888             0.0.0.0:*        users:(("jupyter-lab",pid=1,fd=6),("python3",pid=2,fd=6))',
      'LISTEN 0      4096                  *:6006             *:*    users:(("tensorboard",pid=7,fd=3))   ',
      'LISTEN 0 511 [::ffff:127.0.0.1]:4040 *:* ',
      'LISTEN 0 100 127.0.0.53%lo:53 0.0.0.0:*',
      'LISTEN 0 100 :::9000 :::*',
      'ESTAB  0 0 10.0.0.5:22 10.0.0.9:50022',
    ].join('\n')
    expect(parseListeners(text)).toEqual([
      { port: 8888, process: 'jupyter-lab' },
      { port: 6006, process: 'tensorboard' },
      { port: 4040, process: null },
      { port: 53, process: null, host: '127.0.0.53' },
      { port: 9000, process: null },
    ])
  })

  it('is parsed from /proc/net/tcp and tcp6', () => {
    const heading = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid'
    const text = [
      heading,
      '   0: 0100007F:22B8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 21 1',
      '   1: 0500000A:0016 0900000A:C366 01 00000000:00000000 02:000A 00000000  0 0 22 1',
      heading,
      '   0: 00000000000000000000000000000000:1776 00000000000000000000000000000000:0000 0A 00000000:00000000 00:0',
    ].join('\n')
    expect(parseListeners(text)?.map(({ port }) => port)).toEqual([8888, 6006])
  })

  it('contains the only address of a program, unless localhost reaches it', () => {
    const hosts = (...addresses: readonly string[]) =>
      parseListeners(addresses.map((one) => `LISTEN 0 1 ${one}:80 *:*`).join('\n'))
    for (const [address, host] of [
      ['10.0.0.5', '10.0.0.5'],
      ['127.0.0.3', '127.0.0.3'],
      ['127.0.0.53%lo', '127.0.0.53'],
      ['[::1]', '::1'],
      ['::1', '::1'],
      ['[::ffff:10.0.0.5]', '10.0.0.5'],
      ['[fe80::1]%eth0', 'fe80::1%eth0'],
    ] as const)
      expect(hosts(address)).toEqual([{ port: 80, process: null, host }])
    for (const address of ['*', '0.0.0.0', '[::]', '::', '127.0.0.1', '[::ffff:127.0.0.1]'])
      expect(hosts('10.0.0.5', address)).toEqual([{ port: 80, process: null }])
    // Only addresses reach ssh.
    for (const address of ['-oProxyCommand=x', 'host.example', '[::1]%-oX;y', '1.2.3', 'a'.repeat(1_000)])
      expect(hosts(address)?.flatMap(({ host }) => host ?? [])).toEqual([])
    const proc = [
      ' 0: 0300007F:0050 00000000:0000 0A 0',
      ' 1: 00000000000000000000000001000000:0051 00000000000000000000000000000000:0000 0A 0',
      ' 2: 0000000000000000FFFF00000500000A:0052 00000000000000000000000000000000:0000 0A 0',
      ' 3: 0100007F:0053 00000000:0000 0A 0',
    ]
    expect(parseListeners(['local_address', ...proc].join('\n'))?.map(({ host }) => host)).toEqual([
      '127.0.0.3',
      '::1',
      '10.0.0.5',
      undefined,
    ])
  })

  it('is null if the text is not the output of either command', () => {
    expect(parseListeners('bash: ss: command not found')).toBeNull()
    expect(parseListeners('')).toBeNull()
  })

  it('omits sshd and own ports, and lists recognised services first', () => {
    const report = servicesOf(
      [
        { port: 22, process: null },
        { port: 6010, process: 'sshd' },
        { port: 53, process: null },
        { port: 8888, process: 'python3' },
        { port: 8000, process: 'nginx' },
        { port: 9999, process: 'tensorboard' },
      ],
      new Set([22]),
    )
    expect(report).toMatchObject({
      services: [
        { port: 8888, name: 'Jupyter' },
        { port: 9999, name: 'TensorBoard' },
        { port: 53, name: null },
        { port: 8000, name: null, process: 'nginx' },
      ],
      more: false,
    })
  })

  it.each([
    [8188, 'pt_main_thread', 'ComfyUI'],
    [7860, 'pt_main_thread', 'Gradio'],
    [8000, 'pt_main_thread', 'vLLM'],
    [9999, 'pt_main_thread', null],
    [8265, 'ray::DashboardAgent', 'Ray'],
    [8265, 'gcs_server', 'Ray'],
    [8265, 'ray-dashboard', 'Ray'],
    [8265, 'dashboard', 'Ray'],
    [8265, 'nginx', null],
    [8265, 'dashboard-proxy', null],
    [3000, 'dashboard', null],
  ])('on port %i by %s is %s', (port, process, name) => {
    expect(servicesOf([{ port, process }], none)).toMatchObject({ services: [{ port, process, name }] })
  })

  it('stays short and printable, whatever a machine prints', () => {
    const names = ['\u001b]0;x\u0007\u001b[31m', '<img src=x>', '\u202Egnp.exe', 'a'.repeat(1_000_000)]
    const lines = names.map((name, at) => `LISTEN 0 1 *:${at + 1} *:* users:(("${name}",pid=1,fd=1))`)
    const processes = parseListeners(lines.join('\n'))?.map(({ process }) => process)
    expect(processes).toEqual([']0;x [31m', '<img src=x>', 'gnp.exe', 'a'.repeat(60)])
    const many = Array.from({ length: 100_000 }, (_, at) => `LISTEN 0 1 *:${at} *:*`).join('\n')
    const report = servicesOf(parseListeners(many) ?? [], none)
    expect(report).toMatchObject({ kind: 'services', more: true })
    expect(report.kind === 'services' && report.services).toHaveLength(50)
    for (const port of ['0', '65536', '99999', '-1', '1e3', '', ' 80x'])
      expect(parseListeners(`LISTEN 0 1 *:${port} *:*`)).toEqual([])
    for (const text of [
      `LISTEN 1 1 ${'a'.repeat(250_000)}`,
      `LISTEN${' '.repeat(250_000)}`,
      '{('.repeat(125_000),
    ])
      expect(parseListeners(text) ?? []).toEqual([])
  })
})

it('output of the maximum length is parsed, whatever its shape', () => {
  const filled = (text: string): string => text.repeat(connectionLimits.output / text.length)
  for (const text of ['a', '\r', ' ', 'LISTEN 1 1 ', 'a\r', 'a ', '("', 'LISTEN 1 1 a:1 *\n'])
    expect(parseListeners(`LISTEN 1 1 a:1 ${filled(text)} x\rz`)).toHaveLength(1)
})

it('reading services runs cat only if ss is missing, and reports a timeout', async () => {
  const commands: string[] = []
  const exec = (answer: string) => (command: string) => {
    commands.push(command)
    const stdout = command.startsWith('ss') ? '' : answer
    return Promise.resolve({ kind: 'finished', stdout, stderr: '', status: 0 } as const)
  }
  expect(await readServices(exec('  sl  local_address rem_address\n'), none, 20)).toMatchObject({
    services: [],
  })
  expect(commands).toEqual(['ss -ltnp', 'cat /proc/net/tcp /proc/net/tcp6'])
  expect(await readServices(exec('?'), none, 20)).toEqual({ kind: 'not-understood' })
  const silent = () => Promise.resolve({ kind: 'timed-out' } as const)
  expect(await readServices(silent, none, 20)).toEqual({ kind: 'no-answer', seconds: 20 })
})
