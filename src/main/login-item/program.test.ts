import { describe, expect, it } from 'vitest'
import { loginProgram } from './program'

const executable = '/tmp/.mount_wheelA1/wheelhouse'

describe('the program that opens at login', () => {
  it('is this executable, hidden, with the switches of this start', () => {
    expect(
      loginProgram({
        executable: '/opt/Wheelhouse/wheelhouse',
        env: {},
        folder: null,
        switches: ['--no-sandbox'],
      }),
    ).toEqual({ file: '/opt/Wheelhouse/wheelhouse', args: ['--no-sandbox', '--hidden'] })
  })

  it('is the file of an AppImage and not its temporary mount', () => {
    const env = { APPIMAGE: '/home/me/Wheelhouse.AppImage', APPDIR: '/tmp/.mount_wheelA1' }
    expect(loginProgram({ executable, env, folder: null, switches: [] }).file).toBe(env.APPIMAGE)
  })

  it('is not the AppImage of another program that started this one', () => {
    const env = { APPIMAGE: '/home/me/Terminal.AppImage', APPDIR: '/tmp/.mount_termB2' }
    expect(loginProgram({ executable, env, folder: null, switches: [] }).file).toBe(executable)
  })

  it('receives the folder of a checkout first', () => {
    expect(loginProgram({ executable, env: {}, folder: '/src', switches: [] }).args).toEqual([
      '/src',
      '--hidden',
    ])
  })
})
