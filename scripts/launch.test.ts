import { describe, expect, it } from 'vitest'
import { electronEnvironment, noDisplay, sandboxArguments } from './launch.mjs'
import { isMissing, missingLibraries, notFound } from './system-libraries.mjs'

const ordinary = {
  platform: 'linux',
  root: false,
  setuidSandbox: false,
  userNamespaces: true,
  program: '/opt/electron/electron',
} as const

describe('starting Electron', () => {
  it('keeps the sandbox for an ordinary user', () => {
    expect(sandboxArguments(ordinary)).toEqual({ args: [] })
    expect(sandboxArguments({ ...ordinary, setuidSandbox: true, userNamespaces: false })).toEqual({
      args: [],
    })
    expect(sandboxArguments({ ...ordinary, platform: 'darwin' })).toEqual({ args: [] })
  })

  it('turns the sandbox off only for root, and warns', () => {
    expect(sandboxArguments({ ...ordinary, root: true })).toEqual({
      args: ['--no-sandbox'],
      warning: expect.stringContaining('root'),
    })
  })

  it('prints what to do if the system allows no sandbox, and never runs without it', () => {
    expect(sandboxArguments({ ...ordinary, userNamespaces: false })).toEqual({
      problem: expect.stringContaining("sudo chmod 4755 '/opt/electron/chrome-sandbox'"),
    })
  })

  it('removes variables of the surrounding editor that turn it into plain Node', () => {
    expect(electronEnvironment({ ELECTRON_RUN_AS_NODE: '1', PATH: '/bin' })).toEqual({ PATH: '/bin' })
  })
})

describe('a missing display', () => {
  it('is reported in one line on Linux', () => {
    expect(noDisplay({}, 'linux')).toMatch(/^Wheelhouse needs a display[^\n]*$/)
  })

  it('is not reported with X, with Wayland, or on systems that always have a display', () => {
    expect(noDisplay({ DISPLAY: ':0' }, 'linux')).toBeUndefined()
    expect(noDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBeUndefined()
    expect(noDisplay({}, 'darwin')).toBeUndefined()
  })
})

describe('missing libraries', () => {
  it('are named with one command that installs them', () => {
    const ldd =
      '\tlibnss3.so => not found\n\tlibasound.so.2 => not found\n\tlibc.so.6 => /lib/libc.so.6 (0x1)\n'
    expect(notFound(ldd)).toEqual(['libnss3.so', 'libasound.so.2'])
    const words = (hasRenamed: boolean) => missingLibraries(notFound(ldd), hasRenamed)?.split('\n')
    expect(words(false)).toEqual([
      'libnss3.so, libasound.so.2 are missing. Install what brings them:',
      '  apt-get install libnss3 libasound2',
    ])
    expect(words(true)?.[1]).toBe('  apt-get install libnss3 libasound2t64')
  })

  it('are named without a command if the package is unknown', () => {
    expect(missingLibraries(notFound('\tlibodd.so.7 => not found\n'))).toBe('libodd.so.7 is missing')
  })

  it('are not reported if every library was found', () => {
    expect(missingLibraries(notFound('\tlibc.so.6 => /lib/libc.so.6 (0x1)\n'))).toBeUndefined()
  })

  it('are found even if only a running Chromium opens them', () => {
    if (process.platform === 'linux') {
      expect(isMissing('libc.so.6')).toBe(false)
      expect(isMissing('libwheelhouse-none.so.1')).toBe(true)
    }
    expect(missingLibraries(['libX11-xcb.so.1'])).toContain('apt-get install libx11-xcb1')
  })
})
