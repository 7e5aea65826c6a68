import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { missingInAny, openDesktop } from './desktop-session.mjs'

it('a desktop opens without missing programs, names them, and leaves nothing behind', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'wheelhouse-no-programs-'))
  onTestFinished(() => rmSync(empty, { recursive: true }))
  const { env, missing, close } = await openDesktop({ PATH: empty, HOME: empty })
  expect(env.DISPLAY).toBeUndefined()
  expect(missing).toEqual([
    'display (xvfb)',
    'D-Bus session (dbus-x11)',
    'keyring (gnome-keyring)',
    'tray (xfce4-panel)',
  ])
  const home = env.HOME ?? ''
  expect(existsSync(home)).toBe(true)
  await close()
  expect(existsSync(home)).toBe(false)
  expect(readdirSync(empty)).toEqual([])
})

it('a program missing in any of several desktops is named once', () => {
  const desktops = [{ missing: ['tray'] }, { missing: [] }, { missing: ['keyring', 'tray'] }]
  expect(missingInAny(desktops)).toEqual(['tray', 'keyring'])
})
