import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { openDesktop } from '../../scripts/desktop-session.mjs'
import { output } from '../e2e/support/command'

const login = 'wheelhouse-tester'

/** An ordinary user of this computer, at their own desktop. */
export interface Person {
  readonly home: string
  /** A folder in the user's home that belongs to the user. */
  folder(path: string): string
  write(path: string, text: string): void
  /** Starts a program as the user; resolves with its exit code. */
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<number>
  leave(): Promise<void>
}

const idOf = async (kind: '-u' | '-g'): Promise<number> => Number(await output('id', kind, login))

/** Creates the user and opens the desktop, for the programs of this test too; only root can. */
export const enterPerson = async (): Promise<Person> => {
  if (spawnSync('id', [login]).status !== 0) await output('useradd', '--no-create-home', login)
  const user = { uid: await idOf('-u'), gid: await idOf('-g') }
  const desktop = await openDesktop(process.env, { user })
  Object.assign(process.env, desktop.env)
  const home = desktop.env.HOME ?? ''

  const own = (path: string): string => {
    chownSync(path, user.uid, user.gid)
    return path
  }
  const folder = (path: string): string => {
    mkdirSync(join(home, path), { recursive: true })
    return own(join(home, path))
  }
  return {
    home,
    folder,
    write(path, text) {
      writeFileSync(join(home, path), text)
      own(join(home, path))
    },
    run: (program, args, env = {}) =>
      new Promise((resolve, reject) => {
        const options = { ...user, cwd: home, env: { ...process.env, LOGNAME: login, ...env } }
        const child = spawn(program, args, { ...options, stdio: 'ignore' })
        child.once('error', reject)
        child.once('exit', (code) => resolve(code ?? -1))
      }),
    async leave() {
      await desktop.close()
      // Processes started by the bus notice its end a little later.
      await output('userdel', '--force', login)
    },
  }
}

/** Returns why this test cannot run here; undefined if it can. */
export const whyNoPerson = (): string | undefined =>
  userInfo().uid === 0 && existsSync('/usr/bin/apt-get') ? undefined : 'installing a deb needs root and apt'

/** Processes of a program, each with its arguments. */
export const processesOf = async (program: string): Promise<readonly { pid: number; args: string }[]> => {
  const listed = await output('ps', '-eo', 'pid=,args=')
  return [...listed.matchAll(/^\s*(\d+) (.*)$/gm)]
    .map(([, pid, args = '']) => ({ pid: Number(pid), args }))
    .filter(({ args }) => args.startsWith(program))
}

/** A line of /proc/PID/status. */
export const statusOf = (pid: number, name: string): string | undefined =>
  new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
