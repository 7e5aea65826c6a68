import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { smallDisk, whyNoSmallDisk } from '../../../test/fixtures/small-disk'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'

const mebibyte = 1024 * 1024

/** Starts a transfer of which the connection holds back the rest after 3 MiB. */
async function halfway(direction: 'upload' | 'download') {
  const { target, line } = await sshdTarget()
  const harness = filesHarness(target)
  await harness.look()
  const remote = ownFolder()
  const source = direction === 'upload' ? ownFolder() : remote
  writeFileSync(join(source, 'big'), randomBytes(8 * mebibyte))
  harness.pick(join(harness.local, 'big'))
  line.holdAfter(3 * mebibyte)
  const begun = await (direction === 'upload'
    ? harness.upload(remote, join(source, 'big'))
    : harness.download(remote, 'big'))
  await line.held()
  const lookAway = () => harness.call['files.look']({ ...harness.where, looking: false })
  return { ...harness, line, remote, id: begun?.id ?? '', lookAway }
}

describeWith(['sshd'], 'the incomplete copy of an ended transfer', () => {
  it('is removed while nobody looks at the files of the machine', async () => {
    const { call, id, line, remote, lookAway } = await halfway('upload')
    expect(readdirSync(remote)).toEqual(['big.part'])
    await lookAway()
    const cancelled = call['files.cancel']({ transfer: id })
    line.hold(false)
    await cancelled
    expect(readdirSync(remote)).toEqual([])
    // The machine is no longer needed.
    expect(await lookAway()).toMatchObject({ link: { kind: 'off' } })
  })

  it('is removed once the machine is connected again', async () => {
    const { call, id, until, clock, line, remote, lookAway } = await halfway('upload')
    await lookAway()
    line.cut()
    line.hold(false)
    await until('waiting')
    const cancelled = call['files.cancel']({ transfer: id })
    await until('cancelled')
    clock.advance(20)
    await cancelled
    expect(readdirSync(remote)).toEqual([])
  })

  it('is removed once the user dismisses the failed transfer', async () => {
    const { call, id, line, remote, lookAway } = await halfway('upload')
    // Another program uses the name.
    writeFileSync(join(remote, 'big'), 'theirs')
    line.hold(false)
    const state = async () => (await call['files.transfers']({})).at(-1)?.state.kind
    await expect.poll(state).toBe('failed')
    expect(readdirSync(remote).toSorted()).toEqual(['big', 'big.part'])
    await lookAway()
    const dismissed = call['files.dismiss']({ transfer: id })
    expect(await call['files.transfers']({})).toEqual([])
    await dismissed
    expect(readdirSync(remote)).toEqual(['big'])
    expect(readFileSync(join(remote, 'big'), 'utf8')).toBe('theirs')
  })

  it.each(['upload', 'download'] as const)(
    'is removed during a running %s when the application quits',
    async (direction) => {
      const { files, line, remote, local } = await halfway(direction)
      const closed = files.close()
      line.hold(false)
      await closed
      expect([readdirSync(remote), readdirSync(local)]).toEqual(
        direction === 'upload' ? [[], []] : [['big'], []],
      )
    },
  )

  it('is removed from this computer when the application quits, even if the machine is silent', async () => {
    const { files, clock, remote, local } = await halfway('download')
    expect(readdirSync(local)).toEqual(['big.part'])
    const closed = files.close()
    clock.advance(3)
    await closed
    expect([readdirSync(remote), readdirSync(local)]).toEqual([['big'], []])
  })

  it('is removed when the machine is forgotten', async () => {
    const { gone, line, remote, files } = await halfway('upload')
    gone()
    line.hold(false)
    await files.close()
    expect(readdirSync(remote)).toEqual([])
  })
})

describeWith(['sshd'], 'a transfer', () => {
  it('waits before its next attempt if only its SFTP channel ends', async () => {
    const folder = ownFolder()
    const [server, log] = [join(folder, 'server'), join(folder, 'log')]
    writeFileSync(
      server,
      `#!/bin/sh\necho begun >> ${log}\nprintf '\\000\\000\\000\\005\\002\\000\\000\\000\\003'\n`,
      { mode: 0o755 },
    )
    const { target } = await sshdTarget({ Subsystem: `sftp ${server}` })
    const { look, upload, call, clock } = filesHarness(target)
    await look()
    const source = join(ownFolder(), 'small')
    writeFileSync(source, 'small')
    const attempts = () => readFileSync(log, 'utf8').split('\n').length - 1
    const states = async () => (await call['files.transfers']({})).map(({ state }) => state.kind)
    writeFileSync(log, '')
    await upload(ownFolder(), source)
    await upload(ownFolder(), source)
    await expect.poll(attempts).toBe(2)
    await expect.poll(states).toEqual(['waiting', 'waiting'])
    // Longest first pause (retry-delay.ts).
    clock.advance(6)
    await expect.poll(attempts).toBe(4)
    await expect.poll(states).toEqual(['waiting', 'waiting'])
  })

  const reason = whyNoSmallDisk()
  it.skipIf(reason).each(['cancelled', 'dismissed'] as const)(
    `names the copies that could not be removed once it is %s${reason ? ` (skipped: ${reason})` : ''}`,
    async (how) => {
      const { target, line } = await sshdTarget()
      const { look, upload, call } = filesHarness(target)
      await look()
      const [from, to] = [ownFolder(), ownFolder()]
      mkdirSync(join(from, 'all'))
      writeFileSync(join(from, 'all', 'big'), randomBytes(8 * mebibyte))
      line.holdAfter(3 * mebibyte)
      const begun = await upload(to, join(from, 'all'))
      await line.held()
      const part = join(to, 'all.part')
      mkdirSync(join(part, 'disk'))
      smallDisk('1m', join(part, 'disk'))
      const transfer = begun?.id ?? ''
      const state = async () => (await call['files.transfers']({})).at(-1)?.state
      if (how === 'dismissed') {
        writeFileSync(join(to, 'all'), 'theirs')
        line.hold(false)
        await expect.poll(async () => (await state())?.kind).toBe('failed')
        await call['files.dismiss']({ transfer })
      } else {
        const cancelled = call['files.cancel']({ transfer })
        line.hold(false)
        await cancelled
      }
      expect(await state()).toEqual({ kind: 'cancelled', left: [part] })
      await call['files.dismiss']({ transfer })
      expect(await call['files.transfers']({})).toEqual([])
    },
  )
})
