import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { trayIconFile } from './tray-icon'

it('the tray icon shows the exact number of machines, or none if no icon has it', () => {
  expect([0, 1, 9, 10, 30, 31, 400].map(trayIconFile)).toEqual([
    'tray.png',
    'tray-1.png',
    'tray-9.png',
    'tray-10.png',
    'tray-30.png',
    'tray.png',
    'tray.png',
  ])
})

it.each(['tray', 'tray/windows'])('each number has an icon in build/%s', (folder) => {
  const build = join(import.meta.dirname, '../../../build', folder)
  for (let running = 0; running <= 31; running += 1)
    expect(existsSync(join(build, trayIconFile(running))), trayIconFile(running)).toBe(true)
})
