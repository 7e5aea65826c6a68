import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { ownFolder } from '../../../test/fixtures/files-harness'
import { connected, downloadOf, farClock, uploadOf } from '../../../test/fixtures/line-harness'
import { sftpServer } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { errorOf } from '../ssh/client/channel-stream'
import type { SshConnection } from '../ssh/client/transport'
import type { Job } from './transfer-job'
import { openTransferChannel } from './transfer-channel'

const { signal } = new AbortController()
describeWith(['sshd'], 'the channels of a transfer', () => {
  it('are several for a large upload to a far machine, and no more for a second upload', async () => {
    const { connection, source, to, channels, folder } = await connected()
    const first = await openTransferChannel(connection, farClock(), signal)
    const second = await openTransferChannel(connection, farClock(), signal)
    expect(await uploadOf(source, to).attempt(first.channel, signal)).toMatchObject({ verified: 'checksum' })
    expect(readFileSync(join(to, 'disk')).equals(readFileSync(source))).toBe(true)
    expect(channels()).toBe(2 + 3)
    mkdirSync(join(folder, 'again'))
    await uploadOf(source, join(folder, 'again')).attempt(second.channel, signal)
    expect(channels()).toBe(2 + 3)
    first.close()
    // The extra channels of the first are free again.
    const third = await openTransferChannel(connection, farClock(), signal)
    await third.channel.sftp.realPath('.')
    expect(await Promise.all(third.channel.others())).toHaveLength(3)
    second.close()
    third.close()
  })

  it('are one for a near machine, with requests of the server’s greatest size', async () => {
    const { connection, folder, source, to, channels } = await connected()
    const { channel, close } = await openTransferChannel(connection, fakeClock(), signal)
    await uploadOf(source, to).attempt(channel, signal)
    expect(channel.writeBytes).toBeGreaterThan(100_000)
    expect(channel.readBytes).toBeGreaterThan(100_000)
    expect(readFileSync(join(to, 'disk')).equals(readFileSync(source))).toBe(true)
    const back = join(folder, 'back')
    const job = downloadOf(to, 'disk', back)
    expect(await job.attempt(channel, signal)).toMatchObject({ verified: 'checksum' })
    expect(readFileSync(back).equals(readFileSync(source))).toBe(true)
    expect(channels()).toBe(1)
    close()
  })
})

describeWith(['sshd'], 'a machine is near', () => {
  it('even if its SFTP server starts slowly and the computer’s clock changes', async () => {
    const script = ownFolder()
    execFileSync('mkfifo', [join(script, 'go')])
    writeFileSync(join(script, 'run'), `#!/bin/sh\nread go <${script}/go\nexec ${sftpServer}\n`, {
      mode: 0o755,
    })
    const { connection, source, to, channels } = await connected({ Subsystem: `sftp ${join(script, 'run')}` })
    const clock = fakeClock()
    const opening = openTransferChannel(connection, { ...clock, now: farClock().monotonic }, signal)
    await expect.poll(channels).toBe(1)
    clock.advance(10)
    writeFileSync(join(script, 'go'), 'go\n')
    const { channel, close } = await opening
    await expect.poll(() => channel.writeBytes).toBeGreaterThan(100_000)
    await uploadOf(source, to).attempt(channel, signal)
    expect(channels()).toBe(1)
    close()
  })
})

describeWith(['sshd'], 'the detection of OpenSSL', () => {
  const isAsked = (command: string): boolean => command === 'command -v openssl'

  it('does not delay a complete copy', async () => {
    const { connection, folder, source, to } = await connected()
    let asked = 0
    const exec: SshConnection['exec'] = (command, abort) => {
      if (!isAsked(command)) return connection.exec(command, abort)
      asked += 1
      return new Promise((_resolve, reject) => {
        abort?.addEventListener('abort', () => reject(errorOf(abort.reason)))
      })
    }
    const clock = fakeClock()
    const { channel, close } = await openTransferChannel({ ...connection, exec }, clock, signal)
    const outcomeOf = async (job: Job): Promise<unknown> => {
      const outcome = job.attempt(channel, signal)
      let isOver = false
      const end = (): boolean => (isOver = true)
      outcome.then(end, end)
      await expect
        .poll(() => {
          clock.advance(0.1)
          return isOver
        })
        .toBe(true)
      return outcome
    }
    const checked = { verified: 'checksum' }
    expect(await outcomeOf(uploadOf(source, to))).toMatchObject(checked)
    expect(await outcomeOf(downloadOf(to, 'disk', join(folder, 'back')))).toMatchObject(checked)
    expect(asked).toBe(2)
    close()
  })

  it('is skipped if a command signs in again', async () => {
    const { connection, source, to } = await connected()
    const commands: string[] = []
    const exec: SshConnection['exec'] = (command, abort) => {
      commands.push(command)
      return connection.exec(command, abort)
    }
    const { channel, close } = await openTransferChannel(
      { ...connection, exec, signsInAgain: true },
      fakeClock(),
      signal,
    )
    expect(await uploadOf(source, to).attempt(channel, signal)).toMatchObject({ verified: 'checksum' })
    expect(commands).toHaveLength(1)
    expect(commands.filter(isAsked)).toEqual([])
    close()
  })
})
