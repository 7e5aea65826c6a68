import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'

const mebibyte = 1024 * 1024
const size = 16 * mebibyte
/** More than an upload sends before the machine has acknowledged any of it. */
const before = 6 * mebibyte
const sum = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

async function ready(direction: 'upload' | 'download') {
  const { target, line } = await sshdTarget()
  const harness = filesHarness(target)
  await harness.look()
  const remote = ownFolder()
  const [from, to] = direction === 'upload' ? [ownFolder(), remote] : [remote, harness.local]
  writeFileSync(join(from, 'big'), randomBytes(size))
  harness.pick(join(harness.local, 'big'))
  const begin = () =>
    direction === 'upload' ? harness.upload(remote, join(from, 'big')) : harness.download(remote, 'big')
  return { ...harness, line, begin, isEqual: () => sum(join(to, 'big')) === sum(join(from, 'big')) }
}

describeWith(['sshd'], 'a line that stands and passes nothing on', () => {
  it.each(['upload', 'download'] as const)(
    'is given up by the %s, which goes on from there',
    async (direction) => {
      const { begin, until, clock, line, isEqual } = await ready(direction)
      line.holdAfter(before)
      await begin()
      await line.held()
      const waiting = until('waiting')
      let isGivenUp = false
      void waiting.then(() => (isGivenUp = true))
      // What the line has passed on arrives when this computer comes to read it, and counts as a sign of life.
      const givenUp = (): boolean => {
        if (!isGivenUp) clock.advance(61)
        return isGivenUp
      }
      await expect.poll(givenUp, { interval: 500 }).toBe(true)
      expect((await waiting).bytes.done).toBeGreaterThan(0)
      // Whatever was on its way arrives late, and is no longer counted.
      line.hold(false)
      clock.advance(20)
      expect(await until('done')).toMatchObject({
        bytes: { done: size },
        state: { verified: 'checksum', changed: 0 },
      })
      expect(isEqual()).toBe(true)
    },
  )

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
