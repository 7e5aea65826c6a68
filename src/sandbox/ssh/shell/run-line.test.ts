import { beforeEach, describe, expect, it } from 'vitest'
import { makeMachine, testTime } from '../fixtures/machines'
import { shellOn } from '../fixtures/shells'
import { hostNameOf } from '../machine'
import { complete } from './completion'
import type { Shell } from './command'
import { runLine } from './run-line'

const startedAt = testTime - 3 * 86_400 - 4 * 3600 - 5 * 60

let shell: Shell
beforeEach(() => {
  shell = shellOn(makeMachine(), { startedAt })
})

/** Returns everything that a line prints, stderr included, and its status unless it is 0. */
async function run(line: string): Promise<string> {
  let text = ''
  const execution = runLine(line, shell)
  for (;;) {
    const step = await execution.next()
    if (step.done) return step.value === 0 ? text : `${text}[${step.value}]`
    text += step.value.data.toString()
  }
}

describe('the shell', () => {
  it.each([
    ['if true; then echo yes; else echo no; fi', 'yes\n'],
    [
      'if false; then echo yes; elif whoami >/dev/null; then echo elif; else echo no; fi; echo on',
      'elif\non\n',
    ],
    ['if false; then echo yes; fi && echo after', 'after\n'],
    ['if command -v tmux >/dev/null 2>&1; then echo tmux; fi', 'tmux\n'],
    ['command -v screen', '[1]'],
    [
      "exec /bin/sh -c 'PATH=$PATH:/x; export PATH; if command -v ls >/dev/null; then exec whoami; fi; echo never'",
      'ubuntu\n',
    ],
    ['if true; then echo yes', 'bash: syntax error: unexpected end of file\n[2]'],
    ['if; then echo; fi', "bash: syntax error near unexpected token `;'\n[2]"],
    ['fi', "bash: syntax error near unexpected token `fi'\n[2]"],
  ])('runs %s', async (line, output) => {
    expect(await run(line)).toBe(output)
  })

  it('lists kept sessions as tmux does', async () => {
    expect(await run('tmux ls')).toBe('no server running on /tmp/tmux-1000/default\n[1]')
    expect(await run('tmux new -d -s train; tmux has-session -t train')).toBe('')
    expect(await run('tmux new -d -s train')).toBe('duplicate session: train\n[1]')
    expect(await run('tmux has -t other')).toBe("can't find session: other\n[1]")
    expect(await run('tmux list-sessions -F "#{session_name} #{session_created} #{session_attached}"')).toBe(
      `train ${testTime} 0\n`,
    )
  })

  it.each([
    ['whoami', 'ubuntu\n'],
    ['hostname', 'train-llama-01\n'],
    ['pwd', '/home/ubuntu\n'],
    ['echo hello   there', 'hello there\n'],
    ['echo -n $USER@$HOSTNAME', 'ubuntu@train-llama-01'],
    ['uname', 'Linux\n'],
    ['uname -a', 'Linux train-llama-01 6.8.0-45-generic #45 SMP PREEMPT_DYNAMIC x86_64 GNU/Linux\n'],
    ['date', 'Sat Jan 10 12:00:00 UTC 2026\n'],
    ['uptime', ' 12:00:00 up 3 days,  4:05,  1 user,  load average: 0.21, 0.21, 0.20\n'],
    ['nproc', '26\n'],
    ['env LC_ALL=C A=b nproc', '26\n'],
    ['env LC_ALL=C rocm-smi --json', "env: 'rocm-smi': No such file or directory\n[127]"],
    ['ls', 'README.md\nnotebooks\ntrain.py\n'],
    ['ls -a notebooks', '.\n..\nfirst-look.ipynb\n'],
    ['ls -l train.py', '-rw-r--r-- 1 ubuntu   ubuntu         115 Jan 10 12:00 train.py\n'],
    ['cat /etc/hostname', 'train-llama-01\n'],
    [
      'cd notebooks; pwd; cd ..; pwd; cd /; pwd; cd; pwd',
      '/home/ubuntu/notebooks\n/home/ubuntu\n/\n/home/ubuntu\n',
    ],
    ['mkdir -p a/b/c && ls a/b && rmdir a/b/c && ls a/b', 'c\n'],
    ['touch x && ls x && rm x && ls x', "x\nls: cannot access 'x': No such file or directory\n[2]"],
    ['mkdir d; touch d/f; rm d', "rm: cannot remove 'd': Is a directory\n[1]"],
    ['mkdir d; touch d/f; rm -rf d none; ls d', "ls: cannot access 'd': No such file or directory\n[2]"],
    ['mv train.py t.py && ls', 'README.md\nnotebooks\nt.py\n'],
    ['echo one > f; echo two >> f; cat f', 'one\ntwo\n'],
    ['nothing 2> /dev/null; echo $?', '127\n'],
    [
      'cat none README.md > all 2>&1; cat all',
      expect.stringMatching(/^cat: none: No such file or directory\n# train/),
    ],
    ['false || echo recovered', 'recovered\n'],
    ['true && false; echo $?', '1\n'],
    ['false &&\necho never; echo on', 'on\n'],
    ['false ||\n # a comment\n echo recovered', 'recovered\n'],
    ['# a comment\necho on # more\necho further', 'on\nfurther\n'],
    ['foo', 'bash: foo: command not found\n[127]'],
    ['constructor', 'bash: constructor: command not found\n[127]'],
    ['echo $constructor', '\n'],
    ['cat none', 'cat: none: No such file or directory\n[1]'],
    ['cd train.py', 'bash: cd: train.py: Not a directory\n[1]'],
    ['echo x > /etc/hostname', 'bash: /etc/hostname: Permission denied\n[1]'],
    ['seq 3; seq 2 3; seq 5 -2 1; seq 2 1', '1\n2\n3\n2\n3\n5\n3\n1\n'],
    ['seq x', "seq: invalid integer argument: 'x'\n[1]"],
    ['seq', 'seq: missing operand\n[1]'],
    ['seq 1 2 3 4', "seq: extra operand '4'\n[1]"],
    ['seq 1 0 3', "seq: invalid Zero increment value: '0'\n[1]"],
    ['sleep 0; echo awake', 'awake\n'],
    ['sleep', 'sleep: missing operand\n[1]'],
    ['sleep 1x', "sleep: invalid time interval '1x'\n[1]"],
    ['yes > all', 'bash: write error: No space left on device\n[1]'],
    ['a | b', "bash: pipes: not part of the sandbox's shell\n[2]"],
    ['exit 7; echo never', '[7]'],
    ['exit 300', '[44]'],
    ['exit x', 'bash: exit: x: numeric argument required\n[2]'],
    ['rm -rf /', "rm: cannot remove '/': Permission denied\n[1]"],
  ])('%s', async (line, expected) => {
    expect(await run(line)).toEqual(expected)
  })

  it('sleeps by the clock of the sandbox', async () => {
    let now = testTime
    shell = { ...shell, now: () => now }
    const ended = run('sleep 600; echo awake')
    now += 600
    expect(await ended).toBe('awake\n')
  })

  it('lists every command with its summary', async () => {
    const help = await run('help')
    for (const name of [
      'ls',
      'cd',
      'cat',
      'nvidia-smi',
      'free',
      'df',
      'clear',
      'exit',
      'touch',
      'mkdir',
      'rm',
    ]) {
      expect(help).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
    }
  })

  it('shows the memory and the disk of the machine', async () => {
    expect(await run('free -g')).toMatch(/^Mem: +200 +\d+ +\d+ +0 +20 +\d+$/m)
    expect(await run('df -h')).toMatch(/^memory +1M +1M +1M +\d+% \/$/m)
  })

  it('reports a full disk and stops there', async () => {
    shell.disk
      .open('/home/ubuntu/part', { write: true, create: true })
      .write(0, Buffer.from('x'.repeat(50_000)))
    expect(await run('cat part part part > whole; echo $?')).toBe(
      'bash: write error: No space left on device\n1\n',
    )
    expect(await run('rm whole && echo room again > f && cat f')).toBe('room again\n')
  })

  it('shows no GPUs if the machine has none', async () => {
    shell = shellOn(makeMachine({ gpuCount: 0 }), { startedAt })
    expect(await run('nvidia-smi')).toBe('No devices were found\n[6]')
  })

  it('arranges names in columns in a terminal', async () => {
    shell = shellOn(makeMachine(), { startedAt, columns: () => 40 })
    expect(await run('ls')).toBe('README.md  notebooks  train.py\n')
  })

  it('shows no control characters in names', async () => {
    await run(`touch '\x1b[2Jx'`)
    expect(await run('ls')).toContain('?[2Jx')
  })

  it.each([
    ['who', [['whoami '], 'who']],
    ['cat tr', [['train.py '], 'tr']],
    ['ls notebooks/f', [['notebooks/first-look.ipynb '], 'notebooks/f']],
    ['cat ~/READ', [['~/README.md '], '~/READ']],
    ['cat nowhere/x', [[], 'nowhere/x']],
  ])('completes %j', (line, expected) => {
    expect(complete(line, shell)).toEqual(expected)
  })
})

describe('the host name of a machine', () => {
  it.each([
    ['Train Llama_01', 'train-llama-01'],
    ['\x1b]0;evil\x07', '0-evil'],
    ['机器', 'machine'],
    [`${'a'.repeat(62)}--b`, 'a'.repeat(62)],
  ])('%j is %s', (name, host) => {
    expect(hostNameOf({ name })).toBe(host)
  })
})
