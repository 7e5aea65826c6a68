import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { alternate, compare, finish } from '../support/compare'
import { startProgram } from '../support/devtools-pipe'
import { packagedProgram, packageYardstick, startFlags } from '../support/packaged'

const goal = 1.3

/**
 * Helpers of a probe in the page: `until(ready)` checks again at each change of the page; `painted` is the time, in
 * epoch milliseconds, at which the frame with the current content was presented.
 */
const inPage = `
const nextChange = () => new Promise((resolve) => {
  const observer = new MutationObserver(() => { observer.disconnect(); resolve() })
  observer.observe(document, { subtree: true, childList: true, attributes: true })
})
const until = async (ready) => { while (!ready()) await nextChange() }
const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => resolve(performance.timeOrigin + performance.now())
  port2.postMessage(null)
}))
`

/** The started program, with its own data folder, and the script for its page. */
interface Side {
  readonly program: string
  readonly userData: string
  /** The body of a function that returns epoch milliseconds. */
  readonly probe: string
}

/** The empty window is ready once its one line is painted. */
const emptyProbe = 'await until(() => document.querySelector("p")); return painted()'

/** Returns the milliseconds from the start of the process to the awaited frame. */
async function coldStart({ program, userData, probe }: Side): Promise<number> {
  const script = `${inPage}${probe}`
  const started = await startProgram(program, startFlags(userData), { env: process.env, script })
  try {
    const at = Number(await started.answer)
    if (!Number.isFinite(at)) throw new Error(`${program}: ${await started.answer}`)
    return at - started.startedAt
  } finally {
    await started.quit()
  }
}

/** Measures the start of the packaged application against an empty window, and prints both. */
export async function measureStart({
  bench,
  what,
  probe,
  rounds,
  userData,
}: {
  readonly bench: string
  readonly what: string
  readonly probe: string
  readonly rounds: number
  /** Our data folder; undefined: a new empty folder each time. */
  readonly userData?: string
}): Promise<void> {
  const empty = packageYardstick('bench/start/empty-window')
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
  const fresh = (): string => mkdtempSync(join(folder, 'user-data-'))
  const emptyData = userData && fresh()
  try {
    const measured = await alternate({
      rounds,
      ours: () => coldStart({ program: packagedProgram, userData: userData ?? fresh(), probe }),
      yardstick: () => coldStart({ program: empty, userData: emptyData ?? fresh(), probe: emptyProbe }),
    })
    const ratio = compare(what, 'ms', measured, goal)
    finish({ bench, ratio, unit: 'ms', runs: rounds, goal })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}
