import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  account,
  copyDisk,
  openDisk,
  openedStore,
  privateInFixture,
  privateOf,
} from '../../../test/fixtures/disk-state'
import { plainText } from '../../../test/fixtures/private-documents'

/** What version 0.1.0 left on a computer that never had a keychain, with a copy in quarantine. */
async function diskWithoutKeychain() {
  const copy = await copyDisk()
  for (const name of ['wheelhouse.db', 'wheelhouse.db.key-id']) rmSync(join(copy.folder, name))
  writeFileSync(join(copy.folder, 'settings.damaged-1.json'), '{"notes":{"canary-copy"')
  copy.secrets.failing = 'keytar is not installed'
  return copy
}
const foundIn = (folder: string): readonly string[] => {
  const text = plainText(folder)
  return [...privateInFixture, 'canary-copy'].filter((part) => text.includes(part))
}
const titles = (notifications: readonly (readonly [string, unknown])[]) =>
  notifications.map(([title]) => title)
const notice = 'Unencrypted private data was removed'

it('what an older version wrote in plain text is erased where there never is a keychain, and lasts until the application is quit', async () => {
  const copy = await diskWithoutKeychain()
  const disk = await openDisk(copy)
  const before = await privateOf(disk)
  expect(foundIn(copy.folder)).not.toEqual([])
  await openedStore(disk)
  expect(foundIn(copy.folder)).toEqual([])
  expect(await privateOf(disk)).toEqual(before)
  expect(titles(disk.notifications)).toContain(notice)
  expect(await disk.calls['accounts.list']({})).toMatchObject({
    accounts: [{ label: 'Research' }, { label: 'ada @ gpu.example.com' }],
  })
  const quarantined = await disk.calls['store.quarantine']({})
  expect(quarantined.map(({ name, lasts }) => [name, lasts])).toEqual([
    ['settings.plain.json', false],
    ['settings.damaged-1.json', false],
  ])
  await disk.quit()

  const next = await openedStore(await openDisk(copy))
  expect(titles(next.notifications)).not.toContain(notice)
  expect((await next.calls['accounts.list']({})).accounts).toMatchObject([
    { id: account, label: '127.0.0.1:46879' },
    { label: 'gpu.example.com', username: null },
  ])
  expect((await privateOf(next))[0]?.notes).toEqual({})
  expect(foundIn(copy.folder)).toEqual([])
})

it('what was erased reaches the encrypted file where a keychain is there in the same run after all', async () => {
  const copy = await diskWithoutKeychain()
  const disk = await openedStore(await openDisk(copy))
  const before = await privateOf(disk)
  copy.secrets.failing = null
  await disk.calls['store.retry']({})
  expect(await privateOf(disk)).toEqual(before)
  await disk.quit()
  const next = await openedStore(await openDisk(copy))
  const [mine] = await privateOf(next)
  expect(mine?.notes).toEqual(before[0]?.notes)
  expect(mine?.volumes).toEqual(before[0]?.volumes)
  expect((await next.calls['accounts.list']({})).accounts[0]?.label).toBe('Research')
  expect((await next.calls['store.quarantine']({})).map(({ name, lasts }) => [name, lasts])).toEqual([
    ['settings.damaged-1.json', true],
    ['settings.plain.json', true],
  ])
  expect(foundIn(copy.folder)).toEqual([])
})

it('what an older version wrote waits where a keychain was there before', async () => {
  const copy = await copyDisk()
  copy.secrets.failing = 'keytar is not installed'
  const disk = await openedStore(await openDisk(copy))
  expect(disk.modules.store.state().kind).toBe('no-keychain')
  expect(foundIn(copy.folder)).not.toEqual([])
  expect(titles(disk.notifications)).not.toContain(notice)
})
