import { getPriority } from 'node:os'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runGroup, runHere } from './processes.mjs'

/** Starts an endless program, prints its process id, and then runs endlessly itself, unless its argument ends it. */
const script = (end: string, options: object) => `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], ${JSON.stringify(options)})
  console.log(String(child.pid))
  ${end}`

async function run(end: string, seconds: number, options: object = { stdio: 'inherit' }) {
  const lines: string[] = []
  const result = await runGroup(process.execPath, ['-e', script(end, options)], {
    seconds,
    onLine: (line) => lines.push(line),
  })
  return { ...result, child: Number(lines[0]) }
}

/** Its parent has ended: init, or its replacement, removes it once it is dead. */
const isGone = async (process_: number): Promise<void> => expect.poll(() => runs(process_)).toBe(false)
function runs(process_: number): boolean {
  try {
    return process.kill(process_, 0)
  } catch {
    return false
  }
}

describe('runHere', () => {
  const own = getPriority()
  const says =
    'process.stdout.write(String(os.getPriority())); process.stderr.write("!"); process.exitCode = 3'

  it('sets the priority of its processes, and resolves after all their output', async () => {
    let printed = ''
    const code = await runHere(process.execPath, ['-e', says], {
      stdio: ['ignore', 'pipe', 'pipe'],
      priority: own + 3,
      onOutput: (chunk) => (printed += String(chunk)),
    })
    expect(code).toBe(3)
    expect([...printed].sort()).toEqual([...`!${String(own + 3)}`].sort())
  })

  it('never raises its own priority, as only administrators can', async () => {
    let printed = ''
    await runHere(process.execPath, ['-e', says], {
      stdio: ['ignore', 'pipe', 'ignore'],
      priority: own - 3 || -1,
      onOutput: (chunk) => (printed += String(chunk)),
    })
    expect(printed).toBe(String(own))
  })

  it('does not wait for a child process that holds the output open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let printed = ''
    const leaving = script('setTimeout(() => process.exit(3), 100)', { stdio: 'inherit' })
    const resolved = runHere(process.execPath, ['-e', leaving], {
      stdio: ['ignore', 'pipe', 'pipe'],
      onOutput: (chunk) => (printed += String(chunk)),
    })
    await expect.poll(() => vi.getTimerCount()).toBe(1)
    vi.runAllTimers()
    expect(await resolved).toBe(3)
    expect(process.kill(Number(printed), 'SIGKILL')).toBe(true)
  })
})

describe('runGroup', () => {
  it('ends a program that takes too long, with its child processes', async () => {
    const { timedOut, code, child } = await run('setInterval(() => {}, 1000)', 5)
    expect({ timedOut, code }).toEqual({ timedOut: true, code: 137 })
    await isGone(child)
  })

  it('ends child processes in other groups too', async () => {
    const options = { stdio: 'ignore', detached: true }
    const { timedOut, child } = await run('setInterval(() => {}, 1000)', 5, options)
    expect(timedOut).toBe(true)
    await isGone(child)
  })

  it('ends a child process that holds the output open', async () => {
    const { timedOut, code, child } = await run('setTimeout(() => process.exit(3), 100)', 60)
    expect({ timedOut, code }).toEqual({ timedOut: false, code: 3 })
    await isGone(child)
  })

  it('reports that a program could not be started', async () => {
    const options = { seconds: 60, onLine: () => undefined }
    expect(await runGroup('/there/is/none', [], options)).toEqual({ code: 127, timedOut: false })
  })
})
