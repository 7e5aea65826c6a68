import { execFile } from 'node:child_process'

/** The programs that can ask the session bus whether a name is owned; each answers with the word true or false. */
const questions: readonly (readonly [string, readonly string[]])[] = [
  [
    'gdbus',
    [
      ...['call', '--session', '--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus'],
      ...['--method', 'org.freedesktop.DBus.NameHasOwner', 'org.kde.StatusNotifierWatcher'],
    ],
  ],
  [
    'dbus-send',
    [
      ...['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus'],
      ...['org.freedesktop.DBus.NameHasOwner', 'string:org.kde.StatusNotifierWatcher'],
    ],
  ],
]

const ask = (program: string, args: readonly string[]): Promise<boolean | undefined> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: 2000 }, (error, answer) =>
      resolve(error ? undefined : /\btrue\b/.test(answer)),
    )
  })

/**
 * Whether this desktop shows tray icons. macOS and Windows always do; a Linux desktop does where some program watches
 * for status notifiers. Where that cannot be asked the answer is no: better to quit than to run unseen.
 */
export async function hasTrayHost(platform: NodeJS.Platform): Promise<boolean> {
  if (platform !== 'linux') return true
  for (const [program, args] of questions) {
    const answer = await ask(program, args)
    if (answer !== undefined) return answer
  }
  return false
}
