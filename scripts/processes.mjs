import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { constants, getPriority, setPriority } from 'node:os'
import { createInterface } from 'node:readline'

/**
 * Lets a script clean up before it stops, instead of ending immediately.
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

/** Milliseconds to wait for a program's last output. */
const lastOutputWithin = 2_000

/**
 * Sets the priority of a process of this script. A lower priority stays: only administrators can raise it.
 *
 * @param {number} pid
 * @param {number} priority
 */
const giveWay = (pid, priority) => {
  if (getPriority() >= priority) return
  try {
    setPriority(pid, priority)
  } catch {
    // The process runs with this script's priority.
  }
}

/**
 * Runs a program with this terminal as its own and waits for it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { priority?: number, onOutput?: (chunk: Buffer) => void
 * }} [options] `priority`: of the program and its child processes, if lower than this script's; `onOutput`:
 * receives piped output
 * @returns {Promise<number>} its exit code; 128 and the signal's number if a signal ended it, as in shells
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
    // Its last output may come after its exit. Child processes may hold its output open, and are not waited
    // for.
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
 * Returns the running descendants of a process in any group, as long as their parents still run. Empty
 * without ps.
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
    // All of its processes have ended already.
  }
}

/**
 * Runs a program in its own process group and passes on each line of output. After `seconds`, or once this
 * script is asked to stop, the program is killed with all its descendants, including those in other groups,
 * as Playwright starts them; without groups, only the program. Processes left in its group end with it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { seconds: number, onLine: (line: string) => void }}
 * options
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
  // Its child processes may hold its output open.
  killGroup()
  await printed
  clearTimeout(timer)
  process.off('SIGINT', kill).off('SIGTERM', kill)
  return { code: code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)], timedOut }
}

/**
 * Runs a program and collects its output; killed after `seconds`.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { seconds?: number, input?: string }} [options]
 * @returns {Promise<{ code: number, out: string, err: string, timedOut: boolean }>} code 127: it could not be
 * started
 */
export const collect = (program, args, { seconds = 60, input, ...options } = {}) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: 'pipe' })
    const said = { out: '', err: '' }
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      said.err += `${program} was stopped after ${String(seconds)} s.\n`
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
 * Returns npm's own program, run by this script's Node if npm started it.
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
 * Prints a line every ten seconds until a task is done.
 *
 * @template Result
 * @param {(line: string) => void} say
 * @param {string} line names the task
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
