// npm run bench [-- NAME…] [--no-build]: measures what is named, else everything, one after the other. Each measurement
// is a file, bench/NAME.ts, which prints medians and ends with one line of JSON; bench/README.md says what they mean.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDesktop } from '../scripts/desktop-session.mjs'
import { electronEnvironment, launchArguments } from '../scripts/launch.mjs'
import { runHere } from '../scripts/processes.mjs'
import { root, runScript, setUp } from '../scripts/setup.mjs'

/** Those that start the packaged application. */
const packaged = new Set(['first-run', 'startup', 'memory', 'memory-day', 'background', 'terminal'])
/** Those that need the application's own window. */
const inWindow = new Set([...packaged, 'chart', 'list', 'bridge'])
/** Those that read what was built. */
const built = new Set([...packaged, 'bundle'])

const names = readdirSync(join(root, 'bench')).flatMap((entry) => /^([a-z-]+)\.ts$/.exec(entry)?.[1] ?? [])

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
const measure = async (name, args, env) => {
  const file = join(root, 'bench', `${name}.ts`)
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    cwd: root,
    env,
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let last = ''
  for await (const line of createInterface(child.stdout)) {
    console.log(line)
    last = line
  }
  const [code] = await ended
  return { name, code, last }
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
    options: { 'no-build': { type: 'boolean', default: false } },
  })
  const asked = positionals.filter((word) => !/^\d+$/.test(word))
  // Numbers are the benchmark's own: how many rounds, or how large.
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
    for (const name of chosen) {
      console.log(`\n${name}`)
      results.push(await measure(name, args, env))
    }
    if (results.length > 1) {
      console.log('\n| bench | ratio | goal | unit | runs | more |\n| --- | --- | --- | --- | --- | --- |')
      for (const { name, last } of results)
        console.log(last.startsWith('{') ? row(last) : `| ${name} | failed | | | | |`)
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
