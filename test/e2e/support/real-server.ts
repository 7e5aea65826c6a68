import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { makeKey, startSshd } from '../../fixtures/sshd'
import { askBridge, machineId, selectedAccount } from './bridge'
import { occurrences } from './terminal'
import { machineNames, openMachine, openPage } from './window'

/** The machine of the sandbox that stands for the server. */
export const machine = 'train-llama-01'
/** Lets the machine be reached on a port of another server, and opens its panel. */
export const reachAt = async (
  window: Page,
  changes: { port: number; user: string; identityFile: string | null },
) => {
  await openPage(window, 'Machines')
  await machineNames(window)
  const which = { account: await selectedAccount(window), machine: await machineId(window, machine) }
  await askBridge(window, 'ssh.configure', { ...which, ...changes })
  return openMachine(window, machine)
}
/** Waits until the terminal on screen shows a text. */
export const shows = (window: Page, text: string) =>
  expect.poll(() => occurrences(window, text)).toMatch(/^\d+ of [1-9]/)

/** A real server that runs what it is asked to, on every address of loopback, in a folder of its own. */
export const startServer = async (folder: string, admits: string) => {
  const tmux = join(folder, 'tmux')
  mkdirSync(tmux, { mode: 0o700 })
  const server = await startSshd({
    ...{ hostKeys: [makeKey(join(folder, 'host'))], admits, command: 'none' },
    set: { ListenAddress: '0.0.0.0', SetEnv: `HOME=${folder} TMUX_TMPDIR=${tmux}` },
  })
  return {
    ...server,
    async close() {
      spawnSync('tmux', ['kill-server'], { env: { ...process.env, TMUX_TMPDIR: tmux } })
      await server.close()
    },
  }
}
