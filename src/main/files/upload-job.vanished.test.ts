import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ownFolder } from '../../../test/fixtures/files-harness'
import { channelOf, type Node, scriptedClient } from '../../../test/fixtures/scripted-sftp'
import { downloadJob } from './download-job'
import { newProgress } from './transfer-job'
import type { TransferChannel } from './transfer-channel'
import type { Sftp } from './sftp/client'
import { SftpError } from './sftp/session'
import { uploadJob } from './upload-job'

const file: Node = {
  kind: 'file',
  size: 1,
  read: (offset) => (offset < 1 ? Buffer.from('x') : null),
}
const data: Node = {
  kind: 'folder',
  entries: [
    ['kept', file],
    ['vanished', file],
  ],
}
/** Opens a channel to a machine whose checksums time out. */
async function channelTo(
  at: (path: string) => Node,
  changes: (sftp: Sftp) => Partial<Sftp>,
): Promise<TransferChannel> {
  const exec = () => Promise.resolve({ kind: 'timed-out' } as const)
  return channelOf(await scriptedClient(at, changes), { exec })
}
/** Node of a path while `data` is uploaded. */
const uploaded = (path: string): Node =>
  path.endsWith('kept') || path.endsWith('vanished') ? file : { kind: 'missing' }
const skippedOne = { filesDone: 1, filesTotal: 1, bytesDone: 1, bytesTotal: 1, skipped: 1 }
const { signal } = new AbortController()
const unexpected = () => expect.fail('no questions')
const ask = { conflict: unexpected, links: unexpected }

it('a download skips and counts a file that was removed from the machine', async () => {
  const to = ownFolder()
  const progress = newProgress()
  const job = downloadJob({
    folder: '/srv',
    names: ['data'],
    target: { kind: 'folder', path: to },
    platform: 'linux',
    progress,
    ask,
  })
  const channel = await channelTo(
    (path) => (path.endsWith('data') ? data : file),
    (sftp) => ({
      open: (path, ...options) =>
        path.endsWith('vanished')
          ? Promise.reject(new SftpError('no-such-file', ''))
          : sftp.open(path, ...options),
    }),
  )
  await job.attempt(channel, signal)
  expect(progress).toMatchObject(skippedOne)
  expect(readdirSync(join(to, 'data'))).toEqual(['kept'])
})

it('an upload skips and counts a file that was removed from this computer', async () => {
  const from = join(ownFolder(), 'data')
  mkdirSync(from)
  for (const name of ['kept', 'vanished']) writeFileSync(join(from, name), 'x')
  const progress = newProgress()
  const job = uploadJob({
    folder: '/srv',
    paths: [from],
    reserved: () => new Set(),
    platform: process.platform,
    progress,
    ask,
  })
  const channel = await channelTo(uploaded, () => ({
    makeFolder: () => Promise.resolve(rmSync(join(from, 'vanished'))),
  }))
  await job.attempt(channel, signal)
  expect(progress).toMatchObject(skippedOne)
})

it.skipIf(process.platform === 'win32')(
  'an upload skips and counts a file that was replaced by a link',
  async () => {
    const outside = join(ownFolder(), 'secret')
    writeFileSync(outside, 's')
    const from = join(ownFolder(), 'data')
    mkdirSync(from)
    for (const name of ['kept', 'vanished']) writeFileSync(join(from, name), 'x')
    const written: string[] = []
    const progress = newProgress()
    const job = uploadJob({
      folder: '/srv',
      paths: [from],
      reserved: () => new Set(),
      platform: process.platform,
      progress,
      ask,
    })
    const channel = await channelTo(uploaded, (sftp) => ({
      makeFolder() {
        rmSync(join(from, 'vanished'))
        symlinkSync(outside, join(from, 'vanished'))
        return Promise.resolve()
      },
      async open(...input) {
        const remote = await sftp.open(...input)
        return {
          ...remote,
          write: (_offset, { content }) => Promise.resolve(void written.push(content.toString())),
        }
      },
    }))
    await job.attempt(channel, signal)
    expect(progress).toMatchObject(skippedOne)
    expect(written).toEqual(['x'])
  },
)
