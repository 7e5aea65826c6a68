import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeProcessFolder, removeLeftFolders } from './process-folder'

it('folders of killed processes are removed, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-left-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { pid: gone } = spawnSync(process.execPath, ['--version'])
  const left = ['ssh', 'ask', 'terminal'].map((use) => `wheelhouse-${use}-${gone}-abcDE1`)
  for (const name of left) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 's'), '')
  }
  const kept = [
    `wheelhouse-ssh-${process.pid}-abcDE1`,
    `wheelhouse-ssh-${gone}`,
    `wheelhouse-other-${gone}-abcDE1`,
    'wheelhouse-ssh-abcDE1',
  ]
  for (const name of kept) mkdirSync(join(folder, name))
  symlinkSync(tmpdir(), join(folder, `wheelhouse-ssh-${gone}-linked`))
  await removeLeftFolders(folder)
  expect(readdirSync(folder).toSorted()).toEqual([...kept, `wheelhouse-ssh-${gone}-linked`].toSorted())
})

it('a folder of this process stays', async () => {
  const own = await makeProcessFolder('ssh')
  onTestFinished(() => rmSync(own, { recursive: true }))
  await removeLeftFolders()
  expect(existsSync(own)).toBe(true)
})

it('a temporary folder that cannot be listed is ignored', async () => {
  await expect(removeLeftFolders(join(tmpdir(), 'there is none'))).resolves.toBeUndefined()
})
