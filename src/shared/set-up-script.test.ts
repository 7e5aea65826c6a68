import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { maxLog } from './bridge/job'
import { readSetUpScript, setUpFolder, setUpFunctions, setUpLogPath, setUpScript } from './set-up-script'

/** Answer of a machine whose cloud-init is `program`, a script in POSIX sh, and whose log is `log`. */
function answer(program: string, log: string | null, hasLog = false): string {
  const folder = mkdtempSync(join(tmpdir(), 'set-up-'))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'cloud-init'), `#!/bin/sh\n${program}\n`)
  chmodSync(join(bin, 'cloud-init'), 0o755)
  const path = join(folder, 'log')
  if (log !== null) writeFileSync(path, log)
  const { stdout } = spawnSync('/bin/sh', {
    input: setUpScript(hasLog).replace(setUpLogPath, path),
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    encoding: 'utf8',
    timeout: 20_000,
  })
  return stdout
}

describe('the script about the set-up', () => {
  it('is printed in the documentation as it is sent', () => {
    const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(readFileSync('docs/creation.md', 'utf8')) ?? []
    expect(block.trim()).toBe(setUpFunctions)
  })

  it('is read back', () => {
    expect(readSetUpScript(setUpScript(true))).toEqual({ hasLog: true })
    expect(readSetUpScript(setUpScript(false))).toEqual({ hasLog: false })
    expect(readSetUpScript('cloud-init status')).toBeNull()
  })

  it.each([
    ['done', 0, false, false],
    ['done', 0, true, true],
    ['error', 1, false, true],
    ['done', 2, false, true],
  ] as const)('reports “%s” with exit status %i, with the log: %s', (status, code, hasLog, isRead) => {
    const log = isRead ? 'log 9\nRunparts\n' : ''
    expect(answer(`echo "status: ${status}"; exit ${String(code)}`, 'Runparts\n', hasLog)).toBe(
      `status: ${status}\n\nexit ${String(code)}\n${log}\nend\n`,
    )
  })

  it('reports whether cloud-init has begun and not ended', () => {
    const folder = mkdtempSync(join(tmpdir(), 'set-up-'))
    const exitLine = (): string => {
      const script = setUpScript(false).replaceAll(setUpFolder, folder)
      const { stdout } = spawnSync('/bin/sh', { input: script, encoding: 'utf8' })
      return /exit .*/.exec(stdout)?.[0] ?? ''
    }
    expect(exitLine()).not.toContain('unfinished')
    writeFileSync(join(folder, 'status.json'), '{}')
    expect(exitLine()).toMatch(/ unfinished$/)
    writeFileSync(join(folder, 'result.json'), '{}')
    expect(exitLine()).not.toContain('unfinished')
  })

  it('reports a log that does not exist or is no file', () => {
    expect(answer('exit 1', null)).toContain('\nnone\n')
  })

  it('ends with a bounded answer if cloud-init prints without an end and the log is large', () => {
    const printed = answer('yes "status: running"', 'x'.repeat(2_000_000), true)
    expect(printed).toMatch(/\nexit \d+\nlog 2000000\nx+\nend\n$/)
    expect(printed.length).toBeLessThan(maxLog.bytes + 20_000)
  })
})
