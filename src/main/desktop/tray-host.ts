import { execFile } from 'node:child_process'
import type { Clock } from '../core/clock'

const bus = 'org.freedesktop.DBus'
const watcher = 'org.kde.StatusNotifierWatcher'

interface BusCall {
  readonly to: string
  readonly path: string
  readonly method: string
  readonly args: readonly string[]
}

/** The programs that can ask the session bus, in their own ways to say it. */
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

const run = (program: string, args: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: 5000 }, (error, answer) => resolve(error ? undefined : answer))
  })

/** What the session bus answers, as text; undefined where it cannot be asked or refuses. */
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
 * Whether this desktop shows tray icons. macOS and Windows always do; a Linux desktop does where some program watches
 * for status notifiers. Where that cannot be asked the answer is no: better to quit than to run unseen.
 */
export async function hasTrayHost(platform: NodeJS.Platform): Promise<boolean> {
  if (platform !== 'linux') return true
  return /\btrue\b/.test((await askBus('NameHasOwner', watcher)) ?? '')
}

export interface TrayItemAddress {
  readonly bus: string
  /** The object of the item; the specification's own where only a name was registered. */
  readonly path: string
}

/**
 * The tray icons in a watcher's answer. Until Electron 42 one is registered as `:1.36/StatusNotifierItem`, since 43 as
 * `org.freedesktop.StatusNotifierItem-PID-1`, with or without a path; some watchers put `@` between name and path. Pure.
 */
export const trayItemsIn = (answer: string): readonly TrayItemAddress[] =>
  [...answer.matchAll(/["']((?:org\.|:)[^"'@/]+)@?(\/[^"']*)?["']/g)].map(([, name = '', path]) => ({
    bus: name,
    path: path ?? '/StatusNotifierItem',
  }))

/**
 * Whether the tray shows an icon of the process `pid`. An icon that a watcher refuses is gone for good, without a word
 * to the application (electron#53213).
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

/** Seconds in which a desktop takes in an icon that was shown. */
const takenIn = 2

/**
 * Answers whether the application can be reached in the tray. `shown`: whether an icon was shown at all; a window may be
 * closed before that, and before the desktop has taken the icon in.
 */
export function createStaysInTray(
  shown: Promise<boolean>,
  isThere: () => Promise<boolean>,
  after: Clock['after'],
): () => Promise<boolean> {
  const settled = shown.then((isShown) =>
    isShown ? new Promise<void>((resolve) => after(takenIn, resolve)) : undefined,
  )
  return async () => {
    if (!(await shown)) return false
    if (await isThere()) return true
    await settled
    return isThere()
  }
}
