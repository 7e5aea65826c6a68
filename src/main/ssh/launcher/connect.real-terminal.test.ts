import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectHarness } from '../../../../test/fixtures/connect-harness'
import { deep } from '../../../../test/fixtures/counts'
import { someHostileStrings } from '../../../../test/fixtures/hostile-strings'
import { account } from '../../../../test/fixtures/ssh-harness'
import { fingerprintBySsh, makeKey, type RunningSshd } from '../../../../test/fixtures/sshd'
import { describeWith, findProgram } from '../../../../test/fixtures/system-requirements'
import { windowTitle } from '../client/plain-values'

const run = promisify(execFile)
const { root, folder, key, start, end, sshTo } = connectHarness()

/** The windows of this test that a terminal program has open, as command lines. */
const windowsOf = async (terminal: string): Promise<readonly { pid: number; line: string }[]> =>
  (await run('ps', ['-A', '-ww', '-o', 'pid=,args='])).stdout
    .split('\n')
    .map((line) => ({ pid: Number.parseInt(line, 10), line: line.trim().replace(/^\d+ /, '') }))
    .filter(({ line }) => line.startsWith(findProgram(terminal) ?? terminal) && line.includes(root.slice(-6)))

const titleOf = async (window: string): Promise<string | undefined> =>
  /^WM_NAME\(\w+\) = "(.*)"\n$/s.exec((await run('xprop', ['-id', window, 'WM_NAME'])).stdout)?.[1]

describeWith(['sshd', 'ssh', 'xterm', 'display'], 'a real terminal', () => {
  beforeAll(() => {
    for (const name of ['window user', 'window stranger', 'window host']) makeKey(key(name))
  })

  const real = (server: RunningSshd, terminal: string, identity: string, watchFor: number, name?: string) => {
    const ssh = sshTo(server, { env: process.env, terminal, watchFor, ...(name !== undefined && { name }) })
    return async () => {
      await ssh.handlers['ssh.configure']({ account, machine: 'M1', identityFile: key(identity) })
      return ssh.connect(account, 'M1')
    }
  }

  describe.each(['xterm', 'xfce4-terminal'].filter((name) => findProgram(name) !== undefined))(
    '%s',
    (terminal) => {
      // On a busy computer a window may be one that stays open with ssh's last words.
      afterEach(async () => {
        await end()
        const left = (await windowsOf(terminal)).map(({ pid }) => String(pid))
        // A window may have closed by now.
        if (left.length > 0) await run('kill', left).catch(() => undefined)
        await expect.poll(() => windowsOf(terminal)).toEqual([])
      })

      it('opens with a session that has its own terminal', async () => {
        const server = await start({ hostKeys: [key('window host')], admits: key('window user') })
        await real(server, terminal, 'window user', 400)()
        await server.logged(/Accepted publickey/)
        await expect(server.logged(/Starting session: .* on pts\/\d+/)).resolves.toContain(server.user)
        expect(server.log()).toContain(fingerprintBySsh(key('window user')))
      })

      it('closes with its session', async () => {
        const server = await start({ hostKeys: [key('window host')], admits: key('window user') })
        await real(server, terminal, 'window user', 400)()
        // Before that, a window may be two processes with one command line: one of them is to become ssh.
        await server.logged(/Starting session/)
        await expect.poll(() => windowsOf(terminal)).toHaveLength(1)
        await end()
        await expect.poll(() => windowsOf(terminal)).toEqual([])
      })

      it('stays open with ssh’s message if the machine refuses the key', async () => {
        const server = await start({ hostKeys: [key('window host')], admits: key('window user') })
        // The first window closes well before; the second, which stays, is watched to the end.
        await real(server, terminal, 'window stranger', 15_000)()
        const left = await windowsOf(terminal)
        expect(left).toHaveLength(1)
        expect(left[0]?.line).toMatch(/-hold/)
        expect(server.log()).not.toContain('Accepted')
      })
    },
  )

  it('shows a hostile name and runs only ssh', { timeout: deep(240_000, 900_000) }, async () => {
    const server = await start({ hostKeys: [key('window host')], admits: key('window user') })
    const canary = join(root, 'canary')
    const names = someHostileStrings(canary)
    const before = readdirSync(root)
    const commands = new Set<string>()
    for (const name of ['train', ...names]) {
      await real(server, 'xterm', 'window user', 100, name)()
      await expect.poll(() => windowsOf('ssh'), { message: name.slice(0, 80) }).toHaveLength(1)
      const { pid } = (await windowsOf('ssh'))[0] ?? expect.fail('no ssh')
      const of = (what: string) => readFileSync(`/proc/${pid}/${what}`, 'utf8')
      commands.add(of('cmdline'))
      const id = /(?:^|\0)WINDOWID=(\d+)/.exec(of('environ'))?.[1] ?? expect.fail('no window')
      const shown = await titleOf(id)
      expect(shown, name.slice(0, 80)).toBe(windowTitle(name, 'nobody'))
      expect(shown).toMatch(/^[^\p{C}+-][^\p{C}]{0,79}$/u)
      process.kill(pid)
      await expect.poll(() => windowsOf('xterm')).toEqual([])
    }
    expect(commands.size).toBe(1)
    expect(existsSync(canary)).toBe(false)
    expect(readdirSync(root).filter((name) => name !== 'user data')).toEqual(before)
    expect(readdirSync(folder)).toEqual(['known_hosts', 'settings.json'])
  })

  it('that can’t reach the display is replaced by the terminal inside', async () => {
    const server = await start({ hostKeys: [key('window host')], admits: key('window user') })
    const ssh = sshTo(server, { env: { ...process.env, DISPLAY: ':987' }, watchFor: 10_000 })
    await ssh.handlers['ssh.configure']({ account, machine: 'M1', identityFile: key('window user') })
    await expect(ssh.connect(account, 'M1')).rejects.toThrow('no terminal inside in this test')
    expect(server.log()).not.toContain('Accepted')
  })
})
