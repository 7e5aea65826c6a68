import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { ownFolder } from '../../../test/fixtures/files-harness'
import { downloadJob } from './download-job'
import { newProgress } from './transfer-job'
import { type TransferChannel, oneChannel } from './transfer-channel'
import type { RemoteEntry, RemoteFile, Sftp } from './sftp/client'
import { SftpError } from './sftp/session'
import { uploadJob } from './upload-job'

const attributes = { kind: 'file', size: 1, modifiedAt: 1, mode: null } as const
const entries = ['kept', 'vanished'].map((name): RemoteEntry => ({
  ...attributes,
  name,
  isUnreadable: false,
}))
const remote: RemoteFile = {
  read: (offset) => Promise.resolve(offset < 1 ? [Buffer.from('x')] : null),
  write: () => Promise.resolve(),
  attributes: () => Promise.resolve(attributes),
  setMode: () => Promise.resolve(),
  setTime: () => Promise.resolve(),
  close: () => Promise.resolve(),
}
const fail = () => expect.fail('nothing is asked')
/** A machine with the folder `data`, on which everything succeeds, but for this. */
const line = (changes: Partial<Sftp>): TransferChannel => ({
  sftp: {
    limits: () => expect.fail('no limits'),
    list: (path) => Promise.resolve({ entries: path.endsWith('data') ? entries : [], isCut: false }),
    realPath: (path) => Promise.resolve(path),
    stat: () => Promise.resolve({ ...attributes, kind: 'folder' }),
    lstat: () => Promise.reject(new SftpError('no-such-file', '')),
    open: () => Promise.resolve(remote),
    makeFolder: () => Promise.resolve(),
    removeFile: () => Promise.resolve(),
    setMode: () => Promise.resolve(),
    setTime: () => Promise.resolve(),
    readLink: fail,
    makeLink: fail,
    space: () => Promise.resolve(null),
    replace: () => Promise.resolve(true),
    removeFolder: () => Promise.resolve(),
    rename: () => Promise.resolve(),
    close: () => undefined,
    ...changes,
  },
  exec: () => Promise.resolve({ kind: 'timed-out' }),
  pipe: () => Promise.reject(new Error('no commands')),
  clock: fakeClock(),
  ...oneChannel,
})
const leftOut = { filesDone: 1, filesTotal: 1, bytesDone: 1, bytesTotal: 1, skipped: 1 }
const { signal } = new AbortController()
const ask = { taken: fail, links: fail }

it('a file that a machine has no more is left out of a download, and counted', async () => {
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
  const open: Sftp['open'] = (path) =>
    path.endsWith('vanished') ? Promise.reject(new SftpError('no-such-file', '')) : Promise.resolve(remote)
  await job.attempt(line({ open }), signal)
  expect(progress).toMatchObject(leftOut)
  expect(readdirSync(join(to, 'data'))).toEqual(['kept'])
})

it('a file that this computer has no more is left out of an upload, and counted', async () => {
  const from = join(ownFolder(), 'data')
  mkdirSync(from)
  for (const name of ['kept', 'vanished']) writeFileSync(join(from, name), 'x')
  const progress = newProgress()
  const job = uploadJob({
    folder: '/srv',
    paths: [from],
    reserved: new Set(),
    platform: process.platform,
    progress,
    ask,
  })
  const makeFolder = (): Promise<void> => Promise.resolve(rmSync(join(from, 'vanished')))
  await job.attempt(line({ makeFolder }), signal)
  expect(progress).toMatchObject(leftOut)
})

it.skipIf(process.platform === 'win32')(
  'a link that has taken the place of a file is not followed by an upload, and the file is counted as left out',
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
      reserved: new Set(),
      platform: process.platform,
      progress,
      ask,
    })
    const makeFolder = (): Promise<void> => {
      rmSync(join(from, 'vanished'))
      symlinkSync(outside, join(from, 'vanished'))
      return Promise.resolve()
    }
    const open: Sftp['open'] = () =>
      Promise.resolve({
        ...remote,
        write: (_offset, { content }) => Promise.resolve(void written.push(content.toString())),
      })
    await job.attempt(line({ makeFolder, open }), signal)
    expect(progress).toMatchObject(leftOut)
    expect(written).toEqual(['x'])
  },
)
