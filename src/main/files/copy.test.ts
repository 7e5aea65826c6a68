import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { ownFolder } from '../../../test/fixtures/files-harness'
import { ChannelError } from '../ssh/client/transport'
import { download, newCopy, upload } from './copy'
import type { RemoteFile } from './sftp/client'

const clock = fakeClock()

/** Builds a file of a machine with this `read`. */
const remote = (read: RemoteFile['read']): RemoteFile => ({
  read,
  write: () => Promise.resolve(),
  close: () => Promise.resolve(),
  attributes: () => Promise.resolve({ kind: 'file', size: 1, modifiedAt: 1, mode: null }),
  setMode: () => Promise.resolve(),
  setTime: () => Promise.resolve(),
})

describe('a copy from a machine', () => {
  const size = 24 * 1024 * 1024
  const { signal } = new AbortController()

  it('shares the parallel requests with other large files', async () => {
    const path = join(ownFolder(), 'copy')
    const mostOf = async (sharing: number): Promise<number> => {
      let [running, most] = [0, 0]
      const from = remote((_offset, length) => {
        running += 1
        most = Math.max(most, running)
        return new Promise((resolve) =>
          setImmediate(() => {
            running -= 1
            resolve([Buffer.alloc(length)])
          }),
        )
      })
      const to = await open(path, 'w')
      await download(
        { copy: newCopy(), size, signal, clock, sharing: () => sharing, moved: () => undefined },
        from,
        to,
        32 * 1024,
      )
      await to.close()
      return most
    }
    expect([await mostOf(1), await mostOf(8)]).toEqual([320, 40])
  })

  it('stores all bytes that arrived before the connection was lost', async () => {
    const path = join(ownFolder(), 'copy')
    const arrived = 100_000
    const from = remote((offset, length) =>
      offset < arrived
        ? Promise.resolve([Buffer.alloc(length, 'x')])
        : Promise.reject(new ChannelError('lost', 'connection lost')),
    )
    const to = await open(path, 'w')
    const copy = newCopy()
    let bytes = 0
    const moved = (more: number): void => void (bytes += more)
    await expect(
      download({ copy, size, signal, clock, sharing: () => 1, moved }, from, to, 32 * 1024),
    ).rejects.toThrow('lost')
    await to.close()
    expect(bytes).toBeGreaterThanOrEqual(arrived)
    expect([copy.done, readFileSync(path).equals(Buffer.alloc(bytes, 'x'))]).toEqual([bytes, true])
  })
})

it('a copy to a machine uses all channels, and channels that are added later', async () => {
  const path = join(ownFolder(), 'disk')
  const content = randomBytes(14_000_000)
  writeFileSync(path, content)
  const there = Buffer.alloc(content.length)
  const written = [0, 0, 0]
  let began = (): void => undefined
  const channel = (index: number): RemoteFile => ({
    ...remote(() => expect.fail('read')),
    write(offset, { content: data }) {
      written[index] = (written[index] ?? 0) + data.length
      data.copy(there, offset)
      began()
      return new Promise((resolve) => setImmediate(resolve))
    },
  })
  const to: [RemoteFile, ...RemoteFile[]] = [channel(0), channel(1)]
  began = () => {
    if (to.length === 2) to.push(channel(2))
  }
  const from = await open(path, 'r')
  // Continues an interrupted copy.
  const copy = { ...newCopy(), done: 1_000_000 }
  content.copy(there, 0, 0, copy.done)
  const { signal } = new AbortController()
  const deps = { copy, size: content.length, signal, clock, sharing: () => 1, moved: () => undefined }
  await upload(deps, from, to, 32_000)
  await from.close()
  expect(there.equals(content)).toBe(true)
  expect(Math.min(...written)).toBeGreaterThan(1_000_000)
})

it('a copy to a machine continues on its own channel if the extra channels end', async () => {
  const path = join(ownFolder(), 'disk')
  const content = randomBytes(14_000_000)
  writeFileSync(path, content)
  const there = Buffer.alloc(content.length)
  const written = [0, 0]
  const channel = (index: number, most: number): RemoteFile => ({
    ...remote(() => expect.fail('read')),
    write(offset, { content: data }) {
      written[index] = (written[index] ?? 0) + 1
      if ((written[index] ?? 0) > most) return Promise.reject(new ChannelError('lost', 'channel closed'))
      data.copy(there, offset)
      return new Promise((resolve) => setImmediate(resolve))
    },
  })
  const to: [RemoteFile, ...RemoteFile[]] = [channel(0, Infinity), channel(1, 50)]
  const from = await open(path, 'r')
  const { signal } = new AbortController()
  const deps = {
    copy: newCopy(),
    size: content.length,
    signal,
    clock,
    sharing: () => 1,
    moved: () => undefined,
  }
  await upload(deps, from, to, 32_000)
  await from.close()
  expect(there.equals(content)).toBe(true)
  expect(to).toHaveLength(1)
  expect(written[1]).toBeGreaterThan(50)
})

it('a cancelled copy to a machine sends nothing more', async () => {
  const path = join(ownFolder(), 'disk')
  writeFileSync(path, Buffer.alloc(14_000_000))
  const stopped = new AbortController()
  let waiting: (() => void)[] = []
  const channel = (reason: string, onWrite: () => void): RemoteFile => ({
    ...remote(() => expect.fail('read')),
    write() {
      onWrite()
      return new Promise((_resolve, reject) => waiting.push(() => reject(new ChannelError('lost', reason))))
    },
  })
  let overOwn = 0
  const deps = {
    copy: newCopy(),
    size: 14_000_000,
    signal: stopped.signal,
    clock,
    sharing: () => 1,
    moved: () => undefined,
  }
  const from = await open(path, 'r')
  const copied = upload(
    deps,
    from,
    [channel('own', () => (overOwn += 1)), channel('other', () => undefined)],
    32_000,
  )
  await expect.poll(() => waiting.length).toBe(Math.ceil((2 * 1024 * 1024) / 32_000))
  const before = overOwn
  stopped.abort()
  const ended = waiting
  waiting = []
  for (const end of ended.toReversed()) end()
  await expect(copied).rejects.toThrow('other')
  await from.close()
  expect([overOwn, waiting]).toEqual([before, []])
})

describe('a copy to a machine over several channels', () => {
  /** Returns the greatest number of unconfirmed bytes on a connection that accepts so many bytes a second. */
  const mostOver = async (bytesPerSecond: number): Promise<number> => {
    const path = join(ownFolder(), 'disk')
    const size = 30 * 1024 * 1024
    writeFileSync(path, Buffer.alloc(size))
    const line = fakeClock()
    let [underWay, most] = [0, 0]
    let last = Promise.resolve()
    const channel = (): RemoteFile => ({
      ...remote(() => expect.fail('read')),
      write(_offset, { content: { length } }) {
        underWay += length
        most = Math.max(most, underWay)
        last = last
          .then(() => new Promise((resolve) => setImmediate(resolve)))
          .then(() => {
            line.advance(length / bytesPerSecond)
            underWay -= length
          })
        return last
      },
    })
    const { signal } = new AbortController()
    const deps = { copy: newCopy(), size, signal, clock: line, sharing: () => 1, moved: () => undefined }
    const from = await open(path, 'r')
    await upload(deps, from, [channel(), channel(), channel(), channel()], 32_000)
    await from.close()
    return most
  }

  it('writes few bytes ahead on a slow connection, so that it stays alive', async () => {
    expect(await mostOver(100_000)).toBeLessThanOrEqual(2 * 1024 * 1024 + 32_000)
  })

  it('fills a fast connection', async () => {
    expect(await mostOver(100_000_000)).toBeGreaterThan(8 * 1024 * 1024)
  })
})

it('a copy to a machine reuses the memory of written pieces', async () => {
  const path = join(ownFolder(), 'disk')
  const content = randomBytes(14_000_000)
  writeFileSync(path, content)
  const there = Buffer.alloc(content.length)
  const memories = new Set<ArrayBufferLike>()
  const to: RemoteFile = {
    ...remote(() => expect.fail('read')),
    write(offset, { memory, content: data }) {
      memories.add(memory.buffer)
      data.copy(there, offset)
      return new Promise((resolve) => setImmediate(resolve))
    },
  }
  const from = await open(path, 'r')
  const { signal } = new AbortController()
  const copy = newCopy()
  const deps = { copy, size: content.length, signal, clock, sharing: () => 1, moved: () => undefined }
  await upload(deps, from, [to], 100_000)
  await from.close()
  expect(there.equals(content)).toBe(true)
  expect(memories.size).toBeLessThan(70)
})
