import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { filesHarness, ownFolder } from '../../../../test/fixtures/files-harness'
import { realTerminals } from '../../../../test/fixtures/real-terminals'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { type Transport, transports } from '../../../../test/fixtures/system-ssh'
import { tinysshdTarget } from '../../../../test/fixtures/tinysshd'
import { tunnelsHarness } from '../../../../test/fixtures/tunnels-harness'
import { webServer } from '../../../../test/fixtures/web-server'
import { gpuReader } from '../../gpu/tools/read-gpus'
import { openConnection } from './connection'
import type { SshConnection } from './transport'

async function connected(transport: Transport): Promise<SshConnection> {
  const { target } = await tinysshdTarget(transport)
  const outcome = await openConnection(target, new AbortController().signal)
  if (outcome.kind !== 'connected') return expect.fail(outcome.kind)
  onTestFinished(() => outcome.connection.close())
  return outcome.connection
}

// tinysshd 20230101 serves one session per connection, ends both together, and forwards no ports.
describeWith(['tinysshd', 'ssh', 'accounts'], 'a machine with tinysshd', () => {
  it.each(transports)('runs commands one after another and in parallel: %s', async (transport) => {
    const connection = await connected(transport)
    for (const status of [0, 1, 2])
      expect(await connection.exec(`echo out; echo err >&2; exit ${String(status)}`)).toMatchObject({
        kind: 'finished',
        stdout: 'out\n',
        stderr: 'err\n',
        status,
      })
    const commands = [3, 4, 5, 6].map((status) => connection.exec(`exit ${String(status)}`))
    const statuses = (await Promise.all(commands)).map((each) => each.kind === 'finished' && each.status)
    expect(statuses).toEqual([3, 4, 5, 6])
    const { stream, exit } = await connection.pipe('tr a-z A-Z')
    stream.end('input')
    expect(String(await stream.toArray())).toBe('INPUT')
    expect(await exit).toEqual({ status: 0, signal: null })
  })

  it('has no session or connection left after the close', async () => {
    const { target, open } = await tinysshdTarget('ssh2')
    const outcome = await openConnection(target, new AbortController().signal)
    if (outcome.kind !== 'connected') return expect.fail(outcome.kind)
    const { connection } = outcome
    await connection.exec('true')
    const { stream } = await connection.pipe('cat')
    stream.on('error', () => undefined)
    await expect.poll(open).toBe(2)
    connection.close()
    await expect.poll(open).toBe(0)
    expect(stream.destroyed).toBe(true)
  })

  it('ends a command that is cancelled', async () => {
    const connection = await connected('ssh2')
    const ending = new AbortController()
    let ran: Promise<unknown> | undefined
    const begun = new Promise<void>((resolve) => {
      const output = { stdout: () => undefined, stderr: () => undefined, begun: () => resolve() }
      ran = connection.run('sleep 60', output, ending.signal, 'sh')
    })
    await begun
    ending.abort(new Error('cancelled'))
    await expect(ran).rejects.toThrow('cancelled')
    expect(await connection.exec('echo next')).toMatchObject({ stdout: 'next\n', status: 0 })
  })

  it.each(['ssh2', 'ssh'] as const)('copies files both ways with their checksums: %s', async (transport) => {
    const { target, home } = await tinysshdTarget(transport)
    const { look, upload, download, until, local } = filesHarness(target)
    await look()
    const from = join(ownFolder(), 'data')
    mkdirSync(from)
    const names = Array.from({ length: 30 }, (_, at) => `f${String(at)}`)
    for (const name of names) writeFileSync(join(from, name), randomBytes(100_000))
    await upload(home, from)
    expect(await until('done')).toMatchObject({ state: { verified: 'checksum' } })
    await download(home, 'data')
    expect(await until('done')).toMatchObject({ state: { verified: 'checksum' } })
    for (const name of names)
      expect(readFileSync(join(local, 'data', name)).equals(readFileSync(join(from, name)))).toBe(true)
  })

  it.each(['ssh2', 'ssh'] as const)(
    'lists services and reports that it forwards no port: %s',
    async (transport) => {
      const port = await webServer()
      const { target } = await tinysshdTarget(transport)
      const { look, services, open } = tunnelsHarness(target)
      const found = services(({ report }) => report !== null)
      await look(true, true)
      const { report } = await found
      const ports = report?.kind === 'services' ? report.services.map((one) => one.port) : []
      expect(ports).toContain(port)
      expect((await open(port)).state).toEqual({ kind: 'prohibited' })
    },
  )

  it('reports its GPUs', async () => {
    const connection = await connected('ssh2')
    const read = gpuReader((command) => connection.exec(command), 20)
    expect(await read('always')).toMatchObject({ kind: 'no-tool' })
    expect(await read('always')).toMatchObject({ kind: 'no-tool' })
  })
})

describeWith(['tinysshd', 'ssh', 'accounts'], 'a terminal on a machine with tinysshd', () => {
  const { openTerminal } = realTerminals()

  it.each([{ hasPty: true }, { hasPty: false }])('shows its shell: %j', async (way) => {
    const { target, key } = await tinysshdTarget('ssh2')
    const { user, port } = target
    const terminal = await openTerminal({ user, port }, {}, process.env, { ...way, identityFile: key })
    terminal.type('mark=it-; echo ${mark}works\r')
    await terminal.shows('it-works')
    terminal.type('exit 7\r')
    await terminal.is({ kind: 'ended', code: 7 })
  })
})
