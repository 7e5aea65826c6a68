import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TakenChoice } from '#shared/bridge/files'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'

type Direction = 'upload' | 'download'

/** Makes files of these names in the source folder, with the content `new`, and in the destination. */
async function ready(direction: Direction) {
  const { target, line } = await sshdTarget()
  const harness = filesHarness(target)
  await harness.look()
  const remote = ownFolder()
  const [from, to] = direction === 'upload' ? [ownFolder(), remote] : [remote, harness.local]
  const begin = (...names: readonly string[]) =>
    direction === 'upload'
      ? harness.upload(remote, ...names.map((name) => join(from, name)))
      : harness.download(remote, ...names)
  const answer = async (choice: TakenChoice, forAll = false): Promise<void> => {
    const { id, state } = await harness.until('asking')
    const name = state.kind === 'asking' ? state.name : ''
    await harness.call['files.answer']({ transfer: id, name, choice, forAll })
  }
  return { ...harness, line, remote, from, to, begin, answer }
}
const text = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8')
/** Makes a folder with enough small files for an archive. */
function many(path: string, of: string): void {
  mkdirSync(path)
  for (let at = 0; at < 30; at += 1) writeFileSync(join(path, `${at}`), of)
}
/** Makes two files and a folder on both sides. */
async function both(direction: Direction) {
  const made = await ready(direction)
  for (const name of ['a', 'b']) {
    writeFileSync(join(made.from, name), 'new')
    writeFileSync(join(made.to, name), 'old')
  }
  many(join(made.from, 'runs'), 'new')
  many(join(made.to, 'runs'), 'old')
  writeFileSync(join(made.to, 'runs', 'only here'), '')
  return made
}

describeWith(['sshd'], 'an existing file or folder', () => {
  it.each(['upload', 'download'] as const)(
    'causes a question before the %s writes anything',
    async (direction) => {
      const { begin, answer, until, from, to } = await both(direction)
      writeFileSync(join(from, 'free'), 'new')
      await begin('a', 'free', 'b', 'runs')
      expect((await until('asking')).state).toMatchObject({
        kind: 'asking',
        name: 'a',
        there: 'file',
        more: 1,
      })
      // Nothing is written before the answer.
      expect(readdirSync(to).toSorted()).toEqual(['a', 'b', 'runs'])
      await answer('replace')
      expect((await until('asking')).state).toMatchObject({
        kind: 'asking',
        name: 'b',
        there: 'file',
        more: 0,
      })
      await answer('skip')
      expect((await until('asking')).state).toMatchObject({ name: 'runs', there: 'folder', more: 0 })
      await answer('keep-both')
      expect(await until('done')).toMatchObject({
        files: { done: 32, total: 32 },
        state: { verified: 'checksum', kept: 1, renamed: 1, skipped: 0 },
      })
      expect(readdirSync(to).toSorted()).toEqual(['a', 'b', 'free', 'runs', 'runs (2)'])
      expect([text(to, 'a'), text(to, 'b')]).toEqual(['new', 'old'])
      expect([text(to, 'runs', '7'), text(to, 'runs (2)', '7')]).toEqual(['old', 'new'])
    },
  )

  it.each(['upload', 'download'] as const)(
    'is compared with the new one by size and time before the %s, links by their targets',
    async (direction) => {
      const { begin, answer, until, from, to } = await ready(direction)
      writeFileSync(join(from, 'a'), 'newer')
      utimesSync(join(from, 'a'), 2_000, 2_000)
      writeFileSync(join(to, 'target'), 'old')
      utimesSync(join(to, 'target'), 1_000, 1_000)
      symlinkSync('target', join(to, 'a'))
      for (const folder of [from, to]) {
        mkdirSync(join(folder, 'runs'))
        utimesSync(join(folder, 'runs'), 3_000, 3_000)
      }
      await begin('a', 'runs')
      expect((await until('asking')).state).toMatchObject({
        existing: { size: 3, modifiedAt: 1_000 },
        copied: { size: 5, modifiedAt: 2_000 },
      })
      await answer('skip')
      const folder = { size: null, modifiedAt: 3_000 }
      expect((await until('asking')).state).toMatchObject({ existing: folder, copied: folder })
      await answer('skip')
      await until('done')
    },
  )

  it.each(['upload', 'download'] as const)(
    'is replaced by the %s, a folder completely',
    async (direction) => {
      const { begin, answer, until, to } = await both(direction)
      await begin('a', 'b', 'runs')
      expect((await until('asking')).state).toMatchObject({ name: 'a', more: 1 })
      await answer('replace', true)
      // The choice for all files does not apply to folders.
      expect((await until('asking')).state).toMatchObject({ name: 'runs', there: 'folder', more: 0 })
      expect(text(to, 'runs', '7')).toBe('old')
      await answer('replace')
      expect((await until('done')).state).toMatchObject({ verified: 'checksum', kept: 0, renamed: 0 })
      expect(readdirSync(to).toSorted()).toEqual(['a', 'b', 'runs'])
      expect([text(to, 'a'), text(to, 'b'), text(to, 'runs', '7')]).toEqual(['new', 'new', 'new'])
      expect(readdirSync(join(to, 'runs'))).toHaveLength(30)
    },
  )

  it.each(['upload', 'download'] as const)(
    'stays unchanged if the user skips it in the %s',
    async (direction) => {
      const { begin, answer, until, to } = await both(direction)
      await begin('a', 'b', 'runs')
      await answer('skip', true)
      await answer('skip')
      expect(await until('done')).toMatchObject({ files: { total: 0 }, state: { kept: 3, skipped: 0 } })
      expect(readdirSync(to).toSorted()).toEqual(['a', 'b', 'runs'])
      expect(text(to, 'a')).toBe('old')
    },
  )

  it.each(['upload', 'download'] as const)(
    'is replaced by a copy of another kind in the %s, also if it is a link',
    async (direction) => {
      const { begin, answer, until, from, to } = await ready(direction)
      writeFileSync(join(from, 'a'), 'new')
      mkdirSync(join(to, 'a'))
      mkdirSync(join(from, 'b'))
      writeFileSync(join(to, 'b'), 'old')
      const other = ownFolder()
      writeFileSync(join(other, 'kept'), 'theirs')
      writeFileSync(join(from, 'c'), 'new')
      symlinkSync(join(other, 'kept'), join(to, 'c'))
      await begin('a', 'b', 'c')
      for (let asked = 0; asked < 3; asked += 1) await answer('replace')
      await until('done')
      expect(readdirSync(to).toSorted()).toEqual(['a', 'b', 'c'])
      expect([text(to, 'a'), readdirSync(join(to, 'b')), text(to, 'c')]).toEqual(['new', [], 'new'])
      expect(text(other, 'kept')).toBe('new')
    },
  )

  it.each(['upload', 'download'] as const)(
    'is not replaced by the %s if it has become a folder',
    async (direction) => {
      const { begin, answer, call, line, clock, until, from, to } = await ready(direction)
      writeFileSync(join(from, 'b'), '')
      writeFileSync(join(from, 'a'), Buffer.alloc(8 * 1024 * 1024, 'n'))
      symlinkSync('/nowhere', join(to, 'a'))
      line.cutAfter(3 * 1024 * 1024)
      await begin('a', 'b')
      await answer('replace')
      await until('waiting')
      rmSync(join(to, 'a'))
      mkdirSync(join(to, 'a'))
      writeFileSync(join(to, 'a', 'theirs'), '')
      clock.advance(20)
      const over = async () => (await call['files.transfers']({})).at(-1)?.state.kind
      await expect.poll(over).toBe(direction === 'upload' ? 'failed' : 'done')
      expect(readdirSync(join(to, 'a'))).toEqual(['theirs'])
    },
  )
})

describeWith(['sshd'], 'the question about an existing file or folder', () => {
  it.runIf(process.platform === 'linux')('is not asked for a name in another case', async () => {
    const { begin, answer, until, from, to } = await ready('upload')
    for (const name of ['Makefile', 'makefile']) {
      writeFileSync(join(from, name), `new ${name}`)
      writeFileSync(join(to, name), 'old')
    }
    await begin('Makefile', 'makefile')
    await answer('replace')
    await answer('replace')
    await until('done')
    expect(readdirSync(to).toSorted()).toEqual(['Makefile', 'makefile'])
    expect([text(to, 'Makefile'), text(to, 'makefile')]).toEqual(['new Makefile', 'new makefile'])
  })

  it('is not answered by an answer to the previous question', async () => {
    const { begin, answer, call, until, to } = await both('upload')
    const begun = await begin('a', 'b')
    await answer('skip')
    await until('asking')
    await call['files.answer']({ transfer: begun?.id ?? '', name: 'a', choice: 'replace', forAll: false })
    expect((await until('asking')).state).toMatchObject({ name: 'b' })
    await answer('skip')
    await until('done')
    expect(text(to, 'b')).toBe('old')
  })

  it('ends without a change if the transfer is cancelled', async () => {
    const { begin, until, call, to } = await both('upload')
    const begun = await begin('a', 'runs')
    await until('asking')
    await call['files.cancel']({ transfer: begun?.id ?? '' })
    await until('cancelled')
    expect(readdirSync(to).toSorted()).toEqual(['a', 'b', 'runs'])
    expect(text(to, 'a')).toBe('old')
  })

  it('is asked once, even if the connection is lost', async () => {
    const { begin, answer, until, line, clock, to } = await both('upload')
    await begin('a', 'b')
    await answer('replace')
    await until('asking')
    line.cut()
    await answer('keep-both')
    await until('waiting')
    clock.advance(20)
    expect((await until('done')).state).toMatchObject({ renamed: 1, kept: 0 })
    expect(readdirSync(to).toSorted()).toEqual(['a', 'b', 'b (2)', 'runs'])
    expect([text(to, 'a'), text(to, 'b'), text(to, 'b (2)')]).toEqual(['new', 'old', 'new'])
  })
})
