import { readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { chromium, expect, type Page } from '@playwright/test'
import { output, run } from '../e2e/support/command'
import { press } from '../e2e/support/screen'
import { openTrayMenu } from '../e2e/support/tray'
import { type Person, processesOf, statusOf } from './person'

export const name = 'wheelhouse-test'
export const home = `/opt/${name}`
export const program = `${home}/${name}`
export const entry = `/usr/share/applications/${name}.desktop`

const root = join(import.meta.dirname, '../..')
const architecture = process.arch === 'arm64' ? 'arm64' : 'x64'

/** A package as left by scripts/linux-packages.mjs. */
export const packageFile = (version: string, format: string): string =>
  join(root, 'dist/test', `${name}-${version}-linux-${architecture}.${format}`)

/** Waits for another apt, which many systems start automatically. */
export const apt = (...args: readonly string[]): Promise<string> => {
  const settings = ['-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=120']
  return run('apt-get', ['-qq', '-y', '--no-install-recommends', ...settings, ...args], '', 240)
}

/** Files on the computer under the package's name. */
export const traces = async (): Promise<readonly string[]> => {
  const folders = ['/etc', '/opt', '/usr', '/var/lib', '/var/cache']
  return (await output('find', ...folders, '-name', `*${name}*`)).split('\n').filter(Boolean)
}

/** Returns the fuses of the program by name, as read by @electron/fuses. */
export const fuses = async (): Promise<Readonly<Record<string, string>>> => {
  const tool = join(root, 'node_modules/@electron/fuses/dist/bin.js')
  const said = await output(process.execPath, tool, 'read', '--app', program)
  return Object.fromEntries(
    [...stripVTControlCharacters(said).matchAll(/(\w+) is (Enabled|Disabled|Removed)/g)].map(
      ([, fuse = '', state = '']) => [fuse, state],
    ),
  )
}

interface Started {
  readonly window: Page
  quit(): Promise<void>
}

/** Drives the window of the program that `begin` starts with a port of its own choice. */
const driven = async (person: Person, begin: () => Promise<void>): Promise<Started> => {
  const portFile = join(person.home, '.config', name, 'DevToolsActivePort')
  rmSync(portFile, { force: true })
  await begin()

  let port = ''
  await expect
    .poll(() => {
      try {
        ;[port = ''] = readFileSync(portFile, 'utf8').split('\n')
      } catch {
        return '' // not written yet
      }
      return port
    })
    .toMatch(/^\d+$/)
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const [context] = browser.contexts()
  if (!context) throw new Error('the program has no window')
  const window = context.pages()[0] ?? (await context.waitForEvent('page'))
  await window.emulateMedia({ reducedMotion: 'reduce' })
  return {
    window,
    async quit() {
      await openTrayMenu()
      await press('End', 'Return')
      await expect.poll(() => processesOf(program), { message: 'processes that are left' }).toEqual([])
      await browser.close()
    },
  }
}

/**
 * Starts the program from its desktop entry, with a port to drive the window added to its line: a user's own entry
 * overrides the system's.
 */
export const startFromEntry = (
  person: Person,
  env: Readonly<Record<string, string>> = {},
): Promise<Started> => {
  const text = readFileSync(entry, 'utf8').replace(/^(Exec=\S+) /m, '$1 --remote-debugging-port=0 ')
  person.folder('.local/share/applications')
  person.write(`.local/share/applications/${name}.desktop`, text)
  return driven(person, async () => expect(await person.run('gtk-launch', [name], env)).toBe(0))
}

/** Starts the program by its name, as from a shell. */
export const startFromShell = (person: Person, args: readonly string[]): Promise<Started> =>
  driven(person, async () => void person.run(name, ['--remote-debugging-port=0', ...args]))

/** Returns whether each renderer process is sandboxed: seccomp, no new privileges, its own process namespace. */
export const expectSandboxed = async (): Promise<void> => {
  const processes = await processesOf(program)
  expect(processes.filter(({ args }) => args.includes('--no-sandbox'))).toEqual([])
  const [main] = processes.filter(({ args }) => !args.includes('--type='))
  const renderers = processes.filter(({ args }) => args.includes('--type=renderer'))
  expect(renderers.length).toBeGreaterThan(0)
  for (const { pid } of renderers) {
    expect([statusOf(pid, 'Seccomp'), statusOf(pid, 'NoNewPrivs')]).toEqual(['2', '1'])
    expect(readlinkSync(`/proc/${pid}/ns/pid`)).not.toBe(readlinkSync(`/proc/${main?.pid}/ns/pid`))
  }
}
