import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import { findProgram } from '../../../../test/fixtures/system-requirements'
import { runBySystem } from './system-run'

const { signal } = new AbortController()

/** What a command leaves where `start` is in place of ssh. */
async function left(start: Parameters<typeof runBySystem>[0], command: string, isOwnLine = true) {
  const printed = { stdout: '', stderr: '' }
  const groups: (number | null)[] = []
  const output = {
    stdout: (data: Buffer): void => void (printed.stdout += data.toString()),
    stderr: (data: Buffer): void => void (printed.stderr += data.toString()),
    begun: (group: number | null): void => void groups.push(group),
  }
  const exit = await runBySystem(start, command, output, signal, signal, isOwnLine)
  return { ...printed, ...exit, groups }
}
/** As sshd starts it: in a session of its own. */
const login = (shell: string) => (command: string) =>
  spawn(shell, ['-c', command], { detached: true, env: { ...process.env, SHELL: shell } })

const shells = ['sh', 'bash', 'zsh', 'fish', 'tcsh'].flatMap((name) => findProgram(name) ?? [])

it.each(shells)('a command of %s leaves what it printed, its exit code and its signal', async (shell) => {
  const start = login(shell)
  const all = await left(start, `echo "it's out"\nsh -c 'echo err >&2; cat; echo $PPID'; exit 3`)
  expect(all).toMatchObject({ stderr: 'err\n', status: 3, signal: null })
  expect(all.stdout).toMatch(/^it's out\n\d+\n$/)
  expect(all.groups).toEqual([expect.any(Number)])
  expect(await left(start, 'exit 255')).toMatchObject({ status: 255, signal: null })
  const killed = await left(start, `sh -c 'kill -9 $PPID'; sleep 1`)
  expect(killed).toMatchObject({ stderr: '', status: null, signal: 'SIGKILL' })
})

it('what start-up files print is no part of it, and errors without a line end are', async () => {
  const start = (command: string) => login('sh')(`echo hello; echo hello >&2; ${command}`)
  expect(await left(start, 'printf out; printf wheel >&2; sleep 0.1; printf house- >&2')).toMatchObject({
    ...{ stdout: 'out', stderr: 'wheelhouse-', status: 0 },
  })
})

it('a shell that shows what it runs still says where the command runs', async () => {
  const shown = await left((command) => login('sh')(`set -x; ${command}`), 'echo out; echo err >&2; exit 255')
  expect(shown).toMatchObject({ stdout: 'out\n', stderr: 'err\n', status: 255 })
  expect(shown.groups).toEqual([expect.any(Number)])
})

it('a command may print how it was started itself', async () => {
  const listed = await left(
    login('sh'),
    `tr '\\0' ' ' </proc/$PPID/cmdline >&2; echo >&2; echo after >&2; exit 6`,
  )
  expect(listed.stderr).toMatch(/^\/bin\/sh -c echo wheelhouse-[^]*\nafter\n$/)
  expect(listed.status).toBe(6)
})

it('what a command leaves running may print after its end', async () => {
  const later = await left(login('sh'), '(sleep 0.3; echo later >&2) & exit 7')
  expect(later).toMatchObject({ stderr: 'later\n', status: 7 })
})

it('errors are passed on as they come, whatever a machine says in the words of the wrapper', async () => {
  const flood = (command: string) => {
    const mark = /wheelhouse-\w+/.exec(command)?.[0] ?? ''
    const script = `echo ${mark} 7 >&2; printf '${mark} ' >&2; head -c 8000000 /dev/zero >&2; printf '\\n${mark} 0\\n' >&2; exec sleep 60`
    return spawn('sh', ['-c', script], { detached: true })
  }
  const ending = new AbortController()
  let passed = 0
  const output = {
    stdout: (): void => undefined,
    stderr(data: Buffer): void {
      passed += data.length
      if (passed > 8_000_000) ending.abort()
    },
  }
  const running = runBySystem(flood, 'true', output, signal, ending.signal, true)
  await expect(running).rejects.toMatchObject({ name: 'AbortError' })
})

it('a line that ends before the command does is lost, and one that never stood is refused', async () => {
  const cut = (command: string) =>
    spawn('sh', ['-c', `echo ${/wheelhouse-\w+/.exec(command)?.[0] ?? ''} 7 >&2; exit 255`])
  await expect(left(cut, 'true')).rejects.toMatchObject({ kind: 'lost' })
  expect(await left(cut, 'true', false)).toMatchObject({ status: null, signal: null })
  const refused = () => spawn('sh', ['-c', 'echo "Permission denied (publickey)." >&2; exit 255'])
  await expect(left(refused, 'true')).rejects.toMatchObject({ kind: 'refused', message: /Permission denied/ })
})

it('a machine that runs another command, or knows no exec, gives what that gives', async () => {
  const forced = () => spawn('sh', ['-c', 'echo forced; echo error >&2; exit 4'])
  expect(await left(forced, 'true')).toMatchObject({ stdout: 'forced\n', stderr: 'error\n', status: 4 })
  const cmd = (command: string) =>
    command.startsWith('exec')
      ? spawn('sh', ['-c', `echo "'exec' is not recognized as an internal or external command" >&2; exit 1`])
      : login('sh')(command)
  expect(await left(cmd, 'echo out; exit 5')).toMatchObject({
    ...{ stdout: 'out\n', stderr: '', status: 5, groups: [null] },
  })
})

it('a command that did not arrive whole is not run', async () => {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [file, other] = [join(folder, 'made'), join(folder, 'whole')]
  let text = ''
  await left((command) => login('sh')((text = command)), `touch ${other}`)
  expect(existsSync(other)).toBe(true)
  const child = login('sh')(text)
  child.stdin.end(`touch ${file}; touch ${file}/`)
  expect(await once(child, 'exit')).toEqual([255, null])
  expect(existsSync(file)).toBe(false)
})
