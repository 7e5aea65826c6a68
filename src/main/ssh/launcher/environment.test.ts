import { expect, it } from 'vitest'
import { terminalEnvironment } from './environment'

it('hands the desktop on to the terminal, and nothing of the application', () => {
  const cleaned = terminalEnvironment({
    HOME: '/home/jane',
    PATH: '/usr/bin',
    DISPLAY: ':0',
    SSH_AUTH_SOCK: '/run/agent',
    LANG: 'de_DE.UTF-8',
    EMPTY: '',
    ELECTRON_RUN_AS_NODE: '1',
    WHEELHOUSE_SECRET: 'x',
    NODE_OPTIONS: '--inspect',
    npm_config__auth: 'x',
    INIT_CWD: '/src',
    CHROME_DESKTOP: 'wheelhouse.desktop',
  })
  expect(cleaned).toEqual({
    HOME: '/home/jane',
    PATH: '/usr/bin',
    DISPLAY: ':0',
    SSH_AUTH_SOCK: '/run/agent',
    LANG: 'de_DE.UTF-8',
    EMPTY: '',
  })
})

it('names the desktop that the person uses, not the one that Electron shows Chromium', () => {
  expect(terminalEnvironment({ XDG_CURRENT_DESKTOP: 'Unity', ORIGINAL_XDG_CURRENT_DESKTOP: 'XFCE' })).toEqual(
    { XDG_CURRENT_DESKTOP: 'XFCE' },
  )
})

it('takes the folder of an AppImage out of the search lists', () => {
  expect(
    terminalEnvironment({
      APPDIR: '/tmp/.mount_x',
      APPIMAGE: '/home/jane/Wheelhouse.AppImage',
      PATH: '/tmp/.mount_x/usr/bin:/usr/bin:/tmp/.mount_xyz/bin',
      LD_LIBRARY_PATH: '/tmp/.mount_x/usr/lib',
      XDG_DATA_DIRS: '/tmp/.mount_x/usr/share:/usr/share',
    }),
  ).toEqual({ PATH: '/usr/bin:/tmp/.mount_xyz/bin', XDG_DATA_DIRS: '/usr/share' })
})
