import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesHarness, ownFolder } from '../../../test/fixtures/files-harness'
import { describeWith } from '../../../test/fixtures/system-requirements'
import { sshdTarget } from '../../../test/fixtures/tunnels-harness'
import { openSettings } from '../store/settings'

describeWith(['sshd'], 'a transfer that failed', () => {
  it.each(['upload', 'download'] as const)(
    'is listed after a restart, and can be retried: %s',
    async (direction) => {
      const { target } = await sshdTarget()
      const folder = ownFolder()
      const [from, to] = [ownFolder(), ownFolder()]
      writeFileSync(join(from, 'model'), 'model')
      const start = () => {
        const settings = openSettings(folder)
        const harness = filesHarness(target, { documents: settings })
        const list = async () => harness.call['files.transfers']({})
        const quit = async () => {
          await harness.files.close()
          await settings.flushed()
        }
        return { ...harness, list, quit }
      }
      const first = start()
      first.pick(join(to, 'model'))
      await first.look()
      rmSync(to, { recursive: true })
      await (direction === 'upload' ? first.upload(to, join(from, 'model')) : first.download(from, 'model'))
      await expect.poll(async () => (await first.list())[0]?.state.kind).toBe('failed')
      await first.quit()

      const second = start()
      const [failed] = await second.list()
      expect(failed).toMatchObject({ name: 'model', direction, state: { kind: 'failed' } })
      mkdirSync(to)
      await second.call['files.resume']({ transfer: failed?.id ?? '' })
      await second.until('done')
      expect(readFileSync(join(to, 'model'), 'utf8')).toBe('model')
      await second.quit()

      const third = start()
      expect(await third.list()).toEqual([])
    },
  )

  it('is not restored after a restart if the user dismissed it', async () => {
    const { target } = await sshdTarget()
    const folder = ownFolder()
    const settings = openSettings(folder)
    const harness = filesHarness(target, { documents: settings })
    await harness.look()
    await harness.upload(join(ownFolder(), 'missing'), join(ownFolder(), 'missing'))
    const list = async () => harness.call['files.transfers']({})
    await expect.poll(async () => (await list())[0]?.state.kind).toBe('failed')
    await harness.call['files.dismiss']({ transfer: (await list())[0]?.id ?? '' })
    await settings.flushed()
    expect(
      await filesHarness(target, { documents: openSettings(folder) }).call['files.transfers']({}),
    ).toEqual([])
  })
})
