import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { generateKey } from '../../src/main/ssh/keys/generate-key'
import { openKnownHosts } from '../../src/main/ssh/client/known-hosts'
import { openSettings } from '../../src/main/store/settings'
import { whyMissing } from '../fixtures/requirement-checks'
import { smallDisk, whyNoSmallDisk } from '../fixtures/small-disk'

const full = { failure: { kind: 'disk-full' } }
const blob = 'A'.repeat(6_000)

/** Fills the disk. */
const fill = (folder: string): void => {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, 'ballast'), Buffer.alloc(bavail * bsize))
}

const reason = whyNoSmallDisk()
describe.skipIf(reason)(`on a disk that is full${reason ? ` (skipped: ${reason})` : ''}`, () => {
  it('settings report it, keep their content, and are written once there is space', async () => {
    const folder = smallDisk('1m')
    const section = openSettings(folder).section('a', z.object({ text: z.string().default('') }))
    await section.change(() => ({ text: 'before' }))
    fill(folder)
    await expect(section.change(() => ({ text: 'x'.repeat(9_000) }))).rejects.toMatchObject(full)
    expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toContain('before')
    expect(readdirSync(folder).toSorted()).toEqual(['ballast', 'settings.json'])
    rmSync(join(folder, 'ballast'))
    await section.change((value) => value)
    expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toContain('xxx')
  })

  it('known hosts report it, and contain no partial line', async () => {
    const folder = smallDisk('1m')
    const path = join(folder, 'known_hosts')
    const hosts = openKnownHosts(path)
    await hosts.add('one', { type: 'ssh-ed25519', blob })
    const before = readFileSync(path, 'utf8')
    fill(folder)
    await expect(hosts.add('two', { type: 'ssh-ed25519', blob })).rejects.toMatchObject(full)
    expect(readFileSync(path, 'utf8')).toBe(before)
    rmSync(join(folder, 'ballast'))
    await hosts.add('two', { type: 'ssh-ed25519', blob })
    await expect(hosts.keys('two')).resolves.toHaveLength(1)
    await hosts.close()
  })
})

const noKeys = [reason, whyMissing(['ssh'])].filter((one) => one !== undefined).join('; ')
describe.skipIf(noKeys)(`on a disk that is full${noKeys ? ` (skipped: ${noKeys})` : ''}`, () => {
  it('a new key reports it, and leaves no partial file', async () => {
    const home = smallDisk('1m')
    const place = { home, platform: process.platform, env: process.env }
    await generateKey(place, 'first', '')
    fill(home)
    await expect(generateKey(place, 'second', '')).rejects.toMatchObject(full)
    expect(['second', 'second.pub'].filter((name) => existsSync(join(home, '.ssh', name)))).toEqual([])
    expect(existsSync(join(home, '.ssh', 'first'))).toBe(true)
  })
})
