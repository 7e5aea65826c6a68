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

/** A file of a machine that is read like this. */
const remote = (read: RemoteFile['read']): RemoteFile => ({
  ...{ read, write: () => Promise.resolve(), close: () => Promise.resolve() },
  attributes: () => Promise.resolve({ kind: 'file', size: 1, modifiedAt: 1 }),
})

describe('a copy from a machine', () => {
  const size = 24 * 1024 * 1024
  const { signal } = new AbortController()

  it('shares the requests that are under way with other large ones', async () => {
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

  it('keeps all that has arrived before the line was lost', async () => {
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

it('a copy to a machine goes over all channels that there are, and over those that there are later', async () => {
  const path = join(ownFolder(), 'disk')
  const content = randomBytes(14_000_000)
  writeFileSync(path, content)
  const there = Buffer.alloc(content.length)
  const written = [0, 0, 0]
  let began = (): void => undefined
  const channel = (index: number): RemoteFile => ({
    ...remote(() => expect.fail('read')),
    write(offset, data) {
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
  // From where an earlier copy was cut.
  const copy = { ...newCopy(), done: 1_000_000 }
  content.copy(there, 0, 0, copy.done)
  const { signal } = new AbortController()
  const deps = { copy, size: content.length, signal, clock, sharing: () => 1, moved: () => undefined }
  await upload(deps, from, to, 32_000)
  await from.close()
  expect(there.equals(content)).toBe(true)
  expect(Math.min(...written)).toBeGreaterThan(1_000_000)
})

it('a copy to a machine goes on over its own channel where the others end', async () => {
  const path = join(ownFolder(), 'disk')
  const content = randomBytes(14_000_000)
  writeFileSync(path, content)
  const there = Buffer.alloc(content.length)
  const written = [0, 0]
  const channel = (index: number, most: number): RemoteFile => ({
    ...remote(() => expect.fail('read')),
    write(offset, data) {
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
