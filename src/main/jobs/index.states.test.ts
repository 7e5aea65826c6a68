import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type JobQuestion, jobScript } from '#shared/job-script'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { startedOf } from './answer'

describeWith(['sshd'], 'a job', () => {
  /** Answers questions on this computer with an own home folder and programs. */
  function setUp() {
    const home = temporaryFolder()
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const programs = join(home, 'bin')
    mkdirSync(programs)
    return {
      home,
      replace(program: string, body: string): void {
        writeFileSync(join(programs, program), `#!/bin/sh\n${body}\n`)
        chmodSync(join(programs, program), 0o755)
      },
      ask(...questions: readonly JobQuestion[]): readonly string[] {
        const env = { ...process.env, HOME: home, PATH: `${programs}:${process.env['PATH'] ?? ''}` }
        const { stdout } = spawnSync('/bin/sh', { input: jobScript(questions), encoding: 'utf8', env })
        return stdout.split('\n').slice(1)
      },
    }
  }
  const ownStart = (): string =>
    readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ')[19] ?? expect.fail()

  it('has not ended if the state of its process can’t be read', () => {
    const { ask, replace } = setUp()
    const pid = String(process.pid)
    expect(ask(['process_state', 'a', pid, ownStart()])[0]).toBe('job a running')
    expect(ask(['process_state', 'a', pid, '1'])[0]).toBe('job a ended')
    expect(ask(['process_state', 'a', '2147483647', '1'])[0]).toBe('job a ended')
    replace('cat', 'exit 1')
    expect(ask(['process_state', 'a', pid, ownStart()])[0]).toBe('job a running')
  })

  it('has ended if a full disk lost the exit code', () => {
    const { ask, home } = setUp()
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const folder = join(home, '.cache/wheelhouse/jobs/ab12')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'runner'), `2147483647 1 ${boot} 1\n`)
    writeFileSync(join(folder, 'code'), '')
    expect(ask(['command_state', 'a', 'ab12'])[0]).toBe('job a ended')
  })

  it('starts without tmux, for a user with any name, with the umask and locale of the user', async () => {
    const { ask, replace, home } = setUp()
    replace('tmux', 'exit 1')
    const name = String.raw`echo 'CORP\jo smith'`
    replace('id', `[ "$1" != -un ] || { ${name}; exit; }\nPATH=/usr/bin:/bin exec id "$@"`)
    const lines = ask(['start_job', 'ab12', 'umask; echo "${LC_ALL-none}"'])
    expect(startedOf({ boot: '', offset: 0, lines })).toMatchObject({ isInTmux: false })
    const folder = join(home, '.cache/wheelhouse/jobs/ab12')
    await expect.poll(() => existsSync(join(folder, 'code'))).toBe(true)
    const umask = process.umask().toString(8).padStart(4, '0')
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe(`${umask}\n${process.env['LC_ALL'] ?? 'none'}\n`)
  })
})
