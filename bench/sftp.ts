// Uploads and downloads compared with OpenSSH's sftp, over a connection with added delay: one large file, and many
// small ones. The server is OpenSSH's own on loopback. Both sides use the same proxy, which delays the data.
import { execFile, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ssh2 from 'ssh2'
import { systemClock } from '../src/main/core/clock'
import { downloadJob } from '../src/main/files/download-job'
import { type Job, newProgress, type Progress } from '../src/main/files/transfer-job'
import { openTransferChannel } from '../src/main/files/transfer-channel'
import { uploadJob } from '../src/main/files/upload-job'
import { openConnection } from '../src/main/ssh/client/connection'
import { hostKeyOf } from '../src/main/ssh/client/host-key'
import { makeKey, startSshd, temporaryFolder } from '../test/fixtures/sshd'
import { alternate, compare, elapsed, finish, pick } from './support/compare'
import { slowestOverGoal } from './support/over-goals'

const megabyte = 1_000_000
/** Added round-trip delay (0: without the proxy), megabytes of the large file, rounds, and goal. */
const lines = [
  { delayMs: 0, megabytes: 64, rounds: 5, goal: 0.8 },
  { delayMs: 50, megabytes: 48, rounds: 3, goal: 1 },
  { delayMs: 200, megabytes: 64, rounds: 2, goal: 1 },
] as const
/** `sftp` copies files sequentially: if that takes minutes it gets fewer, and its time is per file. */
const small = [
  { delayMs: 0, ours: 10_000, yardstick: 2_000 },
  { delayMs: 50, ours: 10_000, yardstick: 60 },
] as const
const goalOfSmall = 5
/** Seconds after which no new copy starts, and the limit of one copy: a busy computer ends with fewer figures. */
const [enough, longest] = [240, 60]
/** `npm run bench -- sftp 50`: only this delay. */
const chosen = process.argv.slice(2).map(Number)
const isChosen = ({ delayMs }: { readonly delayMs: number }): boolean =>
  chosen.length === 0 || chosen.includes(delayMs)

const folder = temporaryFolder('wheelhouse-bench-sftp-')
const [hostKey, key] = [makeKey(join(folder, 'host')), makeKey(join(folder, 'id'))]
const sshd = await startSshd({ hostKeys: [hostKey], admits: key, command: 'none' })
const line = fork(join(import.meta.dirname, 'support/delayed-line.ts'), [String(sshd.port)], {
  execArgv: ['--import', 'tsx'],
})
const linePort = await new Promise<unknown>((resolve, reject) => {
  line.once('message', resolve)
  line.once('exit', () => reject(new Error('the delayed line did not start')))
})
let port = sshd.port
const delay = (ms: number): void => {
  port = ms === 0 ? sshd.port : Number(linePort)
  line.send(ms)
}
const parsed = (path: string): ssh2.ParsedKey => {
  const found = ssh2.utils.parseKey(readFileSync(path, 'utf8'))
  if (found instanceof Error) throw found
  return found
}
const target = {
  user: sshd.user,
  host: '127.0.0.1',
  known: [hostKeyOf(parsed(`${hostKey}.pub`).getPublicSSH())],
  keys: [{ name: key, method: { type: 'publickey', username: sshd.user, key: parsed(key) } as const }],
}

/** Seconds of the copy itself, as for a user who has the machine's files open. */
async function ours(jobOf: (progress: Progress) => Job): Promise<number> {
  const signal = AbortSignal.timeout(longest * 1_000)
  const outcome = await openConnection({ ...target, port }, signal)
  if (outcome.kind !== 'connected') throw new Error(`not connected: ${outcome.kind}`)
  const { connection } = outcome
  const { channel: open, close } = await openTransferChannel(connection, systemClock, signal)
  const job = jobOf(newProgress())
  const time = await elapsed(() => job.attempt(open, signal))
  close()
  connection.close()
  return time / 1_000
}

const options = {
  IdentityFile: key,
  IdentitiesOnly: 'yes',
  StrictHostKeyChecking: 'no',
  LogLevel: 'ERROR',
  UserKnownHostsFile: '/dev/null',
  ControlMaster: 'no',
}
/** If `sftp` takes too long, there is no yardstick. */
class NoYardstick extends Error {}

/** Returns the seconds of `sftp` for the same copy, minus an idle session. Fails with NoYardstick. */
async function openssh(command: string): Promise<number> {
  const args = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const run = (batch: string): Promise<number> =>
    elapsed(() => {
      const path = join(folder, 'batch')
      writeFileSync(path, `${batch}\n`)
      return promisify(execFile)(
        'sftp',
        ['-q', '-F', '/dev/null', '-P', String(port), ...args, '-b', path, `${sshd.user}@127.0.0.1`],
        { timeout: longest * 1_000 },
      ).catch((error: unknown) => {
        throw new NoYardstick('sftp failed or took too long', { cause: error })
      })
    })
  const nothing = await run('pwd')
  return ((await run(command)) - nothing) / 1_000
}

let place = 0
const emptyFolder = (): string => {
  const path = join(folder, `to-${(place += 1)}`)
  mkdirSync(path)
  return path
}
async function inEmptyFolder(work: (to: string) => Promise<number>): Promise<number> {
  const to = emptyFolder()
  try {
    return await work(to)
  } finally {
    rmSync(to, { recursive: true })
  }
}
/** The target is empty before. */
const ask = (): never => {
  throw new Error('a name is taken')
}
const upload = (source: string) => (to: string) =>
  ours((progress) =>
    uploadJob({
      folder: to,
      paths: [source],
      reserved: () => new Set(),
      platform: process.platform,
      progress,
      ask: { conflict: ask, links: ask },
    }),
  )
const download = (from: string, name: string) => (to: string) =>
  ours((progress) =>
    downloadJob({
      folder: from,
      names: [name],
      target: { kind: 'folder', path: to },
      progress,
      platform: process.platform,
      ask: { conflict: ask, links: ask },
    }),
  )

/** Speed as a multiple of `sftp`; above 1 is faster, 0: ours failed or timed out. */
const speeds: Record<string, number> = {}
/** Copies that were not measured, for lack of time or a yardstick. */
const left: string[] = []
const began = performance.now()
async function measure(name: string, speed: () => Promise<number>): Promise<void> {
  if (performance.now() - began > enough * 1_000) return void left.push(name)
  try {
    speeds[name] = await speed()
  } catch (error) {
    if (error instanceof NoYardstick) left.push(name)
    else speeds[name] = 0
    console.log(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function measureLarge({ delayMs, megabytes, rounds, goal }: (typeof lines)[number]): Promise<void> {
  delay(delayMs)
  const name = `large-${delayMs}`
  const source = join(folder, name)
  writeFileSync(source, randomBytes(megabytes * megabyte))
  const sides = {
    upload: { ours: upload(source), yardstick: (to: string) => openssh(`put ${source} ${to}/copy`) },
    download: {
      ours: download(folder, name),
      yardstick: (to: string) => openssh(`get ${source} ${to}/copy`),
    },
  }
  for (const [way, side] of Object.entries(sides))
    await measure(`${way} ${delayMs} ms`, async () => {
      const measured = await alternate({
        rounds,
        ours: () => inEmptyFolder(side.ours),
        yardstick: () => inEmptyFolder(side.yardstick),
      })
      const perSecond = pick(measured, (seconds) => megabytes / seconds)
      return compare(`${way}, ${delayMs} ms, at least ${goal}`, 'MB/s', perSecond)
    })
  rmSync(source)
}

async function measureSmall({ delayMs, ...count }: (typeof small)[number]): Promise<void> {
  delay(delayMs)
  const sources = { ours: join(folder, `many-${delayMs}`), yardstick: join(folder, `few-${delayMs}`) }
  for (const side of ['ours', 'yardstick'] as const)
    for (let at = 0; at < count[side]; at += 1) {
      const within = join(sources[side], String(Math.floor(at / 100)))
      mkdirSync(within, { recursive: true })
      writeFileSync(join(within, `${at}.txt`), randomBytes(2_000))
    }
  const sides = {
    upload: {
      ours: upload(sources.ours),
      yardstick: (to: string) => openssh(`put -r ${sources.yardstick} ${to}/copy`),
    },
    download: {
      ours: download(folder, `many-${delayMs}`),
      yardstick: (to: string) => openssh(`get -r ${sources.yardstick} ${to}/copy`),
    },
  }
  for (const [way, side] of Object.entries(sides))
    await measure(`small ${way} ${delayMs} ms`, async () => {
      const { ours: own, yardstick } = await alternate({
        rounds: 1,
        warmUp: 0,
        // Deleted at the end: ext4 skips each inode that was deleted in the last seconds, so a new file takes 20
        // times as long after thousands were removed.
        ours: () => side.ours(emptyFolder()),
        yardstick: () => side.yardstick(emptyFolder()),
      })
      const files = {
        ours: own.map((seconds) => count.ours / seconds),
        yardstick: yardstick.map((seconds) => count.yardstick / seconds),
      }
      const what = `${way} of ${count.ours} small files, ${delayMs} ms, at least ${goalOfSmall}`
      return compare(what, 'files/s', files)
    })
}

try {
  for (const count of small.filter(isChosen)) await measureSmall(count)
  for (const size of lines.filter(isChosen)) await measureLarge(size)
} finally {
  if (line.connected) line.disconnect()
  await sshd.close()
  rmSync(folder, { recursive: true })
}
const goals = [
  ...lines
    .filter(isChosen)
    .flatMap(({ delayMs, goal }) =>
      ['upload', 'download'].map((way) => [`${way} ${delayMs} ms`, goal] as const),
    ),
  ...small
    .filter(isChosen)
    .flatMap(({ delayMs }) =>
      ['upload', 'download'].map((way) => [`small ${way} ${delayMs} ms`, goalOfSmall] as const),
    ),
]
const ratio = slowestOverGoal(goals, speeds)
if (ratio === null) process.exitCode = 1
finish({
  bench: 'sftp',
  ratio,
  unit: 'speed over goal',
  runs: Math.max(...lines.map(({ rounds }) => rounds)),
  goal: 1,
  ...speeds,
  left,
})
