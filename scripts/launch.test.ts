import { describe, expect, it } from 'vitest'
import { electronEnvironment, noDisplay, sandboxArguments } from './launch.mjs'
import { missingLibraries } from './system-libraries.mjs'

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

  it('switches it off for root alone, and warns', () => {
    expect(sandboxArguments({ ...ordinary, root: true })).toEqual({
      args: ['--no-sandbox'],
      warning: expect.stringContaining('root'),
    })
  })

  it('says what to do where the system allows no sandbox, rather than go without', () => {
    expect(sandboxArguments({ ...ordinary, userNamespaces: false })).toEqual({
      problem: expect.stringContaining("sudo chmod 4755 '/opt/electron/chrome-sandbox'"),
    })
  })

  it('never lets a variable of the surrounding editor turn it into plain Node', () => {
    expect(electronEnvironment({ ELECTRON_RUN_AS_NODE: '1', PATH: '/bin' })).toEqual({ PATH: '/bin' })
  })
})

describe('a missing display', () => {
  it('is said in one line on Linux', () => {
    expect(noDisplay({}, 'linux')).toMatch(/^Wheelhouse needs a display[^\n]*$/)
  })

  it('is none with X, with Wayland, and on systems that always have one', () => {
    expect(noDisplay({ DISPLAY: ':0' }, 'linux')).toBeUndefined()
    expect(noDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBeUndefined()
    expect(noDisplay({}, 'darwin')).toBeUndefined()
  })
})

describe('missing libraries', () => {
  it('are named with the packages that bring them', () => {
    const ldd = '\tlibnss3.so => not found\n\tlibgbm.so.1 => not found\n\tlibc.so.6 => /lib/libc.so.6 (0x1)\n'
    expect(missingLibraries(ldd)).toBe('libnss3.so, libgbm.so.1 are missing, apt-get install libnss3 libgbm1')
  })

  it('are named alone where the package is not known', () => {
    expect(missingLibraries('\tlibodd.so.7 => not found\n')).toBe('libodd.so.7 is missing')
  })

  it('are none where every library was found', () => {
    expect(missingLibraries('\tlibc.so.6 => /lib/libc.so.6 (0x1)\n')).toBeUndefined()
  })
})
