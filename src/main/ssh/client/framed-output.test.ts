import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type FrameOptions, readFrame } from '#shared/command-frame'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import { findProgram } from '../../../../test/fixtures/system-requirements'
import { frameOf } from './framed-output'

function home(files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Runs a framed command as sshd does: in a session of its own, through the login shell. */
async function ran(shell: string, command: string, options: FrameOptions, folder = home(), before = '') {
  const printed = { stdout: '', stderr: '' }
  const groups: (number | null)[] = []
  const frame = frameOf(command, options, {
    stdout: (data) => void (printed.stdout += data.toString()),
    stderr: (data) => void (printed.stderr += data.toString()),
    begun: (group) => void groups.push(group),
  })
  // SSH_CLIENT makes Debian's bash read ~/.bashrc.
  const env = { PATH: process.env['PATH'], HOME: folder, SHELL: shell, LC_ALL: 'C', SSH_CLIENT: '::1 1 22' }
  const child = spawn(shell, ['-c', before + frame.text], { detached: true, env, cwd: folder })
  // The command may end before it has read.
  child.stdin.on('error', () => undefined).end('input')
  child.stdout.on('data', frame.read.stdout)
  child.stderr.on('data', frame.read.stderr)
  const exit = await new Promise<readonly [number | null, string | null]>((resolve) =>
    child.on('close', (code, signal) => resolve([code, signal])),
  )
  const end = frame.end()
  return { ...printed, groups, pid: child.pid, exit, end, login: frame.loginOutput() }
}

/** A program that starts busybox as `ash`. */
function ash(): string {
  const program = join(home(), 'ash')
  symlinkSync(findProgram('busybox') ?? expect.fail('busybox'), program)
  return program
}
const named = (name: string): string => findProgram(name) ?? expect.fail(name)
const shells = ['bash', 'dash', 'zsh', 'fish', 'tcsh', 'busybox ash'] as const
const shellOf = (name: (typeof shells)[number]): string => (name === 'busybox ash' ? ash() : named(name))

const own = { shell: 'sh' } as const
const login = { shell: 'login' } as const

describe.each(shells)('with the login shell %s', (name) => {
  it.each([false, true])(
    'a script of the application runs under /bin/sh (end reported: %s)',
    async (reportsEnd) => {
      const script = `printf '%s|' "it's" 'a!b' '\\x' '100%' 'é中😀' $((2 + 3)) *.none\ncat; echo err >&2\nexit 3`
      const all = await ran(shellOf(name), script, { ...own, reportsEnd })
      expect(all).toMatchObject({
        stdout: `it's|a!b|\\x|100%|é中😀|5|*.none|`,
        stderr: 'err\n',
        exit: [3, null],
      })
      expect([all.groups, all.login]).toEqual([[all.pid], ''])
      expect(all.end.exit).toEqual(reportsEnd ? { status: 3, signal: null } : undefined)
    },
  )

  it.each([false, true])('a user’s command runs in that shell (end reported: %s)', async (reportsEnd) => {
    const command = `echo "it's out"\nsh -c 'ps -o comm= -p $PPID; cat; echo err >&2'; exit 3`
    const shell = shellOf(name)
    const all = await ran(shell, command, { ...login, reportsEnd })
    expect(all.stdout).toBe(`it's out\n${name === 'busybox ash' ? 'ash' : name}\n`)
    expect(all).toMatchObject({ stderr: 'err\n', exit: [3, null], groups: [all.pid] })
  })

  it('a script reads the input of its channel', async () => {
    const all = await ran(shellOf(name), 'tr a-z A-Z', { ...own, readsInput: true })
    expect(all).toMatchObject({ stdout: 'INPUT', exit: [0, null] })
  })

  it('a signal that ends the command is reported', async () => {
    const shell = shellOf(name)
    const command = `sh -c 'kill -9 $PPID'; sleep 1`
    expect((await ran(shell, command, login)).exit).toEqual([null, 'SIGKILL'])
    const all = await ran(shell, command, { ...login, reportsEnd: true })
    expect([all.end.exit, all.stderr]).toEqual([{ status: null, signal: 'SIGKILL' }, ''])
  })
})

describe('output of start-up files', () => {
  const noisy = {
    '.bashrc': 'echo hello\nprintf "\\033]0;title\\007"\necho "stty: not a terminal" >&2\n',
    '.zshenv': 'echo hello\nprintf "\\033]0;title\\007"\n',
    '.config/fish/config.fish': 'echo hello\nprintf "\\e]0;title\\a"\n',
    '.tcshrc': 'echo hello\nprintf "\\033]0;title\\007"\n',
  }
  it.each(['bash', 'zsh', 'fish', 'tcsh'] as const)(
    'of %s is not part of a command’s output',
    async (name) => {
      for (const options of [own, login, { ...login, reportsEnd: true }]) {
        const all = await ran(named(name), 'echo out; exit 3', options, home(noisy))
        expect(all).toMatchObject({ stdout: 'out\n', stderr: '', exit: [3, null] })
        expect(all.login).toContain('hello\n\u001B]0;title\u0007')
      }
    },
  )

  it('may be very long, and may contain traces of the shell', async () => {
    const before = 'head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; set -x; '
    const all = await ran(named('bash'), 'echo out; echo err >&2', own, home(), before)
    expect(all).toMatchObject({ stdout: 'out\n', stderr: 'err\n', groups: [all.pid] })
    expect(all.login.length).toBeLessThanOrEqual(2 * 64 * 1024)
  })

  it('that ends the shell means that the command never began', async () => {
    const bashrc = home({ '.bashrc': 'echo "This account is closed."; exit 1\n' })
    const all = await ran(named('bash'), 'echo out', own, bashrc)
    expect([all.stdout, all.groups, all.login]).toEqual(['', [], 'This account is closed.'])
    expect(all.end.isRun).toBe(false)
  })
})

it('a command that its shell rejects reports the shell’s message', async () => {
  const all = await ran(named('fish'), 'echo "', { ...login, reportsEnd: true })
  // fish 3.6.0 exits with 0 after a syntax error.
  expect(all.end).toMatchObject({ isRun: true, exit: { signal: null } })
  expect(all.stderr).toContain('Unexpected end of string')
})

it('a command may print its own command line', async () => {
  const script = `tr '\\0' ' ' </proc/$$/cmdline >&2; echo >&2; echo after >&2; exit 6`
  const all = await ran(named('dash'), script, { ...own, reportsEnd: true })
  expect(all.stderr).toMatch(/^\/bin\/sh -c eval [^]*\nafter\n$/)
  expect(all.end.exit).toEqual({ status: 6, signal: null })
})

it('a background process may print after the end of the command', async () => {
  const all = await ran(named('dash'), '(sleep 0.3; printf wheelhouse- >&2) & exit 7', {
    ...login,
    reportsEnd: true,
  })
  expect([all.stderr, all.end.exit]).toEqual(['wheelhouse-', { status: 7, signal: null }])
})

it.each([own, login])('a command whose caller has gone does not begin: %j', async (options) => {
  const folder = home()
  const output = { stdout: () => undefined, stderr: () => undefined }
  const frame = frameOf(`touch ${join(folder, 'began')}`, options, output)
  // Start-up files may ignore the signal of a closed pipe.
  const text = `trap "" PIPE; sleep 0.3; ${frame.text}`
  const child = spawn(named('bash'), ['-c', text], {
    detached: true,
    env: { ...process.env, SHELL: named('bash') },
  })
  child.stdout.destroy()
  child.stderr.destroy()
  await new Promise((resolve) => child.on('exit', resolve))
  expect(findProgram(join(folder, 'began'))).toBeUndefined()
})

it('a machine without a shell can read the command and its frame', () => {
  const output = { stdout: () => undefined, stderr: () => undefined }
  const command = `echo 'it''s' "$HOME" \\ 100%\nexit`
  for (const reportsEnd of [false, true])
    for (const shell of ['sh', 'login'] as const)
      expect(readFrame(frameOf(command, { shell, reportsEnd }, output).text)).toMatchObject({
        command,
        reportsEnd,
      })
  expect(readFrame('exec /bin/sh')).toBeNull()
})

it.each(['bash', 'busybox', 'zsh'])('/bin/sh may be %s', async (name) => {
  const folder = home()
  const program = join(folder, 'sh')
  symlinkSync(named(name), program)
  const printed: string[] = []
  const take = (data: Buffer): void => void printed.push(data.toString())
  for (const options of [own, { ...own, reportsEnd: true }, { ...login, reportsEnd: true }] as const) {
    const frame = frameOf(`sh -c 'kill -15 $PPID'; sleep 1`, options, { stdout: take, stderr: take })
    const text = frame.text.replaceAll('/bin/sh', program)
    const child = spawn(named('bash'), ['-c', text], {
      detached: true,
      env: { ...process.env, SHELL: named('bash') },
    })
    child.stdout.on('data', frame.read.stdout)
    child.stderr.on('data', frame.read.stderr)
    const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)))
    const reported = frame.end().exit
    const isReported = 'reportsEnd' in options
    expect([signal, reported]).toEqual(
      isReported ? [null, { status: null, signal: 'SIGTERM' }] : ['SIGTERM', undefined],
    )
  }
  expect(printed).toEqual([])
})
