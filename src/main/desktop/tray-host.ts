import { execFile } from 'node:child_process'

const bus = 'org.freedesktop.DBus'
const watcher = 'org.kde.StatusNotifierWatcher'

interface BusCall {
  readonly to: string
  readonly path: string
  readonly method: string
  readonly args: readonly string[]
}

const programs: readonly ((call: BusCall) => readonly [string, readonly string[]])[] = [
  ({ to, path, method, args }) => [
    'gdbus',
    ['call', '--session', '--dest', to, '--object-path', path, '--method', method, ...args],
  ],
  ({ to, path, method, args }) => [
    'dbus-send',
    ['--session', '--print-reply', `--dest=${to}`, path, method, ...args.map((text) => `string:${text}`)],
  ],
]

const busTimeoutMs = 5000

const run = (program: string, args: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: busTimeoutMs }, (error, output) => resolve(error ? undefined : output))
  })

async function ask(call: BusCall): Promise<string | undefined> {
  for (const program of programs) {
    const answer = await run(...program(call))
    if (answer !== undefined) return answer
  }
  return undefined
}

const askBus = (method: string, ...args: readonly string[]): Promise<string | undefined> =>
  ask({ to: bus, path: '/org/freedesktop/DBus', method: `${bus}.${method}`, args })

/**
 * Whether this desktop shows tray icons. macOS and Windows always do; Linux does if a program watches status notifiers.
 * If that cannot be determined the answer is no: quitting is better than running invisibly.
 */
export async function hasTrayHost(platform: NodeJS.Platform): Promise<boolean> {
  if (platform !== 'linux') return true
  return /\btrue\b/.test((await askBus('NameHasOwner', watcher)) ?? '')
}

export interface TrayItemAddress {
  readonly bus: string
  /** Object path of the item; the specification's default if only a name was registered. */
  readonly path: string
}

/**
 * Parses the tray icons in a watcher's answer. Electron 42 and older register `:1.36/StatusNotifierItem`; 43 and newer
 * `org.freedesktop.StatusNotifierItem-PID-1`, with or without a path. Some watchers put `@` before the path. Pure.
 */
export const trayItemsIn = (answer: string): readonly TrayItemAddress[] =>
  [...answer.matchAll(/["']((?:org\.|:)[^"'@/]+)@?(\/[^"']*)?["']/g)].map(([, name = '', path]) => ({
    bus: name,
    path: path ?? '/StatusNotifierItem',
  }))

/**
 * Whether the tray shows an icon of process `pid`. An icon that a watcher refuses disappears without an event
 * (electron#53213).
 */
export async function isInTray(platform: NodeJS.Platform, pid: number): Promise<boolean> {
  if (platform !== 'linux') return true
  const answer = await ask({
    to: watcher,
    path: '/StatusNotifierWatcher',
    method: `${bus}.Properties.Get`,
    args: [watcher, 'RegisteredStatusNotifierItems'],
  })
  const names = new Set(trayItemsIn(answer ?? '').map((item) => item.bus))
  const owners = await Promise.all([...names].map((name) => askBus('GetConnectionUnixProcessID', name)))
  return owners.some((owner) => new RegExp(`\\buint32 ${String(pid)}\\b`).test(owner ?? ''))
}
