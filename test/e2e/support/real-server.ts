import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { removeFolder } from '../../fixtures/remove-folder'
import { makeKey, startSshd, temporaryFolder } from '../../fixtures/sshd'
import { askBridge, selectedAccount } from './bridge'
import { endSearch, occurrences, typeLine } from './terminal'
import { machineNames, openMachine, openPage } from './window'

/** The sandbox machine that represents the server. */
export const machine = 'train-llama-01'
const inList = async (window: Page) => {
  await openPage(window, 'Machines')
  await machineNames(window)
  const account = await selectedAccount(window)
  const { machines } = await askBridge(window, 'fleet.snapshot', { account })
  const found = machines.find(({ name }) => name === machine)
  if (!found?.address?.startsWith('127.')) throw new Error(`${machine} is not on loopback`)
  return { account, machine: found.id, address: found.address }
}
/** Address of the machine: on loopback, its own if the system has many. */
export const serverAddress = async (window: Page): Promise<string> => (await inList(window)).address
/** Redirects the machine to a port of another server, and opens its panel. */
export const reachAt = async (
  window: Page,
  changes: { port: number; user: string; identityFile: string | null },
) => {
  const { account, machine: id } = await inList(window)
  await askBridge(window, 'ssh.configure', { account, machine: id, ...changes })
  return openMachine(window, machine)
}
/** Waits until the terminal on screen shows a text. */
export const shows = (window: Page, text: string) =>
  expect.poll(() => occurrences(window, text)).toMatch(/^\d+ of [1-9]/)

interface ServerOptions {
  /** A free port by default. */
  readonly port?: number
  /** Folders in which it looks for programs, if different. */
  readonly path?: string
  /** More lines of sshd_config. */
  readonly set?: Readonly<Record<string, string>>
}

/** A real server that runs the client's commands, in its own folder, at an address of loopback. */
export const startServer = async (
  folder: string,
  admits: string,
  address: string,
  { port, path, set }: ServerOptions = {},
) => {
  const tmux = join(folder, 'tmux')
  mkdirSync(tmux, { recursive: true, mode: 0o700 })
  const hostKey = join(folder, 'host')
  if (!existsSync(hostKey)) makeKey(hostKey)
  const server = await startSshd({
    hostKeys: [hostKey],
    admits,
    command: 'none',
    ...(port && { port }),
    set: {
      ListenAddress: address,
      SetEnv: `HOME=${folder} TMUX_TMPDIR=${tmux}${path === undefined ? '' : ` PATH=${path}`}`,
      Subsystem: `sftp internal-sftp -d ${folder}`,
      ...set,
    },
  })
  return {
    ...server,
    async close() {
      spawnSync('tmux', ['kill-server'], { env: { ...process.env, TMUX_TMPDIR: tmux } })
      await server.close()
    },
  }
}

/** A terminal in Wheelhouse with bash of a real server, in its own folder, whose prompt is `in-42>`. */
export const openBash = async (window: Page) => {
  const folder = temporaryFolder()
  const key = makeKey(join(folder, 'id'))
  const server = await startServer(folder, key, await serverAddress(window))
  const panel = await reachAt(window, { port: server.port, user: server.user, identityFile: key })
  await panel.getByRole('button', { name: 'Open here' }).click()
  const screen = window.getByRole('tabpanel')
  await expect(screen.locator('textarea')).toBeFocused()
  await typeLine(window, `cd; PS1='in-$((40+2))> ' exec bash --norc -i`)
  await shows(window, 'in-42>')
  await endSearch(window)
  return {
    folder,
    async close(): Promise<void> {
      await server.close()
      await removeFolder(folder)
    },
  }
}
