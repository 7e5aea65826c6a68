import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { chromium } from '@playwright/test'
import { chooseToConnect, connect } from '../../test/e2e/support/window'
import { packagedProgram, startFlags } from '../support/packaged'

/** Signs in as a person does, waits until the machines are listed and all is written, and quits. */
export async function signIn({
  userData,
  service,
  machines,
}: {
  readonly userData: string
  readonly service: { readonly baseUrl: string; readonly username: string; readonly password: string }
  readonly machines: number
}): Promise<void> {
  const child = spawn(packagedProgram, [...startFlags(userData), '--remote-debugging-port=0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let endpoint: string | undefined
  for await (const line of createInterface(child.stderr)) {
    endpoint = /DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (endpoint) break
  }
  if (!endpoint) throw new Error(`${packagedProgram} did not start`)
  const browser = await chromium.connectOverCDP(endpoint)
  try {
    const [context] = browser.contexts()
    const window = context?.pages()[0] ?? (await context?.waitForEvent('page'))
    if (!window) throw new Error(`${packagedProgram} has no window`)
    await chooseToConnect(window)
    await connect(window, service)
    const rows = `[role=grid][aria-rowcount="${String(machines + 1)}"]`
    await window.locator(rows).waitFor({ timeout: 60_000 })
    // The store's first file and the ledger's first reading.
    await window.waitForTimeout(3_000)
  } finally {
    child.kill('SIGTERM')
    await ended
    await browser.close()
  }
}
