import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { realGpu } from '../../../../test/fixtures/real-gpus'
import { openDevices, openDevicesCommand, programsCommand, programsOf, programsWithoutPs } from './programs'

describe('the programs of processes', () => {
  it('have their user, running time and whole command line', () => {
    const listed = [
      '  525 root           9 python3 train.py full 14',
      '  526 anna     7300 /srv/a b -c',
      'ps: 1',
      '== starts',
      `526 (b) R) S 1 ${'0 '.repeat(17)}89123 0 0`,
      '',
    ].join('\n')
    expect(realGpu('h100-processes.txt')).toContain('  525 root           9 python3 train.py full 14')
    expect([...programsOf(listed)]).toEqual([
      [525, { user: 'root', seconds: 9, command: 'python3 train.py full 14', start: null }],
      [526, { user: 'anna', seconds: 7_300, command: '/srv/a b -c', start: '89123' }],
    ])
  })

  it('are read by ps for the process ids of this computer too', () => {
    const { stdout } = spawnSync('/bin/sh', ['-c', programsCommand([process.pid])], { encoding: 'utf8' })
    const program = programsOf(stdout).get(process.pid)
    expect(program?.command).toContain('node')
    expect(program?.start).toMatch(/^\d+$/)
  })

  it('are the same without ps', () => {
    const program = spawn('/bin/sh', ['-c', 'read line; : "a) b"'])
    onTestFinished(() => void program.kill())
    const pids = [program.pid ?? 0, process.pid, 999_999_999]
    const read = (script: string) => {
      const { stdout, stderr } = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' })
      expect(stderr).toBe('')
      // A second may pass between both.
      return [...programsOf(stdout)].map(([pid, { seconds: _, ...rest }]) => ({ pid, ...rest }))
    }
    const withoutPs = read(programsWithoutPs(pids))
    expect(new Set(withoutPs.map(({ pid }) => pid))).toEqual(new Set(pids.slice(0, 2)))
    expect(withoutPs).toEqual(expect.arrayContaining(read(programsCommand(pids))))
  })

  it('have their running time without ps', () => {
    const { stdout } = spawnSync('/bin/sh', ['-c', programsWithoutPs([1])], { encoding: 'utf8' })
    const uptime = Number(readFileSync('/proc/uptime', 'utf8').split('.')[0])
    const seconds = programsOf(stdout).get(1)?.seconds ?? -1
    expect(seconds).toBeGreaterThanOrEqual(0)
    expect(seconds).toBeLessThanOrEqual(uptime)
  })
})

describe('open GPU devices', () => {
  it('name the processes that a driver does not list', () => {
    const listed = [
      '/proc/1/fd:',
      '/proc/805/fd:',
      'lrwx------ 1 root root 64 Nov 27 01:50 12 -> /dev/nvidia0',
      'lrwx------ 1 root root 64 Nov 27 01:50 13 -> /dev/nvidia0',
      'lrwx------ 1 root root 64 Nov 27 01:50 14 -> /dev/nvidiactl',
      '/proc/900/fd:',
      'lrwx------ 1 root root 64 Nov 27 01:50 4 -> /dev/nvidia1',
    ].join('\n')
    expect(openDevices(listed)).toEqual([
      { pid: 805, index: 0 },
      { pid: 900, index: 1 },
    ])
  })

  it('are listed by a command that finds none on a computer without GPUs', () => {
    const { stdout } = spawnSync('/bin/sh', ['-c', openDevicesCommand], { encoding: 'utf8' })
    expect(stdout).toContain(`/proc/${process.pid}/fd:`)
    expect(openDevices(stdout)).toEqual([])
  })
})
