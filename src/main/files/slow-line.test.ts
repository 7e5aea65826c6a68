import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ownFolder } from '../../../test/fixtures/files-harness'
import { uploadOf } from '../../../test/fixtures/line-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { portOf, sshdTarget } from '../../../test/fixtures/tunnels-harness'
import { type MonotonicClock, systemClock } from '../core/clock'
import { connectionLimits, openConnection } from '../ssh/client/connection'
import { openLine } from './line'

/** Every second of the test is so many of the line's, of the connection's patience and of the application's. */
const faster = 30
const clock: MonotonicClock = {
  now: systemClock.now,
  monotonic: () => systemClock.monotonic() * faster,
  after: (seconds, task) => systemClock.after(seconds / faster, task),
}

/** A line that carries so many bytes a second to the machine, and everything from it after 25 ms of the test's. */
async function pacedLine(port: number, bytesPerSecond: number): Promise<number> {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy())
    far.on('data', (data: Buffer) => {
      setTimeout(() => near.writable && near.write(data), 25)
    })
    let free = 0
    near.on('data', (data: Buffer) => {
      near.pause()
      free = Math.max(free, clock.monotonic()) + data.length / bytesPerSecond
      clock.after(free - clock.monotonic(), () => {
        if (far.writable) far.write(data)
        near.resume()
      })
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return portOf(server)
}

describeWith(['sshd'], 'a large upload over a slow line', () => {
  it('keeps no more waiting there than lets the connection live', async () => {
    const { target } = await sshdTarget()
    const { signal } = new AbortController()
    const port = await pacedLine(target.port, 100_000)
    const limits = { ...connectionLimits, keepAlive: connectionLimits.keepAlive / faster }
    const outcome = await openConnection({ ...target, port }, signal, limits)
    if (outcome.kind !== 'connected') return expect.fail(outcome.kind)
    const { connection } = outcome
    onTestFinished(() => connection.close())
    const lost: string[] = []
    connection.onLost((reason) => lost.push(reason))
    const folder = ownFolder()
    const source = join(folder, 'disk')
    writeFileSync(source, randomBytes(14_000_000))
    mkdirSync(join(folder, 'to'))
    const { line, close } = await openLine(connection, clock, signal)
    await line.sftp.realPath('.')
    expect(await Promise.all(line.others())).toHaveLength(3)
    const uploaded = uploadOf(source, join(folder, 'to')).attempt(line, signal)
    expect(await uploaded.catch(String)).toMatchObject({ verified: 'checksum' })
    expect(lost).toEqual([])
    expect(readFileSync(join(folder, 'to/disk')).equals(readFileSync(source))).toBe(true)
    close()
  })
})
