import { statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Transfer } from '#shared/bridge/files'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { connected, uploadOf } from '../../../test/fixtures/line-harness'
import { smallDisk, whyNoSmallDisk } from '../../../test/fixtures/small-disk'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'
import { systemClock } from '../core/clock'
import { causeOf, checkSpace, freeInDf, NoSpace } from './free-space'
import { jobFile } from './transfer-job'
import { openTransferChannel } from './transfer-channel'
import { SftpError } from './sftp/session'

const heading = 'Filesystem 1024-blocks Used Available Capacity Mounted on'
it.each([
  [`${heading}\n/dev/sda1 100 40 60 40% /\n`, 60 * 1_024],
  [`${heading}\n//nas/my share 100 40 60 40% /mnt/a b\n`, 60 * 1_024],
  [`${heading}\nnone - - - - /proc\n`, null],
  ['df: no such file\n', null],
])('the output %j of df means %s free bytes', (output, free) => {
  expect(freeInDf(output)).toBe(free)
})

describe('a disk without room', () => {
  const files = [jobFile('/srv/a', '/a', 1_000, true)]
  const disk = (free: number, reserved = free) =>
    ({ kind: 'machine', space: () => Promise.resolve({ free, reserved }) }) as const

  it('is reported before any write, unless root could write', async () => {
    await expect(checkSpace(disk(999), files)).rejects.toMatchObject({ free: 999, needed: 1_000 })
    await checkSpace(disk(999, 1_000), files)
    await checkSpace({ kind: 'machine', space: () => Promise.reject(new Error('unknown')) }, files)
  })
  it('is the cause of a write that fails without a reason, but of no other error', async () => {
    const refused = new SftpError('failure', 'Failure')
    expect(await causeOf(refused, disk(10), files)).toBeInstanceOf(NoSpace)
    expect(await causeOf(refused, disk(2_000), files)).toBe(refused)
    const denied = new SftpError('permission-denied', '')
    expect(await causeOf(denied, disk(10), files)).toBe(denied)
  })
})

const reason = whyNoSmallDisk()
/** Fills a disk except for so many bytes. */
function fill(folder: string, left: number): void {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, 'ballast'), Buffer.alloc(bavail * bsize - left))
}
const failed = async (list: () => Promise<Transfer[]> | Transfer[]) => {
  const state = async () => (await list()).at(-1)?.state
  await expect.poll(async () => (await state())?.kind).toBe('failed')
  return state()
}

describeWith(['sshd'], 'a transfer to a disk that is full', () => {
  it.skipIf(reason).each(['upload', 'download'] as const)(
    `reports the disk, its free space and the required space before it begins: %s${reason ? ` (skipped: ${reason})` : ''}`,
    async (direction) => {
      const { target } = await sshdTarget()
      const { look, upload, download, call, pick } = filesHarness(target)
      await look()
      const [from, to] = [ownFolder(), smallDisk('4m')]
      fill(to, 500_000)
      writeFileSync(join(from, 'model'), Buffer.alloc(1_000_000))
      pick(join(to, 'model'))
      await (direction === 'upload' ? upload(to, join(from, 'model')) : download(from, 'model'))
      const state = await failed(async () => call['files.transfers']({}))
      const machine = direction === 'upload' ? 'train' : null
      expect(state).toMatchObject({ failure: { kind: 'no-space', machine, needed: 1_000_000 } })
      const free = state?.kind === 'failed' && state.failure.kind === 'no-space' ? state.failure.free : 0
      expect(free).toBeGreaterThan(400_000)
      expect(free).toBeLessThan(600_000)
    },
  )

  it.skipIf(reason)(
    `names the disk if it becomes full during the transfer${reason ? ` (skipped: ${reason})` : ''}`,
    async () => {
      const { connection, source } = await connected({}, 3_000_000)
      const to = smallDisk('8m')
      const { channel, close } = await openTransferChannel(connection, { ...systemClock, monotonic: () => 0 })
      let isFull = false
      const sftp: typeof channel.sftp = {
        ...channel.sftp,
        async open(...input) {
          const file = await channel.sftp.open(...input)
          if (!isFull) fill(to, 1_000_000)
          isFull = true
          return file
        },
      }
      const attempted = uploadOf(source, to).attempt(
        { ...channel, sftp, near: channel.near },
        new AbortController().signal,
      )
      await expect(attempted).rejects.toMatchObject({ name: 'NoSpace', kind: 'machine' })
      close()
    },
  )
})
