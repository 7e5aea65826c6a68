import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fakeClock } from '../../../test/fixtures/fake-clock'
import { ownFolder } from '../../../test/fixtures/files-harness'
import { connected, farClock, uploadOf } from '../../../test/fixtures/line-harness'
import { sftpServer } from '../../../test/fixtures/sshd'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { systemClock } from '../core/clock'
import { newProgress } from './transfer-job'
import { openTransferChannel } from './transfer-channel'
import { commandsOf, openOwn, extraChannels } from './sessions'

const { signal } = new AbortController()
/** Same as `farClock`, with real pauses. */
const farAndReal = () => ({ ...systemClock, monotonic: farClock().monotonic })
const checked = { verified: 'checksum' }
const refusals = (log: string): number => log.match(/no more sessions/g)?.length ?? 0

describeWith(['sshd'], 'extra channels', () => {
  it('do not delay a transfer if the server never starts them', async () => {
    const script = ownFolder()
    const run = `mkdir ${script}/first 2>/dev/null || exec cat 3>&1 >/dev/null\nexec ${sftpServer}\n`
    writeFileSync(join(script, 'run'), `#!/bin/sh\n${run}`, { mode: 0o755 })
    const { connection, source, to, channels } = await connected({ Subsystem: `sftp ${join(script, 'run')}` })
    const { channel, close } = await openTransferChannel(connection, farClock(), signal)
    expect(await uploadOf(source, to).attempt(channel, signal)).toMatchObject(checked)
    expect(channels()).toBe(4)
    close()
  })

  it.each([
    ['4', 'fewer than they take'],
    ['5', 'as many as they take'],
  ])('close for required channels if the server allows %s sessions, %s', async (MaxSessions) => {
    const { connection, folder, source, to, channels, log } = await connected({ MaxSessions }, 30_000_001)
    const clock = farAndReal()
    // The user browses the machine's files.
    const browsed = await openOwn(connection, clock)
    const first = await openTransferChannel(connection, clock, signal)
    await first.channel.sftp.realPath('.')
    const others = await Promise.allSettled(first.channel.others())
    expect(others).toHaveLength(3)
    const areThere = others.every(({ status }) => status === 'fulfilled')
    expect(areThere).toBe(MaxSessions === '5')
    const progress = newProgress()
    const begun = new Promise<void>((resolve) => {
      progress.changed = () => void (progress.bytesDone > 0 && resolve())
    })
    const upload = uploadOf(source, to, progress).attempt(first.channel, signal)
    await begun
    // Each transfer needs a channel, and one for its checksum.
    const second = await openTransferChannel(connection, clock, signal)
    mkdirSync(join(folder, 'second'))
    const meanwhile = await uploadOf(source, join(folder, 'second')).attempt(second.channel, signal)
    expect([await upload, meanwhile]).toMatchObject([checked, checked])
    const content = readFileSync(source)
    for (const copy of [to, join(folder, 'second')])
      expect(readFileSync(join(copy, 'disk')).equals(content)).toBe(true)
    expect(refusals(log())).toBeGreaterThan(0)
    // Extra channels do not open again.
    const before = channels()
    second.close()
    const third = await openTransferChannel(connection, clock, signal)
    await third.channel.sftp.realPath('.')
    expect(third.channel.others()).toEqual([])
    expect(channels()).toBe(before + 1)
    await browsed.realPath('.')
  })

  it('no longer delay a required channel once its transfer is cancelled', async () => {
    const { connection } = await connected({ MaxSessions: '2' })
    const clock = fakeClock()
    const others = extraChannels(connection, clock)
    await Promise.allSettled(others.open())
    // Uses all sessions of the server.
    for (let opened = 0; opened < 2; opened += 1) await openOwn(connection, systemClock)
    const ending = new AbortController()
    const commands = commandsOf(connection, clock)
    const waiting = [
      openOwn(connection, clock, ending.signal),
      commands.pipe('true', ending.signal),
      commands.exec('true', ending.signal),
    ]
    await expect.poll(() => clock.pending()).toBe(waiting.length)
    ending.abort(new Error('cancelled'))
    const reason = new Error('cancelled')
    expect(await Promise.allSettled(waiting)).toEqual(waiting.map(() => ({ status: 'rejected', reason })))
    expect(clock.pending()).toBe(0)
  })
})
