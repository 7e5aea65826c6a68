// npm test [-- --deep] [--step WORD…]: every check of the project, or those whose names contain a word. Each
// step runs even if an earlier one failed; a summary follows. On Linux it runs inside its own desktop
// session, so that no window, keyring or file of the user is touched.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deepSteps } from './deep-steps.mjs'
import { missingInAny, openDesktop } from './desktop-session.mjs'
import { electronEnvironment, launchArguments } from './launch.mjs'
import { watchForStop } from './processes.mjs'
import { root, runScript, say, setUp } from './setup.mjs'
import {
  afterSecondTry,
  endToEndCounts,
  failedUnitFiles,
  lastLine,
  none,
  retriedLines,
  skippedLines,
  sum,
  unitCounts,
} from './test-counts.mjs'
import { runLane } from './test-steps.mjs'

const results = join(root, 'test-results')
const unitReport = join(results, 'unit.json')
const endToEndReport = join(results, 'end-to-end.json')

/**
 * Returns a program of node_modules, run by this Node.
 *
 * @param {string} path
 * @param {readonly string[]} args
 */
const tool = (path, ...args) => [join(root, 'node_modules', path), ...args]

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** Finds a program of a package.json script as npm does. */
const programs = new Map(
  Object.entries({
    'vue-tsc': 'vue-tsc/bin/vue-tsc.js',
    oxfmt: 'oxfmt/bin/oxfmt',
    knip: 'knip/bin/knip.js',
    'electron-vite': 'electron-vite/bin/electron-vite.js',
  }),
)

/**
 * Returns the command of `npm run NAME`, without npm and a shell, which do not forward every signal.
 *
 * @param {string} name
 * @param {readonly string[]} more arguments
 */
export const scriptRuns = (name, ...more) =>
  (scripts[name] ?? '').split(' && ').map((command) => {
    const [program = '', ...args] = command.split(' ')
    if (program === 'node') return [join(root, args[0] ?? ''), ...args.slice(1), ...more]
    return tool(programs.get(program) ?? program, ...args, ...more)
  })

/** @param {string} file */
const readReport = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

/** @typedef {import('./test-steps.mjs').Step} Step */

/** @type {Step} */
const build = { name: 'Build', run: scriptRuns('build', '--logLevel', 'warn') }

/** Steps that only read the sources, and the build: each runs a script of package.json. */
export const readers = [
  build,
  { name: 'Type check', run: scriptRuns('typecheck') },
  { name: 'Linter', run: scriptRuns('lint') },
  { name: 'Formatter', run: scriptRuns('format', '--check') },
  { name: 'Unused code', run: scriptRuns('unused', '--no-progress') },
]

/** @param {string} file */
const endToEndCountsOf = (file) => {
  const report = readReport(file)
  return report ? endToEndCounts(report) : none
}

/**
 * @param {string} report path of vitest's json report
 * @param {readonly string[]} more arguments
 * @returns {Step}
 */
const unitTestsInto = (report, ...more) => ({
  name: 'Unit and integration tests',
  run: [
    tool(
      'vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...more,
    ),
  ],
  counts: () => {
    const written = readReport(report)
    return written ? unitCounts(written) : none
  },
})
const unitTests = unitTestsInto(unitReport)

/** @type {Step} */
const endToEndTests = {
  name: 'End-to-end tests',
  // Tests tagged @deep are variants: other tests run the same parts.
  run: [
    tool(
      '@playwright/test/cli.js',
      'test',
      ...(process.argv.includes('--deep') ? [] : ['--grep-invert', '@deep']),
    ),
  ],
  counts: () => endToEndCountsOf(endToEndReport),
}

/** More failed tests than this are not caused by a busy computer, and are not retried. */
const maxSecondTries = 20

/**
 * Steps that run the failed tests of another step again, one at a time.
 *
 * @type {Readonly<Record<string, () => Step>>}
 */
const secondTries = {
  [unitTests.name]: () => ({
    ...unitTestsInto(
      join(results, 'unit-again.json'),
      '--no-file-parallelism',
      ...failedUnitFiles(readReport(unitReport) ?? { testResults: [] }),
    ),
    name: 'Unit and integration tests, second try',
  }),
  [endToEndTests.name]: () => ({
    name: 'End-to-end tests, second try',
    run: [tool('@playwright/test/cli.js', 'test', '--last-failed', '--workers=1')],
    env: { WHEELHOUSE_SECOND_TRY: '1' },
    counts: () => endToEndCountsOf(join(results, 'end-to-end-again.json')),
  }),
}

/**
 * Retries failed tests with CI=true when nothing else runs; tests that pass then are named at the end.
 *
 * @param {Awaited<ReturnType<typeof runLane>>} outcomes
 * @param {NodeJS.ProcessEnv} env
 * @param {() => boolean} stopAsked
 */
const withSecondTries = async (outcomes, env, stopAsked) => {
  if (process.env.CI !== 'true') return outcomes
  const final = []
  for (const outcome of outcomes) {
    const again = secondTries[outcome.name]
    const { length } = outcome.counts.failed
    const [second] =
      again && length > 0 && length <= maxSecondTries
        ? await runLane([again()], env, stopAsked, { results })
        : []
    if (!second) {
      final.push(outcome)
      continue
    }
    const counts = afterSecondTry(outcome.counts, second.counts)
    // vitest reports errors outside of tests only in its output.
    const log = readFileSync(join(results, `${outcome.name}.log`), 'utf8')
    const passed = counts.failed.length === 0 && !/caught \d+ unhandled error/.test(log)
    final.push({ ...outcome, passed, counts }, { ...second, counts: none })
  }
  return final
}

const { PRIORITY_NORMAL, PRIORITY_BELOW_NORMAL } = constants.priority

/**
 * Lanes run in parallel, each in its order. Checks of the sources have a lower priority: they use the time
 * that tests wait, as no time limit applies to them.
 *
 * @type {readonly { steps: readonly Step[], priority: number }[]}
 */
const lanes = [
  { steps: [build, endToEndTests], priority: PRIORITY_NORMAL },
  { steps: [unitTests], priority: PRIORITY_NORMAL },
  { steps: readers.filter((step) => step !== build), priority: PRIORITY_BELOW_NORMAL },
]

/**
 * The life of the real deb, only with --deep. The older version that it replaces is built from the same
 * folder.
 *
 * @type {Step}
 */
export const packages = {
  name: 'Packages',
  run: [
    ...scriptRuns('package', '--test-build'),
    [join(root, 'scripts/linux-packages.mjs'), '--test-build', '--fast'],
    [join(root, 'scripts/linux-packages.mjs'), '--test-build', '--fast', '--version', '0.0.9', 'deb'],
    tool('@playwright/test/cli.js', 'test', '-c', 'test/packages'),
  ],
  counts: () => {
    const report = readReport(join(results, 'packages.json'))
    return report ? endToEndCounts(report) : none
  },
}

/** Returns the runtime's program, or why none runs here. */
const electron = async () => {
  try {
    const { program } = await setUp()
    const launch = await launchArguments(program)
    return 'problem' in launch ? { problem: launch.problem } : { program, warning: launch.warning }
  } catch (error) {
    if (!existsSync(join(root, 'node_modules/vitest'))) throw error
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Opens a desktop for each lane, as tests of one lock and empty the keyring.
 *
 * @param {number} count
 * @param {NodeJS.ProcessEnv} env
 */
const openDesktops = async (count, env) => {
  if (process.platform !== 'linux')
    return Array.from({ length: count }, () => ({ env, missing: [], close: async () => undefined }))
  const opened = await Promise.allSettled(Array.from({ length: count }, () => openDesktop(env)))
  const desktops = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  for (const one of opened) {
    if (one.status === 'fulfilled') continue
    await Promise.all(desktops.map((desktop) => desktop.close()))
    throw one.reason
  }
  return desktops
}

await runScript(import.meta.url, async () => {
  const { values } = parseArgs({
    options: {
      deep: { type: 'boolean', default: false },
      step: { type: 'string', multiple: true, default: [] },
    },
  })
  const { deep: isDeep, step: asked } = values
  /** @param {{ name: string }} step */
  const isAsked = ({ name }) =>
    asked.length === 0 || asked.some((word) => name.toLowerCase().includes(word.toLowerCase()))
  const runtime = await electron()
  if ('problem' in runtime) say(`End-to-end tests will be skipped: ${runtime.problem}`)
  if (runtime.warning) say(runtime.warning)
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })

  const env = {
    ...electronEnvironment(process.env),
    ...('problem' in runtime
      ? { WHEELHOUSE_NO_ELECTRON: runtime.problem }
      : { ELECTRON_EXEC_PATH: runtime.program }),
    ...(isDeep && { WHEELHOUSE_DEEP: '1' }),
  }
  const stopAsked = watchForStop()
  const asking = lanes
    .map(({ steps, priority }) => ({ steps: steps.filter(isAsked), priority }))
    .filter(({ steps }) => steps.length > 0)
  // Later steps need a desktop too.
  const desktops = await openDesktops(Math.max(1, asking.length), env)
  const [first] = desktops
  for (const part of missingInAny(desktops)) say(`A desktop session for the tests has no ${part}`)

  try {
    const inLanes = await Promise.all(
      asking.map(({ steps, priority }, lane) =>
        runLane(steps, desktops[lane]?.env ?? env, stopAsked, {
          results,
          ...(asking.length > 1 && { priority, isLive: lane === 0 }),
        }),
      ),
    )
    const tried = await withSecondTries(inLanes.flat(), first?.env ?? env, stopAsked)
    const deep = isDeep ? await deepSteps(tool, root) : { steps: [], missing: [] }
    for (const reason of deep.missing) say(`Left out: ${reason}`)
    const further = deep.steps.map(({ report, ...step }) => ({
      ...step,
      ...(report && { counts: () => endToEndCountsOf(join(results, report)) }),
    }))
    const steps = [...(isDeep && process.platform === 'linux' ? [packages] : []), ...further].filter(isAsked)
    const outcomes = [...tried, ...(await runLane(steps, first?.env ?? env, stopAsked, { results }))]
    const counts = sum(outcomes.map((outcome) => outcome.counts))
    if (asked.length > 0 && outcomes.length === 0 && !stopAsked())
      throw new Error(`No step has a name with ${asked.join(' or ')} in it`)
    // Other systems lack the keyring, the tray and the terminals of the tests.
    const skipsFail = process.env.CI === 'true' && process.platform === 'linux' && counts.skipped.length > 0

    console.log()
    for (const line of [...skippedLines(counts.skipped), ...retriedLines(counts.retried)]) console.log(line)
    if (skipsFail) console.log('With CI=true a skipped test fails the run.')
    for (const { name, passed, seconds } of outcomes) {
      console.log(`${name.padEnd(28)}${passed ? 'passed' : 'FAILED'}  ${seconds.toFixed(1).padStart(6)} s`)
    }
    console.log(lastLine(counts))
    return stopAsked() || skipsFail || counts.failed.length > 0 || outcomes.some(({ passed }) => !passed)
      ? 1
      : 0
  } finally {
    await Promise.all(desktops.map((desktop) => desktop.close()))
  }
})
