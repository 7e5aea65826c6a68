import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deep } from '../../../test/fixtures/counts'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { type Transport, transports } from '../../../test/fixtures/system-ssh'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'
import { openConnection } from '../ssh/client/connection'
import { interactiveLimits } from '../ssh/client/target'
import { maxUnanswered } from '../ssh/client/transport'

const mebibyte = 1024 * 1024
const size = 16 * mebibyte
/** More than an upload sends before the machine has acknowledged any of it. */
const before = 6 * mebibyte
const sum = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

async function ready(
  direction: 'upload' | 'download',
  transport: Transport = 'ssh2',
  changes: Parameters<typeof filesHarness>[1] = {},
) {
  const { target, line } = await sshdTarget({}, transport)
  const harness = filesHarness(target, changes)
  await harness.look()
  const remote = ownFolder()
  const [from, to] = direction === 'upload' ? [ownFolder(), remote] : [remote, harness.local]
  writeFileSync(join(from, 'big'), randomBytes(size))
  harness.pick(join(harness.local, 'big'))
  const begin = () =>
    direction === 'upload' ? harness.upload(remote, join(from, 'big')) : harness.download(remote, 'big')
  return { ...harness, line, begin, isEqual: () => sum(join(to, 'big')) === sum(join(from, 'big')) }
}
const both = transports.flatMap((transport) => [
  ['upload', transport] as const,
  ['download', transport] as const,
])

describeWith(['sshd', 'ssh'], 'a line that stands and passes nothing on', () => {
  it.each(both)(
    'is noticed by the %s over %s, which goes on from there',
    async (direction, transport) => {
      const keepAlive = deep(1, interactiveLimits.keepAlive)
      const { begin, call, until, clock, line, isEqual } = await ready(direction, transport, {
        keepAliveSeconds: { urgent: keepAlive, calm: keepAlive },
        open: (target, signal) => openConnection(target, signal, { ...interactiveLimits, keepAlive }),
      })
      const transfer = async () => (await call['files.transfers']({})).at(-1)
      line.holdAfter(before)
      await begin()
      await line.held()
      // By the transfer's own clock no time passes: the connection alone notices.
      expect((await until('waiting')).bytes.done).toBeGreaterThan(0)
      // Whatever was on its way arrives late, and is no longer counted.
      line.hold(false)
      const kind = async () => {
        clock.advance(3)
        return (await transfer())?.state.kind
      }
      await expect.poll(kind, { interval: 500, timeout: 50_000 }).toBe('done')
      expect(await transfer()).toMatchObject({
        bytes: { done: size },
        state: { verified: 'checksum', changed: 0 },
      })
      expect(isEqual()).toBe(true)
    },
    120_000,
  )

  it('is noticed within 20 seconds: after so many unanswered signs of life, and one more pause', () => {
    expect(interactiveLimits.keepAlive * (maxUnanswered + 1)).toBeLessThanOrEqual(20)
  })

  it('for a moment only is waited for', async () => {
    const { begin, until, clock, line, isEqual } = await ready('download')
    line.holdAfter(before)
    await begin()
    await line.held()
    clock.advance(40)
    line.hold(false)
    expect((await until('done')).state).toMatchObject({ verified: 'checksum', changed: 0 })
    expect(isEqual()).toBe(true)
  })

  it.each(['upload', 'download'] as const)('is shown to have stalled by the %s', async (direction) => {
    const { begin, call, until, clock, line, isEqual } = await ready(direction)
    const transfer = async () => (await call['files.transfers']({})).at(-1)
    line.holdAfter(before)
    await begin()
    await line.held()
    await expect.poll(async () => (await transfer())?.bytes.done).toBeGreaterThan(0)
    // What was on its way within this computer still arrives.
    const state = async () => {
      clock.advance(10)
      return (await transfer())?.state
    }
    await expect.poll(state, { interval: 500 }).toEqual({ kind: 'running', rate: 0 })
    line.hold(false)
    await until('done')
    expect(isEqual()).toBe(true)
  })
})

describeWith(['sshd', 'ssh'], 'a slow line that an upload fills', () => {
  // All of the file waits in the line, and the answers to alive packets behind it.
  it.each(['ssh2', 'ssh'] as const)(
    'is not taken for a lost one over %s',
    async (transport) => {
      const { target, line } = await sshdTarget({}, transport)
      const keepAlive = transport === 'ssh2' ? 0.25 : 1
      const rate = transport === 'ssh2' ? 400_000 : 100_000
      const { look, upload, until, files } = filesHarness(target, {
        open: (to, signal) => openConnection(to, signal, { ...interactiveLimits, keepAlive }),
      })
      line.slow(rate)
      await look()
      const [from, remote] = [ownFolder(), ownFolder()]
      writeFileSync(join(from, 'big'), randomBytes(mebibyte))
      const states = new Set<string>()
      files.events['files.changed'](({ link }) => states.add(link.kind))
      await upload(remote, join(from, 'big'))
      await until('done')
      expect([...states].filter((kind) => kind !== 'connected')).toEqual([])
      expect(sum(join(remote, 'big'))).toBe(sum(join(from, 'big')))
    },
    60_000,
  )
})
