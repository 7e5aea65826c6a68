import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { deep } from '../../../test/fixtures/counts'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { fakeNetwork } from '../../../test/fixtures/fake-network'
import { hostileStrings, someHostileStrings } from '../../../test/fixtures/hostile-strings'
import { noAskpass, noKeys } from '../../../test/fixtures/no-terminals'
import { account, machine } from '../../../test/fixtures/ssh-harness'
import { temporaryFolder } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { isPlainUser } from '../ssh/client/plain-values'
import { sshWithTerminals } from '../../../test/fixtures/ssh-with-terminals'
import { openSettings } from '../store/settings'
import { flakySettings } from '../../../test/fixtures/flaky-settings'
import { createTerminals } from './index'
import { loadPty, type PtyProgram } from './pty'

async function hostile() {
  const root = temporaryFolder('wheelhouse hostile ')
  onTestFinished(() => rmSync(root, { recursive: true }))
  const [folder, home] = [join(root, 'user data'), join(root, 'home')]
  for (const path of [folder, home]) mkdirSync(path)
  const started: PtyProgram[] = []
  const start = (await loadPty()) ?? expect.fail('no pseudo-terminals')
  const terminals = createTerminals({
    clock: fakeClock(1_000),
    network: fakeNetwork(),
    documents: flakySettings(),
    loadPty: () =>
      Promise.resolve((program, listener) => {
        started.push(program)
        return start(program, listener)
      }),
  })
  onTestFinished(() => terminals.close())
  let reached = machine({ address: '127.0.0.1', username: 'ubuntu' })
  let identityFile: string | null = null
  const ssh = sshWithTerminals({
    folder,
    home,
    platform: process.platform,
    env: process.env,
    terminals,
    keys: noKeys,
    askpass: noAskpass,
    settings: openSettings(folder),
    terminal: () => null,
    machine: () => reached,
    chooseFile: async () => null,
    defaults: () => ({ port: 1, identityFile }),
  })
  onTestFinished(() => ssh.close())
  const canary = join(root, 'canary')
  const texts = hostileStrings(canary)
  return {
    texts,
    started,
    canary,
    folder,
    home,
    /** Opens a terminal of a machine named `name`, and closes it once its ssh has ended. */
    async open(name: string): Promise<void> {
      reached = machine({ address: '127.0.0.1', username: 'ubuntu', name })
      const { session } = await ssh.handlers['ssh.connect']({
        account,
        machine: 'm1',
        inside: true,
        anyway: true,
      })
      const ofSession = async () =>
        (await terminals.handlers['terminal.sessions']({})).find(({ id }) => id === session)
      expect((await ofSession())?.name).toBe(name)
      await expect.poll(async () => (await ofSession())?.state.kind, { timeout: 20_000 }).toBe('ended')
      await terminals.handlers['terminal.close']({ session: session ?? '' })
    },
    /** Returns the failure of a connection with `text` in one field. */
    async refusal(as: 'username' | 'address' | 'identityFile', text: string): Promise<unknown> {
      reached = machine({
        address: '127.0.0.1',
        username: 'ubuntu',
        ...(as !== 'identityFile' && { [as]: text }),
      })
      identityFile = as === 'identityFile' ? text : null
      try {
        const input = { account, machine: 'm1', inside: true, anyway: true }
        const { session } = await ssh.handlers['ssh.connect'](input)
        const ofSession = async () =>
          (await terminals.handlers['terminal.sessions']({})).find(({ id }) => id === session)?.state
        await expect.poll(async () => (await ofSession())?.kind).toBe('failed')
        const state = await ofSession()
        await terminals.handlers['terminal.close']({ session: session ?? '' })
        return state?.kind === 'failed' ? state.failure : state
      } catch (error) {
        return error instanceof Error && 'failure' in error ? error.failure : error
      }
    },
  }
}

describeWith(['ssh'], 'a terminal inside with hostile texts', () => {
  it.each([
    ['username', 'user'],
    ['address', 'host'],
    ['identityFile', 'identityFile'],
  ] as const)(
    'refuses each as %s, names the field, and neither runs nor writes anything',
    async (as, field) => {
      const { texts, refusal, started, canary, folder, home } = await hostile()
      expect(new Set(texts).size).toBeGreaterThanOrEqual(250)
      // User names that ssh accepts reach it as one argument (hostile-arguments.test.ts).
      const refused = as === 'username' ? texts.filter((text) => !isPlainUser(text)) : texts
      expect(refused.length).toBeGreaterThanOrEqual(100)
      for (const text of refused)
        expect(await refusal(as, text), text.slice(0, 80)).toMatchObject({ kind: 'invalid-input', field })
      expect(started).toEqual([])
      expect(existsSync(canary)).toBe(false)
      expect(readdirSync(home)).toEqual([])
      expect(readdirSync(folder).filter((name) => name !== 'known_hosts')).toEqual([])
    },
  )

  it(
    'starts the same ssh whatever the machine’s name, and neither runs nor writes anything else',
    { timeout: deep(240_000, 300_000) },
    async () => {
      const { open, started, canary, folder, home } = await hostile()
      // Each name starts a real ssh without a server.
      const names = ['train', ...someHostileStrings(canary)]
      for (const name of names) await open(name)
      const programs = started.map(({ file, args, env }) => JSON.stringify([file, args, env]))
      expect(programs).toHaveLength(names.length)
      expect(new Set(programs).size).toBe(1)
      expect(existsSync(canary)).toBe(false)
      expect(readdirSync(home)).toEqual([])
      expect(readdirSync(folder)).toEqual(['known_hosts'])
    },
  )
})
