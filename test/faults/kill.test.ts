import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { runSandbox } from '../fixtures/account-harness'
import { deep } from '../fixtures/counts'
import { control, stateOf } from '../fixtures/sandbox-control'
import { type Found, Message, type Orders } from './kill/messages'

/** Maximum life of a process as a multiple of its start time: it dies while starting or working. */
const moments = { starting: 1, working: 1.5 }

const Books = z.object({
  data: z.object({ resources: z.array(z.object({ statements: z.int(), charged: z.number() })) }),
})

/** Deterministic random numbers in [0, 1). */
const randomNumbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

/** The program of a life bundled into one file, which starts faster than its sources. */
async function buildLife(): Promise<string> {
  const outDir = fileURLToPath(new URL('../../node_modules/.cache/kill-test', import.meta.url))
  const entry = fileURLToPath(new URL('./kill/life.ts', import.meta.url))
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: true,
      minify: false,
      // Absent if they could not be built, which the program tolerates.
      rollupOptions: { external: ['keytar', 'libsql', '@lydell/node-pty'] },
    },
  })
  return join(outDir, readdirSync(outDir).find((name) => /^life\.m?js$/.test(name)) ?? 'life.js')
}

/** Confirmations to the user in all lives so far. */
interface Confirmed {
  readonly notes: Map<string, string>
  port: number | null
  /** Names by id. */
  readonly creations: Map<string, string>
}

/** Confirmed data that was missing at the next start. */
function lost({ notes, port }: Confirmed, found: Found, orders: Orders): string[] {
  const newer = (one: string | undefined, other: string): boolean => {
    const [life = -1, step = -1] = (one ?? '').split('.').map(Number)
    const [otherLife = 0, otherStep = 0] = other.split('.').map(Number)
    return life > otherLife || (life === otherLife && step >= otherStep)
  }
  const problems = [...notes]
    .filter(([id, text]) => !newer(found.notes[id], text))
    .map(([id]) => `the note ${id}`)
  if (port !== null && (found.port === null || found.port < port)) problems.push('the port')
  if (found.store !== 'open') problems.push(`the store: ${found.store}`)
  if (found.integrity !== 'ok') problems.push(`the integrity of the store: ${found.integrity}`)
  return problems.map((problem) => `life ${String(orders.life)} lacks ${problem}`)
}

/** Kills the child after so many milliseconds. */
const killAfter = (child: ChildProcess, milliseconds: number) =>
  setTimeout(() => child.kill('SIGKILL'), milliseconds)

it(
  'a kill at any moment loses no confirmed data, repeats no request, and leaves the store intact',
  async () => {
    const program = await buildLife()
    const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-kill-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const sandbox = await runSandbox({ speed: 1 })
    const { baseUrl, username, password } = sandbox
    const random = randomNumbers(11)
    const confirmed: Confirmed = { notes: new Map(), port: null, creations: new Map() }
    const problems: string[] = []
    let settled: Extract<Message, { kind: 'settled' }> | undefined
    let statements = 0
    /** Names of every creation ever listed, and names that have left the list by design. */
    const seen = new Set<string>()
    const left = new Set<string>()
    /** Milliseconds of the last start. */
    let start = 0
    const counts = { starting: 0, working: 0, confirmed: 0 }

    async function runLife(life: number, isLast: boolean): Promise<void> {
      const orders: Orders = { folder, baseUrl, username, password, life, isLast }
      const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
      let timer: NodeJS.Timeout | undefined
      let isReady = false
      const startedAt = performance.now()
      child.on('message', (raw) => {
        const message = Message.parse(raw)
        if (message.kind === 'ready') {
          isReady = true
          start = performance.now() - startedAt
          message.found.creations.forEach(({ name }) => seen.add(name))
          const listed = new Set(message.found.creations.map(({ id }) => id))
          confirmed.creations.forEach((name, id) => (listed.has(id) ? undefined : left.add(name)))
          problems.push(...lost(confirmed, message.found, orders))
          if (message.found.statements < statements) problems.push(`life ${String(life)} lost statements`)
          statements = message.found.statements
          if (!isLast) timer ??= killAfter(child, random() * start * moments.working)
        } else if (message.kind === 'failed') problems.push(`life ${String(life)}: ${message.reason}`)
        else if (message.kind === 'settled') {
          settled = message
          child.kill('SIGKILL')
        } else {
          counts.confirmed += 1
          if (message.kind === 'noted') confirmed.notes.set(message.resource, message.text)
          else if (message.kind === 'set') confirmed.port = message.port
          else confirmed.creations.set(message.creation, message.name)
        }
      })
      child.send(orders)
      // The first life signs in.
      if (!isLast && life > 0 && random() < 0.3) timer = killAfter(child, random() * start * moments.starting)
      await once(child, 'exit')
      clearTimeout(timer)
      counts[isReady ? 'working' : 'starting'] += 1
    }

    const kills = deep(6, 300)
    for (let life = 0; life < kills && problems.length === 0; life += 1) {
      await control(sandbox, 'POST', '/clock', { advance: 120 })
      await control(sandbox, 'PUT', '/balance', { USD: 1_000_000 })
      await runLife(life, false)
      if (life % 25 === 24) console.info(`${String(life + 1)} of ${String(kills)} killed`)
    }
    await control(sandbox, 'POST', '/clock', { held: true })
    await runLife(kills, true)
    expect(problems).toEqual([])

    const end = settled ?? expect.fail('the last life did not settle')
    const { machines } = await stateOf(sandbox)
    const made = machines.filter(({ name }) => name.startsWith('life-')).map(({ name }) => name)
    // Each exists once and is known here, and confirmed creations exist.
    expect(new Set(made).size).toBe(made.length)
    const known = new Map(end.creations.map(({ name, state }) => [name, state.kind]))
    const names = new Set([...seen, ...known.keys(), ...confirmed.creations.values()])
    expect([...left].filter((name) => !made.includes(name))).toEqual([])
    expect(made.filter((name) => !names.has(name))).toEqual([])
    const absent = [...names].filter((name) => !made.includes(name))
    expect(absent.filter((name) => known.get(name) !== 'absent')).toEqual([])
    for (const [name, state] of known)
      expect({ name, isThere: made.includes(name) }).toEqual({ name, isThere: state !== 'absent' })
    expect(machines.length).toBe(made.length + 12)
    const { resources } = Books.parse(await control(sandbox, 'GET', '/ledger')).data
    const total = (pick: (one: (typeof resources)[number]) => number) =>
      resources.reduce((sum, one) => sum + pick(one), 0)
    expect([end.statements, end.sum]).toEqual([total((one) => one.statements), total((one) => one.charged)])
    console.info(
      `${String(kills)} kills survived: ${JSON.stringify({ ...counts, machines: made.length, statements: end.statements })}`,
    )
  },
  deep(240_000, 3_600_000),
)
