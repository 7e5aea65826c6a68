// A list of 10,000 machines in the window, updated while one machine in a hundred changes: from the change in main to
// the window's updated list. Yardstick: plain handle, send and a map, with the same changes in the same Electron.
import { z } from 'zod'
import { compare, finish } from './support/compare'
import { runElectronApp } from './support/electron-app'

const goal = 1.5
const machines = Number(process.argv[2] ?? 10_000)
const rounds = Number(process.argv[3] ?? 60)

const Rounds = z.object({ ours: z.array(z.number()), yardstick: z.array(z.number()) })
const Measured = z.object({ snapshot: Rounds, changed: Rounds, compared: Rounds })

const files = {
  'bench/bridge/main.ts': 'main.cjs',
  'bench/bridge/page.ts': 'page.js',
  'bench/bridge/bare-page.ts': 'bare-page.js',
  'bench/bridge/bare-preload.ts': 'bare-preload.cjs',
  'src/preload/index.ts': 'preload.cjs',
}
const line = await runElectronApp(files, [String(machines), String(rounds)])
const { snapshot, changed, compared } = Measured.parse(JSON.parse(line))
console.log(`${String(machines)} machines, one in a hundred changed`)
const whole = compare('the whole list', 'ms', snapshot)
const fromLists = compare('a change, found by comparing two lists in main', 'ms', compared)
const ratio = compare('a change', 'ms', changed, goal)
finish({ bench: 'bridge', ratio, unit: 'ms', runs: rounds, goal, whole, fromLists, machines })
