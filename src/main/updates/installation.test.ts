import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { appImageOf, updatesOff } from './installation'

/** Creates a folder with a program and its resources, as after an installation. */
function installed(files: readonly string[] = ['resources/app-update.yml']) {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-installed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'resources'))
  for (const file of files) writeFileSync(join(folder, file), '')
  return {
    platform: 'linux',
    env: { APPIMAGE: '/home/anna/Wheelhouse.AppImage', APPDIR: folder },
    isPackaged: true,
    name: 'Wheelhouse',
    program: join(folder, 'wheelhouse'),
    resources: join(folder, 'resources'),
  } as const
}

it('an AppImage replaces itself', () => {
  expect(updatesOff(installed())).toBeNull()
  expect(appImageOf(installed())).toBe('/home/anna/Wheelhouse.AppImage')
})

it('a deb, an rpm or a tar.gz does not replace itself, even from a terminal in an AppImage', () => {
  expect(updatesOff({ ...installed(), env: {} })).toBe('package')
  const env = { APPIMAGE: '/home/anna/Terminal.AppImage', APPDIR: '/tmp/.mount_Terminal' }
  expect(updatesOff({ ...installed(), env })).toBe('package')
  const beside = { ...installed(), program: `${installed().env.APPDIR}-other/wheelhouse` }
  expect(updatesOff(beside)).toBe('package')
})

it('neither a checkout nor a test build replaces itself', () => {
  expect(updatesOff({ ...installed(), isPackaged: false })).toBe('checkout')
  expect(updatesOff({ ...installed(), name: 'wheelhouse-test' })).toBe('test-build')
})

it('a build without a feed does not check for updates', () => {
  expect(updatesOff(installed([]))).toBe('no-feed')
})

it('on Windows the installed program replaces itself, an unpacked zip does not', () => {
  const files = ['resources/app-update.yml', 'Uninstall Wheelhouse.exe']
  const windows = (made: ReturnType<typeof installed>) =>
    updatesOff({ ...made, platform: 'win32', env: {}, program: join(made.resources, '..', 'Wheelhouse.exe') })
  expect(windows(installed(files))).toBeNull()
  expect(windows(installed())).toBe('package')
})

it('on macOS the application replaces itself unless it was started from its disk image', () => {
  const mac = (program: string) => updatesOff({ ...installed(), platform: 'darwin', env: {}, program })
  expect(mac('/Applications/Wheelhouse.app/Contents/MacOS/Wheelhouse')).toBeNull()
  expect(mac('/Volumes/Wheelhouse/Wheelhouse.app/Contents/MacOS/Wheelhouse')).toBe('package')
})
