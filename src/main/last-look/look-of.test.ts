import { describe, expect, it } from 'vitest'
import type { Job } from '#shared/bridge/job'
import { findsLoss, isComplete } from '#shared/bridge/last-look'
import { lookOf } from './look-of'

const look = (...lines: readonly string[]) => lookOf([...lines, 'end', ''].join('\n'), 'delete', 7)

describe('the answer of a machine before it is deleted', () => {
  it('lists unsaved Git work, programs, sessions and files', () => {
    const found = look(
      'gpus 4711',
      'gpus 99',
      'gpus exit 0',
      'program    4711 anna      120 python3 train.py --api-key=secret',
      'program      99 root   999999 /usr/bin/nvidia-persistenced --user x',
      'program exit 0',
      'job ab12 python train.py --token=secret',
      'tmux =train',
      'tmux =job-ab12',
      'tmux exit 0',
      'screen There is a screen on:',
      'screen \t1234.eval\t(Detached)',
      'screen 1 Socket in /run/screen/S-anna.',
      'screen exit 0',
      'place own',
      'repository /home/anna/a b',
      'unpushed 0 1 2',
      'tagged 0 1 4',
      'changes 0 3  M x',
      'stashes 0 1 stash@{0}: WIP',
      'repository /home/anna/clean',
      'unpushed 0 1 0',
      'tagged 0 1 0',
      'changes 0 0 exit 0',
      'stashes 0 0 exit 0',
      'file 200000000 1700000000 /home/anna/model 1.bin',
      'place mount /data',
      'file 300000000 1700000001 /data/x',
    )
    expect(found).toEqual({
      at: 7,
      before: 'delete',
      repositories: [
        { path: '/home/anna/a b', changes: 3, unpushed: 2, tagged: 4, stashes: 1, problem: null },
      ],
      cleanRepositories: 1,
      programs: [{ pid: 4711, command: 'python3 train.py --api-key=•••' }],
      sessions: [
        { tool: 'job', name: 'python train.py --token=•••' },
        { tool: 'tmux', name: 'train' },
        { tool: 'screen', name: 'eval' },
      ],
      files: [
        { path: '/home/anna/model 1.bin', bytes: 200_000_000, at: 1_700_000_000, mount: null },
        { path: '/data/x', bytes: 300_000_000, at: 1_700_000_001, mount: '/data' },
      ],
      gaps: [],
    })
    expect([findsLoss(found), isComplete(found)]).toEqual([true, true])
  })

  it('without anything is complete and finds no loss', () => {
    const found = look('gpus exit 0', 'place own')
    expect([findsLoss(found), isComplete(found)]).toEqual([false, true])
  })

  it('never counts an unread repository as clean', () => {
    const dubious = "fatal: detected dubious ownership in repository at '/x'"
    const found = look(
      'repository /x',
      `unpushed 128 4 ${dubious}`,
      `changes 128 4 ${dubious}`,
      'stashes 128 4',
      'repository /slow',
      'unpushed 124 0 exit 124',
      'changes 124 0 exit 124',
      'stashes 124 0 exit 124',
      'repository /huge',
      'unpushed 0 1 0',
      'tagged 0 1 0',
      'changes long 90000  M x',
      'stashes 0 0 exit 0',
      'repository /cut',
      'unpushed 0 1 0',
      'repository /odd',
      'unpushed 0 1 many',
      'changes 0 -1',
      'stashes',
    )
    expect(found.repositories.map(({ path, problem }) => [path, problem])).toEqual([
      ['/x', dubious],
      ['/slow', 'out-of-time'],
      ['/huge', 'too-long'],
      ['/cut', 'cut-off'],
      ['/odd', 'many'],
    ])
    expect(found.cleanRepositories).toBe(0)
    expect([findsLoss(found), isComplete(found)]).toEqual([true, false])
  })

  it.each([
    ['no end', 'place own', false, ['answer']],
    ['a failed GPU tool', 'gpus NVIDIA-SMI has failed\ngpus exit 9', true, ['gpus']],
    ['programs that may not be listed', 'gpus [Insufficient Permissions]\ngpus exit 0', true, ['gpus']],
    ['a job without an id', 'job ../x rm', true, ['answer']],
    ['an endless list of sessions', 'tmux =a', true, ['tmux']],
    ['an unknown complaint of tmux', 'tmux protocol version mismatch\ntmux exit 1', true, ['tmux']],
    ['a folder that may not be read', 'gap files find: ‘/x’: Permission denied', true, ['files']],
    ['text that is no answer', '\u001B[31mhello', true, ['answer']],
  ])('%s is a gap', (_name, output, hasEnd, parts) => {
    const { gaps } = lookOf(`${output}\n${hasEnd ? 'end\n' : ''}`, 'delete', 7)
    expect(gaps.map(({ part }) => part)).toEqual(parts)
  })

  it('shows a session whose name looks like an exit status', () => {
    expect(look('tmux =exit 0', 'tmux exit 0').sessions).toEqual([{ tool: 'tmux', name: 'exit 0' }])
  })

  it('has no gap without servers of tmux and screen', () => {
    const { sessions, gaps } = look(
      'tmux no server running on /tmp/tmux-0/default',
      'tmux exit 1',
      'tmux error connecting to /tmp/tmux-0/x (Connection refused)',
      'tmux exit 1',
      'screen No Sockets found in /run/screen/S-root.',
      'screen ',
      'screen exit 1',
    )
    expect([sessions, gaps]).toEqual([[], []])
  })

  it('lists running jobs that are neither on a GPU nor in a listed session', () => {
    const process = { pid: 7, start: '1', user: 'anna' }
    const job = (name: string, subject: Job['subject']): Job => ({
      id: name,
      account: 'abcdefghijkl',
      machine: 'm1',
      machineName: 'm1',
      name,
      subject,
      boot: 'b',
      since: 0,
      state: { kind: 'running' },
    })
    const pane = { kind: 'pane', process, command: 'x', socket: 'default', pane: '%1' } as const
    const watched = [
      job('rsync', { kind: 'process', process, command: 'rsync', log: null }),
      job('on a GPU', { kind: 'process', process: { ...process, pid: 4711 }, command: 'x', log: null }),
      job('in a listed session', { ...pane, label: 'train:0.1' }),
      job('in another session', { ...pane, label: 'eval:0.1' }),
      job('listed', { kind: 'command', process, command: 'x', id: 'ab12', isInTmux: false }),
      job('not listed', { kind: 'command', process, command: 'x', id: 'cd34', isInTmux: false }),
    ]
    const output = 'gpus 4711\ngpus exit 0\njob ab12 x\ntmux =train\ntmux exit 0\nend\n'
    expect(lookOf(output, 'delete', 7, watched).sessions).toEqual([
      { tool: 'job', name: 'x' },
      { tool: 'job', name: 'rsync' },
      { tool: 'job', name: 'in another session' },
      { tool: 'job', name: 'not listed' },
      { tool: 'tmux', name: 'train' },
    ])
    expect(findsLoss(lookOf('end\n', 'delete', 7, watched.slice(0, 1)))).toBe(true)
  })

  it('is bounded, and too many entries are a gap', () => {
    const found = look(...Array.from({ length: 500 }, (_, index) => `file 1 2 /f${String(index)}\u0007`))
    expect([found.files.length, found.gaps]).toEqual([200, [{ part: 'files', reason: 'too-many' }]])
  })
})
