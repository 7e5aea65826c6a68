// From a key in the filter of 10,000 machines to the painted result, with none and with all of them
// selected, and scrolling from end to end. In the application's own window. Yardstick: a plain virtual list of the same
// names there.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { runHere } from '../scripts/processes.mjs'
import { launch, root } from '../test/e2e/support/application'
import { startSandbox } from '../test/e2e/support/sandbox'
import { chooseToConnect, connect } from '../test/e2e/support/window'
import { formatCount } from '../src/shared/locale'
import { measureList } from './list/in-window'
import { compare, finish } from './support/compare'

const machines = Number(process.argv[2] ?? 10_000)
const rounds = Number(process.argv[3] ?? 12)
const goal = 1.5
/** Number of times that the list is scrolled through. */
const ways = 3
/** Milliseconds after which users notice a late frame. */
const late = 50

const electronVite = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
if ((await runHere(process.execPath, [electronVite, 'build', '--logLevel', 'warn'], { cwd: root })) !== 0)
  throw new Error('the build failed')
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
const places = { userData: join(folder, 'user-data'), home: join(folder, 'home') }
for (const place of Object.values(places)) mkdirSync(place)
const service = await startSandbox({ machines })
const Times = z.array(z.number())
const Result = z.object({
  none: Times,
  all: Times,
  bare: Times,
  scrolled: z.object({ ours: Times, bare: Times }),
})
try {
  const { window, quit } = await launch(places)
  try {
    await chooseToConnect(window)
    await connect(window, service)
    await window.getByRole('link', { name: /^Machines/ }).click()
    const grid = window.getByRole('grid', { name: 'Machines' })
    await grid.and(window.locator(`[aria-rowcount="${String(machines + 1)}"]`)).waitFor({ timeout: 120_000 })
    // The loader of this file names every function by a helper that the window lacks.
    await window.evaluate('globalThis.__name = (named) => named')
    const answer: unknown = await window.evaluate(measureList, { rounds, ways })
    const { none, all, bare, scrolled } = Result.parse(answer)
    console.log(`${formatCount(machines)} machines, ${String(none.length)} keys each`)
    const of = (what: string, ours: readonly number[]): number =>
      compare(what, 'ms', { ours, yardstick: bare }, goal)
    const ratioAll = of('a key, all selected', all)
    const ratio = of('a key, none selected', none)
    const frames = { ours: scrolled.ours, yardstick: scrolled.bare }
    const ratioScrolled = compare('a frame, scrolling', 'ms', frames, goal)
    const lateOf = (times: readonly number[]): number => times.filter((time) => time > late).length
    const [lateFrames, lateFramesGoal] = [lateOf(frames.ours), lateOf(frames.yardstick)]
    console.log(
      `of ${formatCount(frames.ours.length)} frames ${String(lateFrames)} took more than ${String(late)} ms, of the yardstick's ${String(lateFramesGoal)}`,
    )
    finish({
      bench: 'list',
      ratio,
      unit: 'ms',
      runs: rounds,
      goal,
      ratioAll,
      ratioScrolled,
      lateFrames,
      lateFramesGoal,
      frames: frames.ours.length,
      machines,
    })
  } finally {
    await quit()
  }
} finally {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
}
