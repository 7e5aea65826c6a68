import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import type { Client, ClientChannel } from 'ssh2'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connect, exec, openSftp, openShell, sftpCall, watch } from './fixtures/client'
import { makeMachine, startServer, type TestServer } from './fixtures/machines'

const megabyte = 1024 * 1024

const servers: TestServer[] = []
const start = async (...parameters: Parameters<typeof startServer>): Promise<TestServer> => {
  const server = await startServer(...parameters)
  servers.push(server)
  return server
}
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

describe('a kept session', () => {
  const keep =
    "exec /bin/sh -c 'if command -v tmux >/dev/null 2>&1; then exec tmux -u new-session -A -D -s wheelhouse-1; else exit 9; fi'"
  const size = { rows: 24, cols: 80, height: 0, width: 0, term: 'xterm' }
  const openKept = (client: Client): Promise<ClientChannel> =>
    new Promise((resolve, reject) =>
      client.exec(keep, { pty: size }, (error, channel) => (error ? reject(error) : resolve(channel))),
    )

  it('continues after its connection is lost, and is drawn again', async () => {
    const { port } = await start()
    const first = await connect(port)
    const channel = await openKept(first)
    const screen = watch(channel)
    channel.write('cd /tmp\r')
    await screen.until('/tmp$')
    first.end()
    const second = await connect(port)
    await expect
      .poll(async () => (await exec(second, 'tmux ls')).stdout)
      .toMatch(/^wheelhouse-1: 1 windows \(created [^)]*\)\n$/)
    const again = await openKept(second)
    const redrawn = watch(again)
    await redrawn.until('cd /tmp')
    again.write('pwd\r')
    await redrawn.until('pwd\r\n/tmp\r\n')
    expect((await exec(second, 'tmux ls')).stdout).toContain('(attached)')
    second.end()
  })

  it('is detached by Ctrl+B and d, and ends with its shell', async () => {
    const { port } = await start()
    const client = await connect(port)
    const channel = await openKept(client)
    const screen = watch(channel)
    await screen.until('$')
    channel.write('\x02d')
    await screen.until('[detached (from session wheelhouse-1)]')
    const again = await openKept(client)
    const redrawn = watch(again)
    await redrawn.until('$')
    again.write('exit\r')
    await redrawn.until('[exited]')
    expect(await exec(client, 'tmux ls')).toMatchObject({ status: 1 })
    client.end()
  })
})

describe('one command', () => {
  it('returns its output, its errors and its exit status', async () => {
    const { port } = await start()
    const client = await connect(port)
    expect(await exec(client, 'echo out; foo')).toEqual({
      stdout: 'out\n',
      stderr: 'bash: foo: command not found\n',
      status: 127,
    })
    expect((await exec(client, 'nvidia-smi')).stdout).toContain('NVIDIA H100 80GB HBM3')
    client.end()
  })

  it('reads the client’s input', async () => {
    const { port } = await start()
    const client = await connect(port)
    const text = 'line\n'.repeat(100_000)
    expect(await exec(client, 'cat > copy', text)).toMatchObject({ status: 0 })
    expect((await exec(client, 'cat copy')).stdout).toBe(text)
    client.end()
  })

  it('never runs on the host', async () => {
    const { port } = await start()
    const client = await connect(port)
    const file = `/tmp/wheelhouse-${randomBytes(8).toString('hex')}`
    for (const command of [
      `touch ${file}`,
      `echo x > ${file}`,
      `true; $(touch ${file})`,
      `\`touch ${file}\``,
      `/usr/bin/touch ${file}`,
    ]) {
      await exec(client, command)
    }
    expect((await exec(client, `cat ${file}`)).stdout).toBe('x\n')
    expect(existsSync(file)).toBe(false)
    client.end()
  })
})

describe('a shell', () => {
  it('greets, prompts, edits lines and remembers them', async () => {
    const { port } = await start()
    const client = await connect(port)
    const channel = await openShell(client, { cols: 100, rows: 30 })
    const screen = watch(channel)
    const status = once(channel, 'exit')
    await screen.until('Wheelhouse sandbox')
    await screen.until('ubuntu@train-llama-01:~$ ')
    channel.write('whoamx\x7fi\r')
    await screen.until('\r\nubuntu\r\n')
    channel.write('cd note\t')
    await screen.until('cd notebooks/')
    channel.write('\r')
    await screen.until('ubuntu@train-llama-01:~/notebooks$ ')
    channel.write('abandoned\x03')
    await screen.until('^C\r\n')
    channel.write('\x1b[A\x1b[A')
    await screen.until('whoami')
    channel.write('\r')
    await screen.until('\r\nubuntu\r\n')
    channel.write('false\r')
    channel.write('\x04')
    await screen.until('logout')
    expect(await status).toEqual([1])
    client.end()
  })

  it('edits lines even if the sandbox was started from a dumb terminal', async () => {
    vi.stubEnv('TERM', 'dumb')
    const { port } = await start()
    const client = await connect(port)
    const channel = await openShell(client, { cols: 80, rows: 24 })
    const screen = watch(channel)
    await screen.until('~$ ')
    channel.write('whoamx\x7fi\r')
    await screen.until('\r\nubuntu\r\n')
    client.end()
  })

  it('survives Ctrl-Z, on which readline would stop the process', async () => {
    const { port } = await start()
    const client = await connect(port)
    const channel = await openShell(client, { cols: 80, rows: 24 })
    const screen = watch(channel)
    await screen.until('~$ ')
    channel.write('\x1a')
    await screen.until('\x07')
    channel.write('echo here\r')
    await screen.until('\r\nhere\r\n')
    client.end()
  })

  it('stops a long output at Ctrl-C', async () => {
    const { port } = await start()
    const client = await connect(port)
    await exec(client, 'cat > big', 'x'.repeat(1_000_000))
    const channel = await openShell(client, { cols: 80, rows: 24 })
    const screen = watch(channel)
    await screen.until('~$ ')
    channel.write(`cat${' big'.repeat(500)}\r`)
    await screen.until('xxxxxxxx')
    channel.write('\x03')
    await screen.until('^C')
    await screen.until('~$ ')
    channel.write('echo $?\r')
    await screen.until('\r\n130\r\n')
    client.end()
  })

  it('runs pasted lines one after another, each below its own prompt', async () => {
    const { port } = await start()
    const client = await connect(port)
    const channel = await openShell(client, { cols: 80, rows: 24 })
    const screen = watch(channel)
    await screen.until('~$ ')
    channel.write('seq 20000\rcat none\r\necho $?\necho las')
    channel.write('t\r')
    await screen.until('\r\nlast\r\n')
    await screen.until('~$ ')
    client.end()
    const lines = stripVTControlCharacters(screen.text()).split('\r\n')
    const prompt = 'ubuntu@train-llama-01:~$ '
    const at = lines.indexOf(`${prompt}seq 20000`)
    expect(lines.slice(at + 1)).toEqual([
      ...Array.from({ length: 20_000 }, (_, index) => `${index + 1}`),
      `${prompt}cat none`,
      'cat: none: No such file or directory',
      `${prompt}echo $?`,
      '1',
      `${prompt}echo last`,
      'last',
      prompt,
    ])
  })

  it('ends an endless command at Ctrl-C, and discards earlier pasted input', async () => {
    const { port } = await start()
    const client = await connect(port)
    const channel = await openShell(client, { cols: 80, rows: 24 })
    const screen = watch(channel)
    await screen.until('~$ ')
    channel.write(`yes again\recho ${'x'.repeat(3000)}\r`)
    await screen.until('\r\nagain\r\n')
    channel.write('echo never\r\x03echo $?\r')
    await screen.until('^C\r\n')
    await screen.until('\r\n130\r\n')
    expect(screen.text()).not.toMatch(/never|xxx/)
    client.end()
  })

  it('buffers little of an unread output, serves other clients, and continues when it is read', async () => {
    const { port } = await start()
    const client = await connect(port)
    const channel = await openShell(client, { cols: 80, rows: 24 })
    const screen = watch(channel)
    await screen.until('~$ ')
    channel.write('yes\r')
    await screen.until('\r\ny\r\n')
    channel.pause()
    const before = process.memoryUsage().arrayBuffers
    const sent = screen.text().length
    for (let round = 0; round < 50; round++) await exec(client, 'seq 5000')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(24 * megabyte)
    // Input waits while nobody reads the output, and is not lost.
    channel.write('\x03')
    channel.write('echo done\r')
    await exec(client, 'true')
    channel.resume()
    await screen.until('^C\r\n')
    await screen.until('\r\ndone\r\n')
    expect(screen.text().length - sent).toBeLessThan(12 * megabyte)
    client.end()
  })

  it('follows the width of the window', async () => {
    const { port } = await start()
    const client = await connect(port)
    const channel = await openShell(client, { cols: 80, rows: 24 })
    const screen = watch(channel)
    await screen.until('~$ ')
    channel.write('ls\r')
    await screen.until('README.md  notebooks  train.py')
    channel.setWindow(24, 12, 0, 0)
    channel.write('ls\r')
    await screen.until('README.md\r\nnotebooks\r\ntrain.py')
    client.end()
  })

  it('limits the length of a line like a terminal driver', async () => {
    const { port } = await start()
    const client = await connect(port)
    const channel = await openShell(client, false)
    const screen = watch(channel)
    channel.write(`echo ${'x'.repeat(10_000)}\n`)
    channel.write('echo done\n')
    await screen.until('done')
    expect(screen.text()).toBe(`${'x'.repeat(4096 - 'echo '.length)}\ndone\n`)
    client.end()
  })

  it('runs its input silently without a terminal, and ends with it', async () => {
    const { port } = await start()
    const client = await connect(port)
    const channel = await openShell(client, false)
    const screen = watch(channel)
    const status = once(channel, 'exit')
    channel.end('pwd\ncd notebooks\nls\nfalse\n')
    expect(await status).toEqual([1])
    expect(screen.text()).toBe('/home/ubuntu\nfirst-look.ipynb\n')
    client.end()
  })
})

describe('SFTP', () => {
  it('stores files that the shell can read', async () => {
    const { port } = await start()
    const client = await connect(port)
    const sftp = await openSftp(client)
    const content = randomBytes(700_000)
    await sftpCall<unknown>((done) => {
      sftp.writeFile('data.bin', content, (error) => {
        done(error, undefined)
      })
    })
    expect(
      (
        await sftpCall<Buffer>((done) => {
          sftp.readFile('data.bin', done)
        })
      ).equals(content),
    ).toBe(true)
    expect(
      (
        await sftpCall<{ size: number }>((done) => {
          sftp.stat('data.bin', done)
        })
      ).size,
    ).toBe(700_000)
    expect((await exec(client, 'ls -l data.bin')).stdout).toContain(' 700000 ')
    client.end()
  })

  it('lists a directory of any size', async () => {
    const { port } = await start()
    const client = await connect(port)
    const names = Array.from({ length: 250 }, (_, index) => `file-${index}`)
    await exec(client, `mkdir many; cd many; touch ${names.join(' ')}`)
    const sftp = await openSftp(client)
    const listed = await sftpCall<{ filename: string }[]>((done) => {
      sftp.readdir('many', done)
    })
    expect(listed.map(({ filename }) => filename)).toEqual(names)
    client.end()
  })

  it('reports that the disk is full', async () => {
    const { port } = await start([makeMachine()], { limits: { disk: 1024 * 1024 } })
    const client = await connect(port)
    const sftp = await openSftp(client)
    const writing = sftpCall<unknown>((done) => {
      sftp.writeFile('big', Buffer.alloc(2 * 1024 * 1024), (error) => {
        done(error, undefined)
      })
    })
    await expect(writing).rejects.toThrow('No space left on device')
    client.end()
  })

  it('limits the memory of all machines together', async () => {
    const machines = ['a', 'b', 'c'].map((name) => makeMachine({ name, username: name }))
    const { port } = await start(machines, { limits: { disk: 1024 * 1024, disks: 1200 * 1024 } })
    const [a, b] = [await connect(port, { username: 'a' }), await connect(port, { username: 'b' })]
    const half = 'x'.repeat(800 * 1024)
    expect((await exec(a, 'cat > half', half)).status).toBe(0)
    expect(await exec(b, 'cat > half', half)).toMatchObject({
      status: 1,
      stderr: 'bash: write error: No space left on device\n',
    })
    a.end()
    b.end()
  })
})
