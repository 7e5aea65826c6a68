// Opens a separate desktop for one command, on Linux: display, window manager, panel with a tray, D-Bus
// session and an unlocked keyring, in its own folders, all removed at the end.
// node scripts/desktop-session.mjs [--wayland] -- npm start
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { collect, runHere, watchForStop } from './processes.mjs'
import { cacheFolder } from './registry-runtime.mjs'

const screen = '1680x1050x24'
/** Protects nothing: the keyring lives as long as the session. */
const keyringPassword = 'wheelhouse'
const readyWithin = 20_000

const panelSettings = `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="30"/>
      <property name="icon-size" type="uint" value="22"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/><value type="int" value="2"/><value type="int" value="3"/>
      </property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="tasklist"/>
    <property name="plugin-2" type="string" value="separator"><property name="expand" type="bool" value="true"/><property name="style" type="uint" value="0"/></property>
    <property name="plugin-3" type="string" value="systray">
      <property name="square-icons" type="bool" value="true"/>
      <property name="single-row" type="bool" value="true"/>
      <property name="hide-new-items" type="bool" value="false"/>
    </property>
  </property>
</channel>
`

/** A bus that also accepts root, who opened it: by default a bus accepts only its own user. */
const openToRoot = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <include>/usr/share/dbus-1/session.conf</include>
  <policy context="default"><allow user="root"/></policy>
</busconfig>
`

/**
 * @param {string} name a name on the session bus
 * @param {NodeJS.ProcessEnv} env
 */
const busNameOwned = async (name, env) => {
  const bus = 'org.freedesktop.DBus'
  const args = ['--session', '--print-reply', `--dest=${bus}`, '/org/freedesktop/DBus', `${bus}.NameHasOwner`]
  const { out } = await collect('dbus-send', [...args, `string:${name}`], { env, seconds: 5 })
  return out.includes('boolean true')
}

/**
 * Creates the folders of a desktop, all under one.
 *
 * @param {string} root
 */
const makeFolders = (root) => {
  const folders = {
    HOME: join(root, 'home'),
    XDG_CONFIG_HOME: join(root, 'home/.config'),
    XDG_DATA_HOME: join(root, 'home/.local/share'),
    XDG_STATE_HOME: join(root, 'home/.local/state'),
    XDG_CACHE_HOME: join(root, 'home/.cache'),
    XDG_RUNTIME_DIR: join(root, 'run'),
  }
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folders.XDG_RUNTIME_DIR, 0o700)
  // xterm's default is a bitmap font that is unreadable in pictures.
  writeFileSync(join(folders.HOME, '.Xdefaults'), 'XTerm*faceName: DejaVu Sans Mono\nXTerm*faceSize: 11\n')
  const panel = join(folders.XDG_CONFIG_HOME, 'xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml')
  mkdirSync(dirname(panel), { recursive: true })
  writeFileSync(panel, panelSettings)
  return folders
}

/**
 * @param {import('node:stream').Readable} stream
 * @returns {Promise<string | undefined>} its first line; undefined if none came in time
 */
const firstLine = async (stream) => {
  const line = once(createInterface(stream), 'line').then(([text]) => String(text))
  return Promise.race([line, delay(readyWithin, undefined, { ref: false })])
}

/** @param {() => Promise<boolean>} ready */
const until = async (ready) => {
  const deadline = Date.now() + readyWithin
  while (Date.now() < deadline) {
    if (await ready()) return true
    await delay(100)
  }
  return false
}

/**
 * Ends process groups, the newest first.
 *
 * @param {import('node:child_process').ChildProcess[]} children
 */
const endAll = async (children) => {
  for (const child of children.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) continue
    const ended = once(child, 'exit')
    // The whole group, so that child processes end too.
    process.kill(-child.pid, 'SIGTERM')
    if (await Promise.race([ended.then(() => false), delay(3_000, true, { ref: false })])) {
      process.kill(-child.pid, 'SIGKILL')
      await ended
    }
  }
}

/** @typedef {{ uid: number, gid: number }} User */

/**
 * Opens a desktop. Missing programs are left out and named in `missing`; an existing display is used only
 * without Xvfb.
 *
 * @param {NodeJS.ProcessEnv} [outer] the environment it is started from
 * @param {{ wayland?: boolean, user?: User }} [options] `wayland`: with a headless compositor for the
 * windows; `user`: the desktop's user, if root opens it for another user
 * @returns {Promise<{ env: NodeJS.ProcessEnv, missing: readonly string[], close: () => Promise<void> }>}
 */
export const openDesktop = async (outer = process.env, { wayland = false, user } = {}) => {
  const root = mkdtempSync(join(tmpdir(), 'wheelhouse-desktop-'))
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = []
  /** @type {string[]} */
  const missing = []
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...outer,
    ...makeFolders(root),
    // Shares the user's downloads.
    WHEELHOUSE_CACHE: cacheFolder(outer),
    // Tests lock and unlock the keyring. The variable shows that it does not belong to a user.
    WHEELHOUSE_KEYRING_PASSWORD: keyringPassword,
    XDG_SESSION_TYPE: 'x11',
    XDG_CURRENT_DESKTOP: 'XFCE',
    GTK_A11Y: 'none',
    NO_AT_BRIDGE: '1',
  }
  const busSettings = join(root, 'bus.conf')
  if (user) {
    writeFileSync(busSettings, openToRoot)
    execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, root])
  }
  for (const name of [
    'WAYLAND_DISPLAY',
    'DBUS_SESSION_BUS_ADDRESS',
    'GNOME_KEYRING_CONTROL',
    'SSH_AUTH_SOCK',
  ]) {
    delete env[name]
  }

  const close = async () => {
    await endAll(children)
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }

  /**
   * Starts a part in its own process group. Returns false if the program is not installed.
   *
   * @param {string} program
   * @param {readonly string[]} args
   * @param {import('node:child_process').StdioOptions} [stdio]
   */
  const start = async (program, args, stdio = ['ignore', 'ignore', 'ignore']) => {
    const child = spawn(program, args, { env, stdio, detached: true, ...user })
    const started = await once(child, 'spawn').then(
      () => true,
      () => false,
    )
    if (!started) return undefined
    children.push(child)
    return child
  }

  try {
    const xvfb = await start(
      'Xvfb',
      ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp', '-noreset'],
      ['ignore', 'ignore', 'ignore', 'pipe'],
    )
    const number =
      xvfb?.stdio[3] && (await firstLine(/** @type {import('node:stream').Readable} */ (xvfb.stdio[3])))
    if (number) env.DISPLAY = `:${number}`
    else missing.push(outer.DISPLAY ? 'a display of its own (xvfb)' : 'display (xvfb)')

    const bus = await start(
      'dbus-daemon',
      [
        user ? `--config-file=${busSettings}` : '--session',
        '--nofork',
        '--nopidfile',
        '--print-address=1',
        `--address=unix:path=${env.XDG_RUNTIME_DIR}/bus`,
      ],
      ['ignore', 'pipe', 'ignore'],
    )
    const address = bus?.stdout ? await firstLine(bus.stdout) : undefined
    if (address) env.DBUS_SESSION_BUS_ADDRESS = address
    else missing.push('D-Bus session (dbus-x11)')

    const keyring =
      address &&
      (await start(
        'gnome-keyring-daemon',
        ['--unlock', '--foreground', '--components=secrets'],
        ['pipe', 'ignore', 'ignore'],
      ))
    if (keyring) keyring.stdin?.end(keyringPassword)
    if (!keyring || !(await until(() => busNameOwned('org.freedesktop.secrets', env)))) {
      missing.push('keyring (gnome-keyring)')
    }

    if (env.DISPLAY && !(await start('openbox', ['--sm-disable']))) missing.push('window manager (openbox)')
    const panel =
      address && env.DISPLAY && (await start('xfce4-panel', ['--disable-wm-check', '--sm-client-disable']))
    if (!panel || !(await until(() => busNameOwned('org.kde.StatusNotifierWatcher', env)))) {
      missing.push('tray (xfce4-panel)')
    }
    if (wayland) {
      // Windows open in the compositor; the panel with its tray stays on the display. Without a seat, no
      // window ever has the focus.
      const name = 'wheelhouse-0'
      const socket = join(String(env.XDG_RUNTIME_DIR), name)
      const size = screen.split('x').map(Number)
      const compositor = await start('weston', [
        '--backend=headless-backend.so',
        `--socket=${name}`,
        '--no-config',
        '--idle-time=0',
        `--width=${size[0]}`,
        `--height=${size[1]}`,
      ])
      if (compositor && (await until(async () => existsSync(socket)))) {
        env.WAYLAND_DISPLAY = name
        env.XDG_SESSION_TYPE = 'wayland'
        env.WHEELHOUSE_WAYLAND = '1'
      } else missing.push('Wayland (weston)')
    }
    return { env, missing, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Returns the missing programs of all desktops, each once.
 *
 * @param {readonly { missing: readonly string[] }[]} desktops
 */
export const missingInAny = (desktops) => [...new Set(desktops.flatMap(({ missing }) => missing))]

const main = async () => {
  const given = process.argv.slice(2)
  const wayland = given[0] === '--wayland'
  const [separator, program, ...args] = wayland ? given.slice(1) : given
  if (separator !== '--' || !program) {
    console.error('Usage: node scripts/desktop-session.mjs [--wayland] -- COMMAND [ARGUMENT…]')
    return 2
  }
  if (process.platform !== 'linux') {
    console.error('A desktop session of its own is for Linux; here, run the command itself.')
    return 2
  }
  const stopAsked = watchForStop()
  const desktop = await openDesktop(process.env, { wayland })
  for (const part of desktop.missing) console.error(`desktop session: without ${part}`)
  try {
    if (wayland && desktop.env.WHEELHOUSE_WAYLAND !== '1') {
      console.error('desktop session: no Wayland, apt-get install weston')
      return 1
    }
    return stopAsked() ? 1 : await runHere(program, args, { env: desktop.env })
  } finally {
    await desktop.close()
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = await main()
