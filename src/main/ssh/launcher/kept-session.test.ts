import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../test/fixtures/sshd'
import { describeWith, findProgram } from '../../../../test/fixtures/system-requirements'
import { loadPty } from '../../terminals/pty'
import { keepCommand, newKeptName } from './kept-session'

/** The first program of these on a machine without LANG, attached to a kept session. */
async function attached(tool: 'tmux' | 'screen') {
  const start = (await loadPty()) ?? expect.fail('no pseudo-terminals')
  const folder = temporaryFolder()
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  symlinkSync(findProgram(tool) ?? expect.fail(tool), join(bin, tool))
  const env = { PATH: bin, HOME: folder, SHELL: '/bin/sh', TERM: 'xterm-256color', TMUX_TMPDIR: folder }
  const name = newKeptName()
  let shown = ''
  const pty = start(
    { file: '/bin/sh', args: ['-c', keepCommand(name)], env, folder, columns: 80, rows: 24 },
    { output: (bytes) => void (shown += Buffer.from(bytes).toString('utf8')), ended: () => undefined },
  )
  onTestFinished(() => {
    const end = tool === 'tmux' ? ['kill-session', '-t', name] : ['-S', name, '-X', 'quit']
    execFileSync(join(bin, tool), end, { env: { ...env, PATH: process.env['PATH'] } })
    pty.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  return { pty, shown: () => shown }
}

for (const tool of ['tmux', 'screen'] as const)
  describeWith([tool], `a kept session of ${tool} on a machine without LANG`, () => {
    it('shows letters of any script', async () => {
      const { pty, shown } = await attached(tool)
      await expect.poll(shown).toMatch(/[$#] /)
      await pty.write("printf 'caf\\303\\251 \\346\\274\\242\\345\\255\\227 \\342\\234\\223|\\n'\r")
      await expect.poll(shown).toContain('café 漢字 ✓|')
    })
  })
