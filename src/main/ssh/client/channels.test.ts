import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import ssh2 from 'ssh2'
import { expect, it, onTestFinished } from 'vitest'
import { deep } from '../../../../test/fixtures/counts'
import { systemSsh, type Transport, transports } from '../../../../test/fixtures/system-ssh'
import { makeKey, startSshd, temporaryFolder } from '../../../../test/fixtures/sshd'
import { describeWith } from '../../../../test/fixtures/system-requirements'
import { openConnection } from './connection'
import { type ConnectionLimits, connectionLimits } from './target'
import { hostKeyOf } from './host-key'

function parsed(path: string): ssh2.ParsedKey {
  const key = ssh2.utils.parseKey(readFileSync(path, 'utf8'))
  return key instanceof Error ? expect.fail(key.message) : key
}

/** A connection to a real sshd, which runs the requested commands. */
async function connected(limits: Partial<ConnectionLimits> = {}, transport: Transport = 'ssh2') {
  const applied = { ...connectionLimits, ...limits }
  const folder = temporaryFolder()
  const [hostKey, key] = [makeKey(join(folder, 'host')), makeKey(join(folder, 'id'))]
  const sshd = await startSshd({ hostKeys: [hostKey], admits: key, command: 'none' })
  const { user, port } = sshd
  const known = [hostKeyOf(parsed(`${hostKey}.pub`).getPublicSSH())]
  const system = { isNeeded: true, ssh: systemSsh(folder, { user, port, identityFile: key, known }) }
  const outcome = await openConnection(
    {
      user,
      host: '127.0.0.1',
      port,
      known,
      keys: [{ name: key, method: { type: 'publickey', username: user, key: parsed(key) } }],
      ...(transport !== 'ssh2' && {
        system: { ...system, ssh: { ...system.ssh, shares: transport === 'ssh' } },
      }),
    },
    new AbortController().signal,
    applied,
  )
  if (outcome.kind !== 'connected') expect.fail(outcome.kind)
  const { connection } = outcome
  onTestFinished(async () => {
    connection.close()
    await sshd.close()
    rmSync(folder, { recursive: true })
  })
  return { connection, sshd, limits: applied }
}

/** A TCP server on loopback that does this with each connection. */
async function tcpServer(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket.on('error', () => undefined)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : expect.fail()
}

const mebibyte = 1024 * 1024
/** Bytes that this process uses, without reserves of the heap. */
function memory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const echo = (socket: Socket): void => void socket.pipe(socket)

/** Resolves to the stream's output once it contains a text. */
function said(stream: Duplex, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stream.on('data', (data: Buffer) => {
      text += data.toString()
      if (wanted.test(text)) resolve(text)
    })
    stream.on('error', reject)
  })
}

/** The error that the stream ends with. */
const failed = (stream: Duplex): Promise<unknown> =>
  new Promise((resolve) => stream.once('error', resolve).resume())

describeWith(['sshd', 'ssh'], 'a shared connection', () => {
  it.each(transports)('%s: a command returns its output and status', async (transport) => {
    const { connection } = await connected({}, transport)
    expect(await connection.exec('echo out; echo err >&2; exit 3')).toEqual({
      kind: 'finished',
      stdout: 'out\n',
      stderr: 'err\n',
      status: 3,
    })
    expect(await connection.exec("exec sh -c 'kill -9 $$'")).toMatchObject({ kind: 'finished', status: null })
  })

  it('the output of a command is cut at the limit, between characters', async () => {
    const { connection } = await connected({ output: 5 })
    const outcome = await connection.exec('yes é | head -c 3000000')
    expect(outcome).toEqual({ kind: 'finished', stdout: 'é\né\né', stderr: '', status: 0 })
  })

  /** `npm run test:deep` prints a gigabyte. */
  const flood = deep(32, 1_024) * mebibyte

  it(
    'a command that prints a gigabyte is ended after a few megabytes, also on the machine',
    async () => {
      const { connection } = await connected()
      const before = memory()
      const outcome = await connection.exec(`echo $$ >&2; exec head -c ${String(flood)} /dev/zero`)
      if (outcome.kind !== 'finished') expect.fail(outcome.kind)
      expect(outcome.stdout).toBe('\0'.repeat(connectionLimits.output))
      expect(outcome.status, 'ended before its end').toBeNull()
      expect(memory() - before).toBeLessThan(64 * mebibyte)
      const isGone = async () => connection.exec(`kill -0 ${outcome.stderr.trim()}`)
      await expect.poll(isGone, { timeout: 20_000 }).toMatchObject({ status: 1 })
    },
    deep(30_000, 300_000),
  )

  it(
    'a shell that prints a gigabyte arrives complete with bounded memory',
    async () => {
      const { connection } = await connected()
      const { stream } = await connection.shell({ columns: 80, rows: 24 })
      const before = memory()
      let [bytes, most] = [0, 0]
      // No echo, and no line ends for the terminal to change.
      stream.write(`stty raw -echo; head -c ${String(flood)} /dev/zero; exit\n`)
      for await (const chunk of stream) {
        bytes += Buffer.isBuffer(chunk) ? chunk.length : expect.fail()
        most = Math.max(most, memory() - before)
      }
      expect(bytes, 'with the prompt').toBeGreaterThanOrEqual(flood)
      expect(most).toBeLessThan(128 * mebibyte)
    },
    deep(30_000, 300_000),
  )

  it.each(transports)('%s: a command that takes too long ends, and the next one runs', async (transport) => {
    const { connection, limits } = await connected({ command: 1 }, transport)
    // Without sharing, signing in can take all of the time.
    expect(await connection.exec('tail -f /dev/null')).toMatchObject({ kind: 'timed-out' })
    limits.command = connectionLimits.command
    expect(await connection.exec('echo on')).toMatchObject({ stdout: 'on\n' })
  })

  it.each(transports)('%s: a command runs between two streams', async (transport) => {
    const { connection } = await connected({}, transport)
    const { stream, exit } = await connection.pipe('tr a-z A-Z; exit 3')
    stream.end('up')
    expect(await said(stream, /UP/)).toBe('UP')
    expect(await exit).toMatchObject({ status: 3 })
  })

  it.each(transports)('%s: a command ends when it is aborted', async (transport) => {
    const { connection } = await connected({}, transport)
    const aborting = new AbortController()
    const running = connection.exec('tail -f /dev/null', aborting.signal)
    aborting.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    await expect(connection.exec('true', aborting.signal)).rejects.toThrow('enough')
  })

  it.each(['ssh', 'ssh without sharing'] as const)(
    '%s: a shell is refused, as terminals run their own ssh',
    async (transport) => {
      const { connection } = await connected({}, transport)
      const refused = connection.shell({ columns: 80, rows: 24 })
      await expect(refused).rejects.toMatchObject({ kind: 'refused' })
    },
  )

  it('a shell has a terminal of the requested size, can be resized, and reports its exit', async () => {
    const { connection } = await connected()
    const { stream, resize, exit } = await connection.shell({ columns: 91, rows: 33 })
    const closed = once(stream, 'close')
    stream.write('PS1=; stty size\n')
    await said(stream, /33 91/)
    resize({ columns: 120, rows: 40 })
    stream.write('stty size; echo $TERM; exit 7\n')
    expect(await said(stream, /40 120[^]*xterm/)).toContain('xterm-256color')
    expect(await exit).toEqual({ status: 7, signal: null })
    await closed
  })

  it.each(transports)('%s: a forward carries bytes both ways with bounded memory', async (transport) => {
    const { connection } = await connected({}, transport)
    const stream = await connection.forward('127.0.0.1', await tcpServer(echo))
    const sent = randomBytes(16 * 1024 * 1024)
    const hash = createHash('sha256')
    let most = 0
    await Promise.all([
      pipeline(Readable.from([sent.subarray(0, 9_000_000), sent.subarray(9_000_000)]), stream, {
        end: true,
      }),
      (async () => {
        for await (const chunk of stream) {
          most = Math.max(most, stream.readableLength)
          hash.update(Buffer.isBuffer(chunk) ? chunk : expect.fail())
          // Slower than the machine sends.
          await new Promise((resolve) => setImmediate(resolve))
        }
      })(),
    ])
    expect(hash.digest('hex')).toBe(createHash('sha256').update(sent).digest('hex'))
    expect(most).toBeLessThan(256 * 1024)
  })

  it.each(transports)('%s: a forward to a peer that does not read accepts one window', async (transport) => {
    const { connection } = await connected({}, transport)
    const port = await tcpServer((socket) => void socket.pause())
    const stream = await connection.forward('127.0.0.1', port)
    const chunk = Buffer.alloc(1024 * 1024)
    let written = 0
    // Each write is answered once the machine has taken it.
    const write = (): boolean => stream.write(chunk, (error) => void (error || ((written += 1), write())))
    write()
    await expect.poll(() => written).toBeGreaterThan(0)
    let before = -1
    await expect
      .poll(() => [before, (before = written)], { interval: 500 })
      .toSatisfy(([one, other]: readonly number[]) => one === other)
    expect(written).toBeLessThan(32)
    stream.on('error', () => undefined).destroy()
  })

  it.each(transports)('%s: a forward to a closed port is refused', async (transport) => {
    const { connection } = await connected({}, transport)
    await expect(connection.forward('127.0.0.1', 1)).rejects.toMatchObject({ kind: 'refused' })
  })

  it.each(transports)('%s: a forward that the peer closes can be read to its end', async (transport) => {
    const { connection } = await connected({}, transport)
    const port = await tcpServer((socket) => void socket.resume().end('good bye'))
    const stream = await connection.forward('127.0.0.1', port)
    let text = ''
    for await (const chunk of stream) text += String(chunk)
    expect(text).toBe('good bye')
  })

  it.each(transports)('%s: the SFTP server answers in its protocol', async (transport) => {
    const { connection } = await connected({}, transport)
    const stream = await connection.sftp()
    // SSH_FXP_INIT, version 3; answered with SSH_FXP_VERSION.
    stream.write(Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3]))
    const [answer]: unknown[] = await once(stream, 'data')
    expect(Buffer.isBuffer(answer) && [...answer.subarray(4, 9)]).toEqual([2, 0, 0, 0, 3])
    const closed = once(stream.resume(), 'close')
    stream.end()
    await closed
  })

  it.each(transports)(
    '%s: every channel fails when the connection is lost, and the loss is reported once',
    async (transport) => {
      const { connection, sshd } = await connected({}, transport)
      const reasons: string[] = []
      connection.onLost((reason) => reasons.push(reason))
      const [forward, sftp] = await Promise.all([
        connection.forward('127.0.0.1', await tcpServer(echo)),
        connection.sftp(),
      ])
      const command = connection.exec('tail -f /dev/null').catch((error: unknown) => error)
      const errors = [forward, sftp].map(failed)
      await sshd.close()
      const lost = { kind: 'lost', message: 'connection lost' }
      expect(await Promise.all([command, ...errors])).toMatchObject([lost, lost, lost])
      expect(reasons).toHaveLength(1)
      for (const late of [connection.exec('true'), connection.sftp(), connection.forward('127.0.0.1', 1)])
        await expect(late).rejects.toMatchObject(lost)
      connection.onLost((reason) => reasons.push(reason))
      expect(reasons).toHaveLength(2)
    },
  )

  it.each(transports)('%s: an aborted channel ends, and no other channel', async (transport) => {
    const { connection } = await connected({}, transport)
    const aborting = new AbortController()
    const port = await tcpServer(echo)
    const aborted = await connection.forward('127.0.0.1', port, aborting.signal)
    const other = await connection.forward('127.0.0.1', port)
    const error = failed(aborted)
    aborting.abort()
    expect(await error).toMatchObject({ name: 'AbortError' })
    await expect(connection.sftp(aborting.signal)).rejects.toMatchObject({ name: 'AbortError' })
    other.end('still there')
    expect(await said(other, /there/)).toBe('still there')
  })
})
