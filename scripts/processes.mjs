import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { constants, getPriority, setPriority } from 'node:os'
import { createInterface } from 'node:readline'

/**
 * Lets a script that is asked to stop clean up first, instead of ending on the spot.
 *
 * @returns {() => boolean} whether it was asked to stop
 */
export const watchForStop = () => {
  let stopped = false
  const stop = () => {
    stopped = true
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  return () => stopped
}

/** Milliseconds that what a program printed last may take to come. */
const lastOutputWithin = 2_000

/**
 * Gives a priority to a process of this script. One that has less keeps it: more is for administrators alone to give.
 *
 * @param {number} pid
 * @param {number} priority
 */
const giveWay = (pid, priority) => {
  if (getPriority() >= priority) return
  try {
    setPriority(pid, priority)
  } catch {
    // It runs with that of this script.
  }
}

/**
 * Runs a program with this terminal as its own and waits for it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { priority?: number, onOutput?: (chunk: Buffer) => void }} [options]
 *   `priority`: of all that it starts too, where it is to be less than that of this script; `onOutput`: takes what comes
 *   through pipes
 * @returns {Promise<number>} its exit code; 128 and the signal's number where a signal ended it, as shells say it
 */
export const runHere = (program, args, { priority, onOutput, ...options } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', ...options })
    if (priority && child.pid !== undefined) giveWay(child.pid, priority)
    if (onOutput) for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput)
    const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
    process.on('SIGINT', forward).on('SIGTERM', forward)
    const done = () => process.off('SIGINT', forward).off('SIGTERM', forward)
    child.once('error', (error) => {
      done()
      reject(error)
    })
    // What it printed last may come after its exit; what it left behind may hold its output open, and is not waited for.
    child.once('exit', () => {
      const timer = setTimeout(() => {
        for (const stream of [child.stdout, child.stderr]) stream?.destroy()
      }, lastOutputWithin)
      child.once('close', () => clearTimeout(timer))
    })
    child.once('close', (code, signal) => {
      done()
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })

/**
 * Processes that a process has started and that still run, and those that they have, whatever group they are in: all
 * whose parents still run. Empty where there is no ps.
 *
 * @param {number} ancestor
 * @returns {readonly number[]}
 */
const descendantsOf = (ancestor) => {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const pairs = (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  /** @type {(parent: number) => readonly number[]} */
  const below = (parent) => pairs.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid, ...below(pid)] : []))
  return below(ancestor)
}

/** @param {number} target a process, or less than 0: a group */
const killNow = (target) => {
  try {
    process.kill(target, 'SIGKILL')
  } catch {
    // All of it has ended by itself.
  }
}

/**
 * Runs a program in a process group of its own and passes on each line that it prints. After `seconds`, or once this
 * script is asked to stop, all that it has started is killed with it, also what has a group of its own, as what
 * Playwright starts; where there are no groups, the program alone. What it leaves behind in its group ends with it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { seconds: number, onLine: (line: string) => void }} options
 * @returns {Promise<{ code: number, timedOut: boolean }>} code 127: it could not be started
 */
export const runGroup = async (program, args, { seconds, onLine, ...options }) => {
  const child = spawn(program, args, {
    ...options,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.pid === undefined) return once(child, 'error').then(() => ({ code: 127, timedOut: false }))
  const { pid } = child
  const killGroup = () => killNow(process.platform === 'win32' ? pid : -pid)
  const kill = () => {
    const started = descendantsOf(pid)
    killGroup()
    started.forEach(killNow)
  }
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    kill()
  }, seconds * 1000)
  process.on('SIGINT', kill).on('SIGTERM', kill)
  const printed = child.stdout && once(createInterface(child.stdout).on('line', onLine), 'close')
  const [code, signal] = await once(child, 'exit')
  // What it left behind may hold its output open.
  killGroup()
  await printed
  clearTimeout(timer)
  process.off('SIGINT', kill).off('SIGTERM', kill)
  return { code: code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)], timedOut }
}

/**
 * Runs a program and collects what it says; killed after `seconds`.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { seconds?: number, input?: string }} [options]
 * @returns {Promise<{ code: number, out: string, err: string, timedOut: boolean }>} code 127: it could not be started
 */
export const collect = (program, args, { seconds = 60, input, ...options } = {}) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: 'pipe' })
    const said = { out: '', err: '' }
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      child.kill('SIGKILL')
    }, seconds * 1000)
    const finish = (/** @type {number} */ code) => {
      clearTimeout(timer)
      resolve({ code, ...said, timedOut })
    }
    child.stdout.setEncoding('utf8').on('data', (text) => (said.out += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (said.err += text))
    child.stdin.on('error', () => child.stdin.destroy()).end(input)
    child.once('error', (error) => {
      said.err += error.message
      finish(127)
    })
    child.once('close', (code, signal) => finish(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })

/**
 * npm's own program, run by the Node that runs this script where npm started it.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {NodeJS.Platform} [platform]
 * @returns {{ program: string, args: string[], shell: boolean }}
 */
export const npm = (args, env = process.env, platform = process.platform) =>
  env.npm_execpath?.endsWith('.js')
    ? { program: process.execPath, args: [env.npm_execpath, ...args], shell: false }
    : { program: platform === 'win32' ? 'npm.cmd' : 'npm', args: [...args], shell: platform === 'win32' }

/**
 * Says every ten seconds that something still goes on, until it is done.
 *
 * @template Result
 * @param {(line: string) => void} say
 * @param {string} line what goes on
 * @param {() => Promise<Result>} task
 * @returns {Promise<Result>}
 */
export const sayingSo = async (say, line, task) => {
  const started = Date.now()
  const progress = setInterval(
    () => say(`${line}, ${Math.round((Date.now() - started) / 1000)} s so far`),
    10_000,
  )
  try {
    return await task()
  } finally {
    clearInterval(progress)
  }
}
