// The packaged application after a day of polling 1,000 machines, with charts and panels opened and closed 500 times.
// Yardstick: the same application after the first hour. Memory of all processes (PSS). The clock is real: the user's
// button for reading the list runs as often as the poller would read it, in a row, while everything else polls as
// usual.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { chooseToConnect, connect } from '../test/e2e/support/window'
import { machinesPollInterval } from '../src/main/core/poll-interval'
import { compare, finish } from './support/compare'
import { openPackaged } from './support/packaged-window'
import { memoryOf } from './support/processes'
import { startSandboxProcess } from './support/sandbox-process'

const goal = 1.05
const machines = 1_000
const hours = Number(process.argv[2] ?? 24)
const openings = Number(process.argv[3] ?? 500)
const hour = 3_600
/** During one hour of the day the window is in front, as in the soak; otherwise polling is four times slower. */
const readings = { first: hour / machinesPollInterval.focused, later: hour / machinesPollInterval.background }
/** Seconds of rest before memory is measured. */
const resting = 30

/** Reads the list several times, like its button. */
const readList = (window: Page, times: number): Promise<unknown> =>
  window.evaluate(`(async () => {
    const { value } = await wheelhouse.call('accounts.list', {})
    for (let time = 0; time < ${String(times)}; time += 1)
      await wheelhouse.call('fleet.refresh', { account: value.selected })
  })()`)

/** Opens a machine's panel with its charts, and closes it. */
async function openAndClose(window: Page, time: number): Promise<void> {
  const row = window
    .getByRole('row')
    .filter({ hasText: 'Running' })
    .nth(time % 8)
  await row.click()
  await window.getByRole('tab', { name: 'Metrics' }).click()
  await window.getByRole('img', { name: /^CPU of/ }).waitFor()
  const close = window.getByRole('button', { name: 'Close the panel' })
  await close.click()
  await close.waitFor({ state: 'detached' })
}

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
const service = await startSandboxProcess(machines)
try {
  const userData = mkdtempSync(join(folder, 'user-data-'))
  writeFileSync(join(userData, 'settings.json'), JSON.stringify({ window: { page: '/machines' } }))
  const { window, pid, quit } = await openPackaged(userData)
  try {
    const rest = async (): Promise<number> => {
      await pause(resting * 1_000)
      return memoryOf(pid)
    }
    await chooseToConnect(window)
    await connect(window, service)
    await window.locator(`[role=grid][aria-rowcount="${String(machines + 1)}"]`).waitFor({ timeout: 60_000 })
    await openAndClose(window, 0)
    await readList(window, readings.first)
    const first = await rest()
    console.log(`after the first hour: ${first.toFixed(0)} MB`)

    for (let later = 1, opened = 0; later < hours; later += 1) {
      await readList(window, readings.later)
      for (; opened < (openings * later) / (hours - 1); opened += 1) await openAndClose(window, opened)
      if (later % 4 === 0) console.log(`after ${String(later + 1)} hours: ${memoryOf(pid).toFixed(0)} MB`)
    }
    const ratio = compare(
      `after ${String(hours)} hours, ${String(openings)} panels`,
      'MB',
      { ours: [await rest()], yardstick: [first] },
      goal,
    )
    finish({ bench: 'memory-day', ratio, unit: 'MB', runs: 1, goal, hours, openings, machines })
  } finally {
    await quit()
  }
} finally {
  await service.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
