import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { scriptLoop } from '#shared/command-frame'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../../test/fixtures/tunnels-harness'
import { openInteractive } from './connection'
import { scriptShell } from './script-shell'
import { connectionLimits } from './target'
import type { SshConnection } from './transport'

/** Counts the channels of a connection to a real sshd. */
async function connected(settings: Record<string, string> = {}) {
  const { target } = await sshdTarget(settings)
  const outcome = await openInteractive(target, new AbortController().signal)
  if (outcome.kind !== 'connected') return expect.fail(outcome.kind)
  const { connection } = outcome
  onTestFinished(() => connection.close())
  const channels = { exec: 0, pipe: 0 }
  const counted: SshConnection = {
    ...connection,
    exec: (...given) => {
      channels.exec += 1
      return connection.exec(...given)
    },
    pipe: (...given) => {
      channels.pipe += 1
      return connection.pipe(...given)
    },
  }
  return { connection: counted, channels, target }
}

/** Whether a process of a group runs. */
const isRunning = (group: string): boolean =>
  execFileSync('ps', ['-A', '-o', 'pgid='], { encoding: 'utf8' })
    .split('\n')
    .some((line) => line.trim() === group)

const outputOf = async (outcome: ReturnType<SshConnection['exec']>): Promise<string> => {
  const result = await outcome
  return result.kind === 'finished' ? result.stdout.trim() : expect.fail(result.kind)
}

it('the documentation prints the script of the open channel', () => {
  const docs = new URL('../../../../docs/machine-commands.md', import.meta.url)
  expect(readFileSync(docs, 'utf8')).toContain(`\n${scriptLoop}\n`)
})

describeWith(['sshd'], 'scripts in one open channel', () => {
  it('answer like scripts in a separate channel', async () => {
    const { connection, channels } = await connected()
    const { exec } = scriptShell(connection)
    await exec('true')
    for (const script of [
      'echo one; echo two >&2; exit 3',
      "printf '%s' 'a b %d \\n ü'; echo \"it's\" >&2",
      'kill -9 $(exec sh -c "echo \\$PPID")',
      'cat; cd /; set -f; IFS=:; exec 2>&1; echo $PATH >/dev/null',
      'echo one\necho two\n\nfalse',
      'exit 255',
      'head -c 200000 /dev/zero | tr "\\0" x',
    ]) {
      const [alone, inLoop] = [await connection.exec(script), await exec(script)]
      const trimmed = (outcome: typeof alone) =>
        outcome.kind === 'finished' ? { ...outcome, stderr: outcome.stderr.trim() } : outcome
      expect(trimmed(inLoop), script).toEqual(trimmed(alone))
    }
    expect(channels).toEqual({ exec: 8, pipe: 1 })
  })

  it('run one after another', async () => {
    const { connection } = await connected()
    const { exec } = scriptShell(connection)
    const all = await Promise.all(
      ['sleep 0.2; echo 1', 'echo 2', 'echo 3'].map((script) => outputOf(exec(script))),
    )
    expect(all).toEqual(['1', '2', '3'])
  })

  it('leave no process on the machine once the shell is closed', async () => {
    const { connection } = await connected()
    const { exec, close } = scriptShell(connection)
    await exec('true')
    const group = await outputOf(exec('echo $$'))
    expect(isRunning(group)).toBe(true)
    close()
    await expect.poll(() => isRunning(group)).toBe(false)
    await expect(exec('true')).rejects.toThrow('closed')
  })

  it('leave no process on the machine once the connection is lost', async () => {
    const { connection } = await connected()
    const { exec } = scriptShell(connection)
    await exec('true')
    const group = await outputOf(exec('echo $$'))
    connection.close()
    await expect.poll(() => isRunning(group)).toBe(false)
    await expect(exec('true')).rejects.toThrow()
  })

  it('get separate channels after one of them timed out', async () => {
    const { connection, channels } = await connected()
    const { exec } = scriptShell(connection, { ...connectionLimits, command: 2 })
    await exec('true')
    await exec('true')
    expect(await exec('sleep 5')).toEqual({ kind: 'timed-out' })
    expect(await outputOf(exec('echo again'))).toBe('again')
    expect(channels).toEqual({ exec: 2, pipe: 1 })
  })

  it('get separate channels if the open channel does not open, or does not answer, in time', async () => {
    const { connection, channels } = await connected()
    const never = (): ReturnType<SshConnection['pipe']> => new Promise(() => undefined)
    const mute = (): ReturnType<SshConnection['pipe']> => connection.pipe('sleep 60')
    for (const pipe of [never, mute]) {
      channels.exec = 0
      const { exec } = scriptShell({ ...connection, pipe }, { ...connectionLimits, command: 1 })
      for (const text of ['1', '2', '3']) expect(await outputOf(exec(`echo ${text}`))).toBe(text)
      expect(channels.exec).toBe(3)
    }
    expect(channels.pipe).toBe(1)
  })

  it('run to their end if they print much error output, of which the first 64 KB are read', async () => {
    const { connection, channels } = await connected()
    const { exec } = scriptShell(connection)
    await exec('true')
    const outcome = await exec('head -c 3000000 /dev/zero | tr "\\0" x >&2; echo end; exit 3')
    expect(outcome).toMatchObject({
      kind: 'finished',
      stdout: 'end\n',
      status: 3,
      stderr: 'x'.repeat(65_536),
    })
    expect(channels).toEqual({ exec: 1, pipe: 1 })
  })

  it('end if they print without end', async () => {
    const { connection } = await connected()
    const { exec } = scriptShell(connection)
    await exec('true')
    const outcome = await exec('yes')
    expect(outcome).toMatchObject({ kind: 'finished', status: null })
    expect(await outputOf(exec('echo again'))).toBe('again')
  })

  it('get separate channels if the machine runs another program instead', async () => {
    const { connection, channels } = await connected({ ForceCommand: 'echo forced' })
    const { exec } = scriptShell(connection)
    expect(await exec('true')).toMatchObject({ kind: 'not-begun', said: 'forced' })
    expect(await exec('true')).toMatchObject({ kind: 'not-begun', said: 'forced' })
    expect(channels).toEqual({ exec: 2, pipe: 0 })
  })

  it('get separate channels if the machine ends the open channel before an answer', async () => {
    const { connection, channels } = await connected()
    const broken: SshConnection = { ...connection, pipe: () => connection.pipe('head -c 1 >/dev/null; exit') }
    const { exec } = scriptShell(broken)
    for (const text of ['1', '2', '3']) expect(await outputOf(exec(`echo ${text}`))).toBe(text)
    expect(channels).toEqual({ exec: 3, pipe: 1 })
  })

  it('continue in another channel after the shell was ended on the machine', async () => {
    const { connection, channels } = await connected()
    const { exec } = scriptShell(connection)
    await exec('true')
    const group = await outputOf(exec('echo $$'))
    expect(await outputOf(exec(`[ $$ != ${group} ] || kill -9 -$$; echo alone`))).toBe('alone')
    expect(channels).toEqual({ exec: 2, pipe: 1 })
    expect(await outputOf(exec('echo again'))).toBe('again')
    expect(channels).toEqual({ exec: 2, pipe: 2 })
  })
})
