// npm run bench [-- NAME…] [--no-build] [--minutes N]: runs the named benchmarks, or all, one at a time. Each is a
// file, bench/NAME.ts, which prints medians and ends with one line of JSON; bench/README.md explains them. A
// benchmark that exceeds its limit, or N minutes, is stopped, and the rest continue.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDesktop } from '../scripts/desktop-session.mjs'
import { electronEnvironment, launchArguments } from '../scripts/launch.mjs'
import { runGroup, runHere, watchForStop } from '../scripts/processes.mjs'
import { root, runScript, setUp } from '../scripts/setup.mjs'

/** Benchmarks that start the packaged application. */
const packaged = new Set([
  'first-run',
  'startup',
  'memory',
  'memory-day',
  'background',
  'terminal',
  'command-line',
])
/** Benchmarks that need the application's own window. */
const inWindow = new Set([...packaged, 'chart', 'list', 'bridge'])
/** Benchmarks that read the build. */
const built = new Set([...packaged, 'bundle'])

const names = readdirSync(join(root, 'bench')).flatMap((entry) => /^([a-z-]+)\.ts$/.exec(entry)?.[1] ?? [])

/**
 * Minutes after which a benchmark is stopped without a result: two to four times its duration on a quiet computer.
 */
const usualLimit = 10
const limits = new Map([
  ['background', 25],
  ['growth', 15],
  ['memory', 15],
  ['memory-day', 25],
  ['sftp', 20],
  ['telemetry', 15],
  ['terminal', 15],
])

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {number} minutes
 */
const measure = async (name, args, env, minutes) => {
  const file = join(root, 'bench', `${name}.ts`)
  const began = performance.now()
  let last = ''
  const { code, timedOut } = await runGroup(process.execPath, ['--import', 'tsx', file, ...args], {
    cwd: root,
    env,
    seconds: minutes * 60,
    onLine: (line) => {
      console.log(line)
      last = line
    },
  })
  if (timedOut) last = `no result: ran past ${minutes} min`
  // An incomplete benchmark ends with its results so far, and names the missing ones.
  else if (code !== 0 && !last.startsWith('{"bench"')) last = `no result: exit code ${code}`
  if (last.startsWith('no result')) console.log(last)
  return { name, code, last, took: `${((performance.now() - began) / 60_000).toFixed(1)} min` }
}

/** @param {string} line the last of a benchmark, in JSON */
const row = (line) => {
  const { bench, ratio, goal, unit, runs, ...details } = JSON.parse(line)
  return `| ${bench} | ${ratio ?? '–'} | ${goal ?? '–'} | ${unit ?? '–'} | ${runs ?? '–'} | ${Object.entries(
    details,
  )
    .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')} |`
}

await runScript(import.meta.url, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'no-build': { type: 'boolean', default: false }, minutes: { type: 'string' } },
  })
  const asked = positionals.filter((word) => !/^\d+$/.test(word))
  // Numbers are arguments of the benchmark: rounds or sizes.
  const args = positionals.filter((word) => /^\d+$/.test(word))
  const unknown = asked.find((name) => !names.includes(name))
  if (unknown) throw new Error(`There is no benchmark "${unknown}": npm run bench -- ${names.join(' | ')}`)
  const chosen = asked.length === 0 ? names : asked

  if (!values['no-build'] && chosen.some((name) => built.has(name))) {
    const script = join(root, 'scripts/package.mjs')
    if ((await runHere(process.execPath, [script, '--test-build'], { cwd: root })) !== 0)
      throw new Error('the application could not be packaged')
  }

  const measureAll = async (/** @type {NodeJS.ProcessEnv} */ env) => {
    const results = []
    const stopAsked = watchForStop()
    for (const name of chosen) {
      if (stopAsked()) return 1
      console.log(`\n${name}`)
      const minutes = values.minutes === undefined ? (limits.get(name) ?? usualLimit) : Number(values.minutes)
      results.push(await measure(name, args, env, minutes))
    }
    if (results.length > 1) {
      console.log(
        '\n| bench | ratio | goal | unit | runs | more | took |\n| --- | --- | --- | --- | --- | --- | --- |',
      )
      for (const { name, last, took } of results)
        console.log(
          last.startsWith('{') ? `${row(last)} ${took} |` : `| ${name} | | | | | ${last} | ${took} |`,
        )
    }
    return results.some(({ code }) => code !== 0) ? 1 : 0
  }
  if (!chosen.some((name) => inWindow.has(name))) return measureAll(process.env)

  const program = process.env.ELECTRON_EXEC_PATH ?? (await setUp()).program
  const launch = await launchArguments(program)
  if ('problem' in launch) throw new Error(launch.problem)
  const env = { ...electronEnvironment(process.env), ELECTRON_EXEC_PATH: program }
  if (process.platform !== 'linux') return measureAll(env)
  const desktop = await openDesktop(env)
  try {
    return await measureAll(desktop.env)
  } finally {
    await desktop.close()
  }
})
