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
import { openLine } from './transfer-channel'

const { signal } = new AbortController()
const equal = (one: string, other: string): boolean => readFileSync(one).equals(readFileSync(other))

/** A machine that is near, whose commands are these instead, and what it was asked to run. */
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
  // Time stands still: under load, a machine that is near may take longer to answer than a copy waits for its shell.
  const clock = fakeClock(0)
  const { line, close } = await openLine({ ...connection, pipe: changed, exec }, clock, signal)
  return { ...all, line, close, clock, piped, run }
}

describeWith(['sshd'], 'a large file to a machine that is near', () => {
  it('goes through one command, which makes the checksum too', async () => {
    const { line, source, to, piped, run } = await near()
    const progress = newProgress()
    const outcome = await uploadOf(source, to, progress).attempt(line, signal)
    expect(outcome).toMatchObject({ verified: 'checksum', changed: 0 })
    expect(equal(source, join(to, 'disk'))).toBe(true)
    expect(progress).toMatchObject({ bytesDone: 9_000_001, bytesTotal: 9_000_001, filesDone: 1 })
    expect(piped).toHaveLength(1)
    expect(run).toEqual(['command -v openssl'])
  })

  it('has any name that a shell leaves alone between quotes', async () => {
    const { line, source, to, folder, piped } = await near()
    const name = "-rf $(touch made) `touch made`; it's 100 % 数 &"
    renameSync(source, join(folder, name))
    expect(await uploadOf(join(folder, name), to).attempt(line, signal)).toMatchObject({
      verified: 'checksum',
    })
    const back = join(folder, 'back')
    expect(await downloadOf(to, name, back).attempt(line, signal)).toMatchObject({ verified: 'checksum' })
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
  ])('is whole where %s', async (_what, instead) => {
    const { line, source, to, piped } = await near(instead)
    const progress = newProgress()
    const outcome = await uploadOf(source, to, progress).attempt(line, signal)
    expect(outcome).toMatchObject({ verified: 'checksum' })
    expect(equal(source, join(to, 'disk'))).toBe(true)
    expect(progress.bytesDone).toBe(9_000_001)
    expect(piped).toHaveLength(1)
  })

  it('goes on where its channel is lost on the way', async () => {
    let bytes = 0
    const { line, source, to } = await near(undefined, (real) => async (command, abort) => {
      const channel = await real(command, abort)
      const write = channel.stream.write.bind(channel.stream)
      channel.stream.write = (data: Buffer, ...rest: never[]) => {
        bytes += data.length
        if (bytes > 7_000_000) channel.stream.destroy(new ChannelError('lost', 'channel closed'))
        return write(data, ...rest)
      }
      return channel
    })
    expect(await uploadOf(source, to).attempt(line, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(source, join(to, 'disk'))).toBe(true)
    expect(bytes).toBeGreaterThan(7_000_000)
  })

  it('goes over SFTP where the shell says something by itself', async () => {
    const { line, source, to, folder, piped } = await near()
    const exec: typeof line.exec = (command, abort) => line.exec(`echo Welcome; ${command}`, abort)
    const noisy = { ...line, near: line.near, exec }
    const back = join(folder, 'back')
    expect(await uploadOf(source, to).attempt(noisy, signal)).toMatchObject({ verified: 'checksum' })
    expect(await downloadOf(to, 'disk', back).attempt(noisy, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(source, back)).toBe(true)
    expect(piped).toEqual([])
  })

  it('goes over SFTP where the shell has not answered soon', async () => {
    const { line, source, to, clock, piped } = await near()
    let answer = (): void => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const exec: typeof line.exec = async (command, abort) => {
      await answered
      return line.exec(command, abort)
    }
    const copied = uploadOf(source, to).attempt({ ...line, near: line.near, exec }, signal)
    await expect.poll(() => clock.waits()).toContain(0.3)
    clock.advance(0.3)
    answer()
    expect(await copied).toMatchObject({ verified: 'checksum' })
    expect(equal(source, join(to, 'disk'))).toBe(true)
    expect(piped).toEqual([])
  })

  it('is whole where commands see other folders', async () => {
    const other = ownFolder()
    const { line, source, to } = await near((command) => command.replaceAll(to, other))
    expect(await uploadOf(source, to).attempt(line, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(source, join(to, 'disk'))).toBe(true)
    expect(readdirSync(other)).toEqual([])
    const theirs = join(other, 'disk.part')
    writeFileSync(theirs, 'theirs')
    renameSync(join(to, 'disk'), join(to, 'first'))
    expect(await uploadOf(source, to).attempt(line, signal)).toMatchObject({ verified: 'checksum' })
    expect(readFileSync(theirs).length).toBe(6)
  })

  it('is read again there where the line was lost after it had been', async () => {
    const { line, source, to } = await near()
    const job = uploadOf(source, to)
    const rename = () => Promise.reject(new ChannelError('lost', 'connection lost'))
    const cut = { ...line, near: line.near, sftp: { ...line.sftp, rename } }
    await expect(job.attempt(cut, signal)).rejects.toThrow('lost')
    // As by a machine that crashed before its disk had all of it.
    writeFileSync(join(to, 'disk.part'), Buffer.alloc(9_000_001))
    await expect(job.attempt(line, signal)).rejects.toThrow()
    expect(await job.attempt(line, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(source, join(to, 'disk'))).toBe(true)
  })

  it('is whole where the shell takes some of it', async () => {
    const { line, source, to } = await near((command) => `head -c 1000 >/dev/null; ${command}`)
    expect(await uploadOf(source, to).attempt(line, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(source, join(to, 'disk'))).toBe(true)
  })

  it('ends when it is cancelled', async () => {
    const cancel = new AbortController()
    const { line, source, to } = await near(undefined, (real) => (command, abort) => {
      cancel.abort(new Error('cancelled'))
      return real(command, abort)
    })
    await expect(uploadOf(source, to).attempt(line, cancel.signal)).rejects.toThrow('cancelled')
  })
})

describeWith(['sshd'], 'a large file from a machine that is near', () => {
  it('comes through one command', async () => {
    const { line, source, folder, piped } = await near()
    const back = join(folder, 'back')
    expect(await downloadOf(folder, 'disk', back).attempt(line, signal)).toMatchObject({
      verified: 'checksum',
    })
    expect(equal(source, back)).toBe(true)
    expect(piped).toHaveLength(1)
  })

  it.each([
    ['ends too early', (command: string) => `${command} | head -c 5000000`],
    ['says too much', (command: string) => `${command}; yes`],
    ['is not there', () => 'no-such-command'],
  ])('is whole where the command %s', async (_what, instead) => {
    const { line, source, folder } = await near(instead)
    const back = join(folder, 'back')
    expect(await downloadOf(folder, 'disk', back).attempt(line, signal)).toMatchObject({
      verified: 'checksum',
    })
    expect(equal(source, back)).toBe(true)
  })

  it('is the one that was there first where another takes its place', async () => {
    let swap = ''
    const { line, source, folder } = await near((command) =>
      command.includes('cat') ? swap + command : command,
    )
    const [back, first, other] = [join(folder, 'back'), join(folder, 'first'), join(folder, 'other')]
    writeFileSync(first, readFileSync(source))
    writeFileSync(other, Buffer.alloc(9_500_000))
    swap = `mv ${other} ${source}; `
    // Its checksum may be asked for before the other takes its place, or after that.
    await downloadOf(folder, 'disk', back).attempt(line, signal)
    expect(equal(first, back)).toBe(true)
  })

  it('is refused where the command says something else', async () => {
    const { line, folder } = await near(() => 'yes | head -c 9000001')
    await expect(downloadOf(folder, 'disk', join(folder, 'back')).attempt(line, signal)).rejects.toThrow()
  })

  it('goes on from where it was', async () => {
    const { line, source, folder, piped } = await near()
    const back = join(folder, 'back')
    const job = downloadOf(folder, 'disk', back)
    const cut: SshConnection['pipe'] = () =>
      Promise.resolve({
        stream: Duplex.from(Readable.from([readFileSync(source).subarray(0, 3_000_000)])),
        exit: new Promise(() => undefined),
      })
    const lost = {
      ...line.sftp,
      open: async (...path: Parameters<typeof line.sftp.open>) => ({
        ...(await line.sftp.open(...path)),
        read: () => Promise.reject(new ChannelError('lost', 'connection lost')),
      }),
    }
    const cutLine = { ...line, near: line.near, pipe: cut, sftp: lost }
    await expect(job.attempt(cutLine, signal)).rejects.toThrow('lost')
    expect(await job.attempt(line, signal)).toMatchObject({ verified: 'checksum' })
    expect(equal(source, back)).toBe(true)
    expect(piped).toEqual([expect.stringMatching(/^tail -c \+3000001 /)])
  })
})
