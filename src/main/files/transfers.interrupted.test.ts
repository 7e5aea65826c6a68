import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'

const mebibyte = 1024 * 1024

async function ready() {
  const { target, line } = await sshdTarget()
  const harness = filesHarness(target)
  await harness.look()
  return { ...harness, line, remote: ownFolder() }
}

describeWith(['sshd'], 'an interrupted transfer', () => {
  it('restarts if the source has become shorter', async () => {
    const { upload, until, clock, line, remote } = await ready()
    const source = join(ownFolder(), 'log')
    writeFileSync(source, randomBytes(8 * mebibyte))
    line.cutAfter(3 * mebibyte)
    const waiting = until('waiting')
    await upload(remote, source)
    await waiting
    writeFileSync(source, randomBytes(1_000))
    clock.advance(20)
    expect((await until('done')).state).toMatchObject({ verified: 'checksum', changed: 1 })
    expect(readFileSync(join(remote, 'log')).equals(readFileSync(source))).toBe(true)
  })

  it('restarts if another program has cut the copy', async () => {
    const { download, until, pick, clock, line, remote, local } = await ready()
    writeFileSync(join(remote, 'big'), randomBytes(8 * mebibyte))
    pick(join(local, 'big'))
    line.cutAfter(3 * mebibyte)
    await download(remote, 'big')
    expect((await until('waiting')).bytes.done).toBeGreaterThan(0)
    truncateSync(join(local, 'big.part'), 10)
    clock.advance(20)
    await until('done')
    expect(readFileSync(join(local, 'big')).equals(readFileSync(join(remote, 'big')))).toBe(true)
  })

  it('does not affect another transfer of the same name', async () => {
    const { upload, call, answering, remote } = await ready()
    answering('keep-both')
    const sources = ['first', 'second'].map((text) => {
      const path = join(ownFolder(), 'same')
      writeFileSync(path, text)
      return path
    })
    await Promise.all(sources.map((path) => upload(remote, path)))
    const states = async () => (await call['files.transfers']({})).map(({ state }) => state.kind)
    await expect.poll(states).toEqual(['done', 'done'])
    expect(readdirSync(remote).toSorted()).toEqual(['same', 'same (2)'])
    // Either transfer may have reserved the name first.
    const contents = ['same', 'same (2)'].map((name) => readFileSync(join(remote, name), 'utf8'))
    expect(contents.toSorted()).toEqual(['first', 'second'])
  })
})
