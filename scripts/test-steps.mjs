// Runs the steps of npm test.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { runHere } from './processes.mjs'
import { root, say } from './setup.mjs'
import { none } from './test-counts.mjs'

/**
 * @typedef {{
 *   name: string,
 *   run: readonly (readonly string[])[],
 *   program?: string,
 *   env?: NodeJS.ProcessEnv,
 *   counts?: () => import('./test-counts.mjs').Counts,
 * }} Step `program`: this Node where it is not another
 *
 * @typedef {{ results: string, priority?: number, isLive?: boolean }} How `results`: the folder of the logs; `isLive`:
 *   its output is shown immediately, not at its end
 */

/**
 * Runs a step, stores its output in `NAME.log` and shows it.
 *
 * @param {Step} step
 * @param {NodeJS.ProcessEnv} env
 * @param {How} how
 */
const perform = async (
  { name, run, program = process.execPath, env: own, counts },
  env,
  { results, priority = 0, isLive = true },
) => {
  const file = join(results, `${name}.log`)
  const log = openSync(file, 'w')
  const started = Date.now()
  let passed = true
  try {
    for (const args of run) {
      const code = await runHere(program, args, {
        cwd: root,
        env: { ...env, ...own },
        stdio: ['ignore', 'pipe', 'pipe'],
        priority,
        onOutput(chunk) {
          writeSync(log, chunk)
          if (isLive) process.stdout.write(chunk)
        },
      })
      passed = code === 0 && passed
    }
  } finally {
    closeSync(log)
  }
  if (!isLive) {
    const seconds = (Date.now() - started) / 1000
    process.stdout.write(`wheelhouse: ${name}, ${seconds.toFixed(1)} s:\n${readFileSync(file, 'utf8')}`)
  }
  return { passed, counts: counts?.() ?? none }
}

/**
 * Runs steps in order, even after a failed step: parallel lanes continue.
 *
 * @param {readonly Step[]} steps
 * @param {NodeJS.ProcessEnv} env
 * @param {() => boolean} stopped
 * @param {How} how
 */
export const runLane = async (steps, env, stopped, how) => {
  const outcomes = []
  for (const step of steps) {
    if (stopped()) break
    say(step.name)
    const started = Date.now()
    const { passed, counts } = await perform(step, env, how).catch((error) => {
      say(`${step.name} could not be run: ${error instanceof Error ? error.message : String(error)}`)
      return { passed: false, counts: none }
    })
    outcomes.push({ name: step.name, passed, seconds: (Date.now() - started) / 1000, counts })
  }
  return outcomes
}
