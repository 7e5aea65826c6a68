import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import { openWindow } from './open-window'

const folder = temporaryFolder()
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** A stand-in for a terminal. */
const program = (name: string, script: string): string => {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}
const around = { env: { PATH: '/usr/bin:/bin' }, folder, watchFor: 10_000 }
const failed = (reason: unknown) => ({ kind: 'failed', reason })

it('arguments reach the program unchanged', async () => {
  const file = program('arguments', `printf '%s\\n' "$PWD" "$@" > "${folder}/seen"`)
  const args = ['a b', '$(touch /tmp/x)', '"q"', "it's", ';', '*', '']
  await openWindow({ file, args }, null, around)
  expect(readFileSync(join(folder, 'seen'), 'utf8')).toBe([folder, ...args, ''].join('\n'))
})

it('a terminal gets only the given environment', async () => {
  const file = program('environment', `env > "${folder}/env"`)
  await openWindow({ file, args: [] }, null, { ...around, env: { ...around.env, ONLY: 'this' } })
  const seen = readFileSync(join(folder, 'env'), 'utf8')
  expect(seen).toMatch(/^ONLY=this$/m)
  expect(seen).not.toMatch(/^(HOME|NODE_ENV|VITEST)=/m)
})

it('a window that stays open counts as running', async () => {
  const file = program('stays', `echo $$ > "${folder}/pid"; exec tail -f /dev/null`)
  await openWindow({ file, args: [] }, null, { ...around, watchFor: 1_500 })
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  expect(process.kill(pid, 0)).toBe(true)
  process.kill(pid)
})

it('a missing terminal is reported', async () => {
  const file = join(folder, 'missing')
  await expect(openWindow({ file, args: [] }, null, around)).resolves.toEqual(
    failed(expect.stringContaining('ENOENT')),
  )
})

it('a terminal without execute permission is reported', async () => {
  const file = program('closed', 'exit 0')
  chmodSync(file, 0o644)
  await expect(openWindow({ file, args: [] }, null, around)).resolves.toEqual(
    failed(expect.stringContaining('EACCES')),
  )
})

it('the last message of a terminal that ends at once is reported', async () => {
  const file = program('fails', 'echo first >&2; echo "cannot open display" >&2; exit 1')
  await expect(openWindow({ file, args: [] }, null, around)).resolves.toEqual(failed('cannot open display'))
  const mute = program('mute', 'exit 7')
  await expect(openWindow({ file: mute, args: [] }, null, around)).resolves.toEqual(failed('exit code 7'))
  const killed = program('killed', 'kill -KILL $$')
  await expect(openWindow({ file: killed, args: [] }, null, around)).resolves.toEqual(failed('SIGKILL'))
})

it('a second window stays open if the session ends in its first moments', async () => {
  const file = program('brief', `echo "$@" >> "${folder}/runs"`)
  await openWindow({ file, args: ['closes'] }, { file, args: ['stays'] }, around)
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('closes\nstays\n')
})

it('one window opens if the session continues', async () => {
  const file = program('long', `echo $$ >> "${folder}/pids"; exec tail -f /dev/null`)
  await openWindow({ file, args: [] }, { file, args: [] }, { ...around, watchFor: 1_500 })
  const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number)
  pids.forEach((pid) => process.kill(pid))
  expect(pids).toHaveLength(1)
  expect(existsSync(join(folder, 'runs'))).toBe(true)
})
