import { expect, it } from 'vitest'
import { terminalEnvironment } from './environment'

it('a terminal gets the desktop’s environment without the application’s variables', () => {
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

it('a terminal gets the user’s desktop, not Electron’s override', () => {
  expect(terminalEnvironment({ XDG_CURRENT_DESKTOP: 'Unity', ORIGINAL_XDG_CURRENT_DESKTOP: 'XFCE' })).toEqual(
    { XDG_CURRENT_DESKTOP: 'XFCE' },
  )
})

it('a terminal’s search lists do not contain the folder of an AppImage', () => {
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
