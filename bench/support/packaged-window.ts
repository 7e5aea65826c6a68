import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { chromium } from '@playwright/test'
import { packagedProgram, startFlags } from './packaged'

/** The packaged application with its window, controlled like a browser's page. */
export async function openPackaged(userData: string) {
  const child = spawn(packagedProgram, [...startFlags(userData), '--remote-debugging-port=0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let endpoint: string | undefined
  for await (const line of createInterface(child.stderr)) {
    endpoint = /DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (endpoint) break
  }
  if (!endpoint || child.pid === undefined) throw new Error(`${packagedProgram} did not start`)
  child.stderr.resume()
  const browser = await chromium.connectOverCDP(endpoint)
  const [context] = browser.contexts()
  const window = context?.pages()[0] ?? (await context?.waitForEvent('page'))
  if (!window) throw new Error(`${packagedProgram} has no window`)
  return {
    window,
    pid: child.pid,
    /** Stops controlling it. */
    disconnect: () => browser.close(),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Requested like a system that shuts down. */
    async quit(): Promise<void> {
      child.kill('SIGTERM')
      await ended
      await browser.close()
    },
  }
}
