// 100 MB printed over the system's ssh by a real sshd, until all is drawn in the packaged application's terminal.
// Yardstick: xterm.js in the same window with the same bytes from memory, without other load and while ssh reads them
// without output. Then Ctrl-C during `yes`, and the memory in use.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { build } from 'vite'
import { askBridge, machineId, selectedAccount } from '../test/e2e/support/bridge'
import { chooseToConnect, connect, openMachine } from '../test/e2e/support/window'
import { makeKey, type RunningSshd, startSshd } from '../test/fixtures/sshd'
import { alternate, compare, elapsed, finish } from './support/compare'
import { median } from './support/median'
import { openPackaged } from './support/packaged-window'
import { memoryOf } from './support/processes'
import { startSandboxProcess } from './support/sandbox-process'
import { piece } from './terminal/output'

/**
 * `ratio`: 0.8 of the speed of xterm.js without other load; `interrupt` in milliseconds, `memory` in additional MB.
 */
const goals = { ratio: 1.25, interrupt: 200, memory: 150 }
const megabytes = Number(process.argv[2] ?? 100)
const rounds = Number(process.argv[3] ?? 2)
const machine = 'train-llama-01'
/** Upper bound on the seconds of a script on the machine. */
const patience = 300

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-'))
const inFolder = (name: string): string => join(folder, name)
mkdirSync(inFolder('user-data'))
const source = Buffer.from(piece())
const bytes = megabytes * 1_000_000
const file = inFolder('output')
writeFileSync(file, Buffer.alloc(bytes, source))

// A terminal reports its cursor once it has drawn everything before the request.
const drawn = `printf '\\033[6n'; IFS= read -rs -d R answer`
const now = 'date +%s%N'
writeFileSync(
  inFolder('print.sh'),
  `stty -echo -icanon\nfrom=$(${now})\ncat ${file}\n${drawn}\necho $(( $(${now}) - from )) > ${inFolder('printed')}\nstty sane\n`,
)
writeFileSync(
  inFolder('interrupt.sh'),
  `trap : INT\necho begun > ${inFolder('begun')}\nyes\n${now} > ${inFolder('stopped')}\nstty -echo -icanon\n${drawn}\n${now} > ${inFolder('quiet')}\nstty sane\n`,
)

/** Returns a script's result from its file, once it exists. */
async function left(name: string): Promise<string> {
  const path = inFolder(name)
  for (const until = Date.now() + patience * 1_000; ;) {
    if (Date.now() > until) throw new Error(`the script left no ${name} in ${String(patience)} seconds`)
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    if (text.endsWith('\n')) {
      rmSync(path)
      return text.trim()
    }
    await pause(10)
  }
}

const service = await startSandboxProcess(12)
const hostKey = makeKey(inFolder('host'))
const key = makeKey(inFolder('key'))
let sshd: RunningSshd | undefined
try {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'chrome130',
      rollupOptions: {
        input: join(import.meta.dirname, 'terminal/page.ts'),
        output: { format: 'iife', entryFileNames: 'page.js' },
      },
    },
  })
  const { window, pid, quit } = await openPackaged(inFolder('user-data'))
  try {
    window.setDefaultTimeout(patience * 1_000)
    await chooseToConnect(window)
    await connect(window, service)
    await window.getByRole('link', { name: /^Machines/ }).click()
    const panel = await openMachine(window, machine)
    const [account, id] = [await selectedAccount(window), await machineId(window, machine)]
    const { machines } = await askBridge(window, 'fleet.snapshot', { account })
    // The sandbox's machines have addresses of the loopback; this one is now a real server.
    const address = machines.find((one) => one.id === id)?.address ?? '127.0.0.1'
    const set = { ListenAddress: address, ForceCommand: 'none' }
    sshd = await startSshd({ hostKeys: [hostKey], admits: key, set })
    const reached = { user: sshd.user, port: sshd.port, identityFile: key }
    await askBridge(window, 'ssh.configure', { account, machine: id, ...reached })
    await panel.getByRole('button', { name: 'Open here' }).click()
    const screen = window.getByRole('tabpanel', { name: `Terminal of ${machine}` }).locator('textarea')
    const run = async (line: string): Promise<void> => {
      await screen.focus()
      await window.keyboard.type(line)
      await window.keyboard.press('Enter')
    }
    await screen.waitFor({ state: 'attached' })
    await sshd.logged(/Accepted publickey/)
    await run(`echo ready > ${inFolder('ready')}`)
    await left('ready')
    await window.evaluate(readFileSync(inFolder('page.js'), 'utf8'))

    const page = await window.context().newCDPSession(window)
    const print = async (): Promise<number> => {
      await run(`bash ${inFolder('print.sh')}`)
      return Number(await left('printed')) / 1e6
    }
    const feed = async (): Promise<number> => {
      const took = Number(await window.evaluate(`feed(${String(bytes)})`))
      // Its terminal is not ours, and is in the same process.
      await page.send('HeapProfiler.collectGarbage')
      return took
    }
    // ssh, sshd and both pseudo-terminals use part of the two processors.
    const readByNobody = async (): Promise<number> => {
      const options = { StrictHostKeyChecking: 'no', UserKnownHostsFile: '/dev/null', IdentitiesOnly: 'yes' }
      const args = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
      const reach = ['-F', '/dev/null', '-i', key, '-p', String(reached.port), `${reached.user}@${address}`]
      const command = `exec ssh -q -tt "$@" cat ${file} > /dev/null`
      return elapsed(() => promisify(execFile)('sh', ['-c', command, 'sh', ...args, ...reach]))
    }
    const before = memoryOf(pid)
    let most = before
    // Not in a timed round: the kernel goes through all pages of six processes.
    const watching = setInterval(() => (most = Math.max(most, memoryOf(pid))), 250)
    await print()
    clearInterval(watching)
    const measured = await alternate({ rounds, ours: print, yardstick: feed })
    const beside: number[] = []
    for (let round = 0; round < rounds; round += 1)
      beside.push(Math.max(...(await Promise.all([feed(), readByNobody()]))))

    const interrupts: number[] = []
    const stops: number[] = []
    for (let round = 0; round < 5; round += 1) {
      await run(`bash ${inFolder('interrupt.sh')}`)
      await left('begun')
      await pause(1_500)
      const pressed = Date.now()
      await window.keyboard.press('Control+C')
      stops.push(Number(await left('stopped')) / 1e6 - pressed)
      interrupts.push(Number(await left('quiet')) / 1e6 - pressed)
    }
    const ratio = compare(`${String(megabytes)} MB through ssh until drawn`, 'ms', measured, goals.ratio)
    const besideSsh = Number((median(measured.ours) / median(beside)).toFixed(3))
    console.log(
      `Fed while ssh reads the same for nobody: ${median(beside).toFixed(0)} ms, of which the terminal takes ${besideSsh}`,
    )
    const interrupt = Math.round(median(interrupts))
    const memory = Math.round(most - before)
    console.log(
      `Ctrl-C ends yes after ${median(stops).toFixed(0)} ms, and the screen rests after ${String(interrupt)} ms ` +
        `(goal ≤ ${String(goals.interrupt)}); at most ${String(memory)} MB more than before (goal ≤ ${String(goals.memory)})`,
    )
    finish({
      bench: 'terminal',
      ratio,
      unit: 'ms',
      runs: rounds,
      goal: goals.ratio,
      besideSsh,
      interrupt,
      interruptGoal: goals.interrupt,
      memory,
      memoryGoal: goals.memory,
      megabytes,
    })
  } finally {
    await quit()
  }
} finally {
  await sshd?.close()
  await service.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
