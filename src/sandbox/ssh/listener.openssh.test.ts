import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { portOf } from './listener'
import { makeKey, startServer, userKey, type TestServer } from './fixtures/machines'

describeWith(['ssh'], 'OpenSSH', () => {
  let folder: string
  let server: TestServer
  let options: string[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-ssh-'))
    await writeFile(join(folder, 'key'), userKey.private, { mode: 0o600 })
    await writeFile(join(folder, 'other'), makeKey().private, { mode: 0o600 })
    server = await startServer()
    const settings = {
      UserKnownHostsFile: join(folder, 'known_hosts'),
      GlobalKnownHostsFile: '/dev/null',
      StrictHostKeyChecking: 'accept-new',
      IdentitiesOnly: 'yes',
      IdentityFile: join(folder, 'key'),
      IdentityAgent: 'none',
      BatchMode: 'yes',
      LogLevel: 'ERROR',
      Port: String(server.port),
    }
    options = [
      '-F',
      'none',
      ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ]
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })

  interface Result {
    readonly status: number | string | null | undefined
    readonly stdout: string
    readonly stderr: string
  }
  const run = (program: string, args: readonly string[], stdin = '', before = options): Promise<Result> =>
    new Promise((resolve) => {
      const child = execFile(program, [...before, ...args], { timeout: 15_000 }, (error, stdout, stderr) => {
        resolve({ status: error ? error.code : 0, stdout, stderr })
      })
      child.stdin?.end(stdin)
    })
  const machine = 'ubuntu@127.0.0.1'

  it('runs a command and returns its exit status', async () => {
    expect(await run('ssh', [machine, 'hostname; foo'])).toEqual({
      status: 127,
      stdout: 'train-llama-01\n',
      stderr: 'bash: foo: command not found\n',
    })
  })

  it('is refused with another key, and never prompted for a password', async () => {
    const other = options.map((option) => option.replace(join(folder, 'key'), join(folder, 'other')))
    const result = await run('ssh', [machine, 'true'], '', other)
    expect(result).toMatchObject({ status: 255 })
    expect(result.stderr).toContain('Permission denied (publickey)')
  })

  it('shows the prompt in a terminal', async () => {
    const result = await run('ssh', ['-tt', machine], 'exit 3\r')
    expect(result.stdout).toContain('ubuntu@train-llama-01:~$ ')
    expect(result.stdout).toContain('logout')
    expect(result.status).toBe(3)
  })

  it('copies files with sftp, both ways', async () => {
    const content = randomBytes(1_500_000)
    await writeFile(join(folder, 'up'), content)
    const commands = [
      `put ${join(folder, 'up')} data`,
      'mkdir d',
      'rename data d/data',
      'chmod 600 d/data',
      'ls -l d',
      `get d/data ${join(folder, 'down')}`,
      'rm d/data',
      'rmdir d',
      'ls',
    ]
    const result = await run('sftp', ['-b', '-', machine], commands.join('\n'))
    expect(result).toMatchObject({ status: 0 })
    expect(result.stdout).toMatch(/-rw------- 1 ubuntu +ubuntu +1500000 .* data/)
    expect((await readFile(join(folder, 'down'))).equals(content)).toBe(true)
  })

  it('copies files with scp, both ways', async () => {
    const content = randomBytes(300_000)
    await writeFile(join(folder, 'up'), content)
    expect(await run('scp', ['-p', join(folder, 'up'), `${machine}:copied`])).toMatchObject({ status: 0 })
    expect(await run('scp', [`${machine}:copied`, join(folder, 'down')])).toMatchObject({ status: 0 })
    expect((await readFile(join(folder, 'down'))).equals(content)).toBe(true)
    expect((await run('scp', [`${machine}:none`, join(folder, 'down')])).stderr).toContain(
      'No such file or directory',
    )
  })

  it('reaches the page of the machine with -W', async () => {
    const request = 'GET / HTTP/1.0\r\n\r\n'
    expect((await run('ssh', ['-W', 'localhost:8888', machine], request)).stdout).toContain(
      '<h1>train-llama-01</h1>',
    )
    expect((await run('ssh', ['-W', 'localhost:22', machine])).stderr).toContain('stdio forwarding failed')
  })

  it('reaches the page with -L, as a browser does', async () => {
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const port = portOf(probe)
    probe.close()
    await once(probe, 'close')
    const tunnel = spawn('ssh', [
      ...options,
      '-L',
      `127.0.0.1:${port}:localhost:8888`,
      machine,
      'echo ready; cat',
    ])
    await once(tunnel.stdout, 'data')
    const pages = await Promise.all(
      Array.from({ length: 8 }, async () => (await fetch(`http://127.0.0.1:${port}/lab`)).text()),
    )
    for (const page of pages) expect(page).toContain('<h1>train-llama-01</h1>')
    const over = once(tunnel, 'exit')
    // close() would wait for the connections that fetch keeps open.
    tunnel.kill()
    await over
  })
})
