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
/** Bytes beyond an upload's unacknowledged writes. */
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

describeWith(['sshd', 'ssh'], 'a silent connection', () => {
  it.each(both)('is detected by the %s over %s, which then continues', async (direction, transport) => {
    const keepAlive = deep(1, interactiveLimits.keepAlive)
    const { begin, call, until, clock, line, isEqual } = await ready(direction, transport, {
      keepAliveSeconds: { urgent: keepAlive, calm: keepAlive },
      open: (target, signal) => openConnection(target, signal, { ...interactiveLimits, keepAlive }),
    })
    const transfer = async () => (await call['files.transfers']({})).at(-1)
    line.holdAfter(before)
    await begin()
    await line.held()
    // The transfer's clock is stopped: only the connection detects the silence.
    expect((await until('waiting')).bytes.done).toBeGreaterThan(0)
    // Bytes that arrive late are not counted.
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
  })

  it('is detected within 20 seconds', () => {
    expect(interactiveLimits.keepAlive * (maxUnanswered + 1)).toBeLessThanOrEqual(20)
  })

  it('does not end a transfer if it is short', async () => {
    const { begin, until, clock, line, isEqual } = await ready('download')
    line.holdAfter(before)
    await begin()
    await line.held()
    clock.advance(40)
    line.hold(false)
    expect((await until('done')).state).toMatchObject({ verified: 'checksum', changed: 0 })
    expect(isEqual()).toBe(true)
  })

  it.each(['upload', 'download'] as const)('makes the speed of the %s zero', async (direction) => {
    const { begin, call, until, clock, line, isEqual } = await ready(direction)
    const transfer = async () => (await call['files.transfers']({})).at(-1)
    line.holdAfter(before)
    await begin()
    await line.held()
    await expect.poll(async () => (await transfer())?.bytes.done).toBeGreaterThan(0)
    // Bytes buffered in this computer still arrive.
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

describeWith(['sshd', 'ssh'], 'a slow connection filled by an upload', () => {
  // The whole file waits in the connection, and the answers to keep-alive requests behind it.
  it.each(['ssh2', 'ssh'] as const)(
    'is not treated as lost over %s',
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
