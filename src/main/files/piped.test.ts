import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Duplex, Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { ownFolder } from '../../../test/fixtures/files-harness'
import { connected, downloadOf, uploadOf } from '../../../test/fixtures/line-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { ChannelError, type SshConnection } from '../ssh/client/transport'
import { newProgress } from './transfer-job'
import { openTransferChannel } from './transfer-channel'

const { signal } = new AbortController()
const equal = (one: string, other: string): boolean => readFileSync(one).equals(readFileSync(other))

/** Connects to a near machine, replaces its commands, and records them. */
async function near(
  instead: (command: string) => string = (command) => command,
  pipe?: (real: SshConnection['pipe']) => SshConnection['pipe'],
) {
  const all = await connected()
  const { connection } = all
  const [piped, run]: [string[], string[]] = [[], []]
  const changed: SshConnection['pipe'] = (command, abort) => {
    piped.push(command)
    return (pipe?.(connection.pipe) ?? connection.pipe)(instead(command), abort)
  }
  const exec: SshConnection['exec'] = (command, abort) => {
    run.push(command)
    return connection.exec(command, abort)
  }
  // The clock is stopped: under load, a near machine may answer after the timeout for its shell.
  const clock = fakeClock(0)
  const { channel, close } = await openTransferChannel({ ...connection, pipe: changed, exec }, clock, signal)
  return { ...all, channel, close, clock, piped, run }
}

describeWith(['sshd'], 'a large file to a near machine', () => {
  it('is copied by one command, which computes the checksum too', async () => {
    const { channel, source, to, piped, run } = await near()
    const progress = newProgress()
    const outcome = await uploadOf(source, to, progress).attempt(channel, signal)
    expect(outcome).toMatchObject({ verified: 'checksum', changed: 0 })
    expect(equal(source, join(to, 'disk'))).toBe(true)
    expect(progress).toMatchObject({ bytesDone: 9_000_001, bytesTotal: 9_000_001, filesDone: 1 })
    expect(piped).toHaveLength(1)
    expect(run).toEqual(['command -v openssl'])
  })

  it('may have any name that is safe between quotes', async () => {
    const { channel, source, to, folder, piped } = await near()
    const name = "-rf $(touch made) `touch made`; it's 100 % 数 &"
    renameSync(source, join(folder, name))
    expect(await uploadOf(join(folder, name), to).attempt(channel, signal)).toMatchObject({
      verified: 'checksum',
    })
    const back = join(folder, 'back')
    expect(await downloadOf(to, name, back).attempt(channel, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(join(folder, name), back)).toBe(true)
    expect(piped).toHaveLength(2)
  })

  it.each([
    [
      'the disk is full',
      (command: string) => command.replace('cat >', 'head -c 5000000 >').replace('&&', '&& false &&'),
    ],
    ['the command is not there', () => 'no-such-command'],
    ['the command ends at once', () => 'exit 0'],
    [
      'it says another checksum',
      (command: string) => command.replace('openssl dgst', 'echo $(printf %064d 0) ; :'),
    ],
    ['it says nothing of use', (command: string) => command.replace('openssl dgst', 'cat; :')],
  ])('is complete if %s', async (_what, instead) => {
    const { channel, source, to, piped } = await near(instead)
    const progress = newProgress()
    const outcome = await uploadOf(source, to, progress).attempt(channel, signal)
    expect(outcome).toMatchObject({ verified: 'checksum' })
    expect(equal(source, join(to, 'disk'))).toBe(true)
    expect(progress.bytesDone).toBe(9_000_001)
    expect(piped).toHaveLength(1)
  })

  it('continues after a lost connection', async () => {
    let bytes = 0
    const { channel, source, to } = await near(undefined, (real) => async (command, abort) => {
      const channel = await real(command, abort)
      const write = channel.stream.write.bind(channel.stream)
      channel.stream.write = (data: Buffer, ...rest: never[]) => {
        bytes += data.length
        if (bytes > 7_000_000) channel.stream.destroy(new ChannelError('lost', 'channel closed'))
        return write(data, ...rest)
      }
      return channel
    })
    expect(await uploadOf(source, to).attempt(channel, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(source, join(to, 'disk'))).toBe(true)
    expect(bytes).toBeGreaterThan(7_000_000)
  })

  it('is copied over SFTP if the shell prints something itself', async () => {
    const { channel, source, to, folder, piped } = await near()
    const exec: typeof channel.exec = (command, abort) => channel.exec(`echo Welcome; ${command}`, abort)
    const noisy = { ...channel, near: channel.near, exec }
    const back = join(folder, 'back')
    expect(await uploadOf(source, to).attempt(noisy, signal)).toMatchObject({ verified: 'checksum' })
    expect(await downloadOf(to, 'disk', back).attempt(noisy, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(source, back)).toBe(true)
    expect(piped).toEqual([])
  })

  it('is copied over SFTP if the shell answers too late', async () => {
    const { channel, source, to, clock, piped } = await near()
    let answer = (): void => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const exec: typeof channel.exec = async (command, abort) => {
      await answered
      return channel.exec(command, abort)
    }
    const copied = uploadOf(source, to).attempt({ ...channel, near: channel.near, exec }, signal)
    await expect.poll(() => clock.waits()).toContain(0.3)
    clock.advance(0.3)
    answer()
    expect(await copied).toMatchObject({ verified: 'checksum' })
    expect(equal(source, join(to, 'disk'))).toBe(true)
    expect(piped).toEqual([])
  })
})

describeWith(['sshd'], 'a large file to a near machine with an unusual shell or connection', () => {
  it('is complete if commands see other folders than SFTP', async () => {
    const other = ownFolder()
    const { channel, source, to } = await near((command) => command.replaceAll(to, other))
    expect(await uploadOf(source, to).attempt(channel, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(source, join(to, 'disk'))).toBe(true)
    expect(readdirSync(other)).toEqual([])
    const theirs = join(other, 'disk.part')
    writeFileSync(theirs, 'theirs')
    renameSync(join(to, 'disk'), join(to, 'first'))
    expect(await uploadOf(source, to).attempt(channel, signal)).toMatchObject({ verified: 'checksum' })
    expect(readFileSync(theirs).length).toBe(6)
  })

  it('has its checksum computed again after a lost connection', async () => {
    const { channel, source, to } = await near()
    const job = uploadOf(source, to)
    const rename = () => Promise.reject(new ChannelError('lost', 'connection lost'))
    const cut = { ...channel, near: channel.near, sftp: { ...channel.sftp, rename } }
    await expect(job.attempt(cut, signal)).rejects.toThrow('lost')
    // Simulates a machine that crashed before its disk had all bytes.
    writeFileSync(join(to, 'disk.part'), Buffer.alloc(9_000_001))
    await expect(job.attempt(channel, signal)).rejects.toThrow()
    expect(await job.attempt(channel, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(source, join(to, 'disk'))).toBe(true)
  })

  it('is complete if the shell reads a part of it', async () => {
    const { channel, source, to } = await near((command) => `head -c 1000 >/dev/null; ${command}`)
    expect(await uploadOf(source, to).attempt(channel, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(source, join(to, 'disk'))).toBe(true)
  })

  it('ends when it is cancelled', async () => {
    const cancel = new AbortController()
    const { channel, source, to } = await near(undefined, (real) => (command, abort) => {
      cancel.abort(new Error('cancelled'))
      return real(command, abort)
    })
    await expect(uploadOf(source, to).attempt(channel, cancel.signal)).rejects.toThrow('cancelled')
  })
})

describeWith(['sshd'], 'a large file from a near machine', () => {
  it('is copied by one command', async () => {
    const { channel, source, folder, piped } = await near()
    const back = join(folder, 'back')
    expect(await downloadOf(folder, 'disk', back).attempt(channel, signal)).toMatchObject({
      verified: 'checksum',
    })
    expect(equal(source, back)).toBe(true)
    expect(piped).toHaveLength(1)
  })

  it.each([
    ['ends too early', (command: string) => `${command} | head -c 5000000`],
    ['says too much', (command: string) => `${command}; yes`],
    ['is not there', () => 'no-such-command'],
  ])('is complete if the command %s', async (_what, instead) => {
    const { channel, source, folder } = await near(instead)
    const back = join(folder, 'back')
    expect(await downloadOf(folder, 'disk', back).attempt(channel, signal)).toMatchObject({
      verified: 'checksum',
    })
    expect(equal(source, back)).toBe(true)
  })

  it('is the opened file if another file replaces it', async () => {
    let swap = ''
    const { channel, source, folder } = await near((command) =>
      command.includes('cat') ? swap + command : command,
    )
    const [back, first, other] = [join(folder, 'back'), join(folder, 'first'), join(folder, 'other')]
    writeFileSync(first, readFileSync(source))
    writeFileSync(other, Buffer.alloc(9_500_000))
    swap = `mv ${other} ${source}; `
    // The checksum may be computed before or after the replacement.
    await downloadOf(folder, 'disk', back).attempt(channel, signal)
    expect(equal(first, back)).toBe(true)
  })

  it('is rejected if the command prints other bytes', async () => {
    const { channel, folder } = await near(() => 'yes | head -c 9000001')
    await expect(downloadOf(folder, 'disk', join(folder, 'back')).attempt(channel, signal)).rejects.toThrow()
  })

  it('continues an incomplete copy', async () => {
    const { channel, source, folder, piped } = await near()
    const back = join(folder, 'back')
    const job = downloadOf(folder, 'disk', back)
    const cut: SshConnection['pipe'] = () =>
      Promise.resolve({
        stream: Duplex.from(Readable.from([readFileSync(source).subarray(0, 3_000_000)])),
        exit: new Promise(() => undefined),
      })
    const lost = {
      ...channel.sftp,
      open: async (...path: Parameters<typeof channel.sftp.open>) => ({
        ...(await channel.sftp.open(...path)),
        read: () => Promise.reject(new ChannelError('lost', 'connection lost')),
      }),
    }
    const cutLine = { ...channel, near: channel.near, pipe: cut, sftp: lost }
    await expect(job.attempt(cutLine, signal)).rejects.toThrow('lost')
    expect(await job.attempt(channel, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(source, back)).toBe(true)
    expect(piped).toEqual([expect.stringMatching(/^tail -c \+3000001 /)])
  })
})
