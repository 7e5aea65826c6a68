import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createEmitter, type Subscribe } from '#shared/emitter'
import { makeProcessFolder } from '../../core/process-folder'
import { exec, type ExecLimits } from './channels'
import type { HostKey } from './host-key'
import { keysIn } from './known-hosts'
import { sshConfigQuoted } from './plain-values'
import { reasonIn, refusalIn, type SystemRefusal } from './system-refusal'
import { commandOf, pipeOf, streamOf } from './system-channels'
import { runBySystem } from './system-run'
import { ChannelError, mostUnanswered, type SshConnection } from './transport'

/** Where one start of ssh asks, and the ssh of each host on the way with it. */
interface Asking {
  readonly env: NodeJS.ProcessEnv
  readonly onAsk: Subscribe<undefined>
  close(): void
}

/** The system's ssh as a terminal starts it for one machine. */
export interface SystemSsh {
  readonly file: string
  /** As a terminal has them, the host last. */
  readonly args: readonly string[]
  /** The machine's name in the file of host keys. */
  readonly alias: string
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  /** It can carry several channels over one connection: OpenSSH's port to Windows cannot. */
  readonly shares: boolean
  /** Nothing stands on the way that may ask before the machine answers. */
  readonly isDirect: boolean
  /** Where it asks for passwords and passphrases; null: nowhere. */
  listen(): Promise<Asking | null>
}

type SystemOutcome =
  | { readonly kind: 'connected'; readonly connection: SshConnection }
  | { readonly kind: 'host-key-unknown'; readonly key: HostKey }
  /** It is not one of those recorded, or that of a host on the way is not: `reason`. */
  | { readonly kind: 'host-key-refused'; readonly key: HostKey; readonly reason: string }
  | SystemRefusal

/** Seconds that a person has to answer; sshd by itself ends a sign-in after 120. */
const answersWithin = 130
/** Characters of what ssh says that are kept. */
const longestText = 16_000

const option = (name: string, value: string): readonly string[] => ['-o', `${name}=${value}`]
/** What it says is read here, however quiet the person's configuration makes it. */
const says = option('LogLevel', 'INFO')

/** As ssh says it, where it is ended for it. */
const late = '\nConnection timed out'

/** Before the person's configuration and what a terminal has: of an option the first counts. */
const always = [
  ...option('PermitLocalCommand', 'no'),
  ...option('RemoteCommand', 'none'),
  ...option('ClearAllForwardings', 'yes'),
  ...option('ForwardX11', 'no'),
  // What the person lets a machine use while they work there in a terminal, it is not given in the background.
  ...option('ForwardAgent', 'no'),
  ...option('RequestTTY', 'no'),
]

/** Milliseconds for which a proxy that outlives its ssh may hold open what that says: it closes only then. */
const heldOpenFor = 500

function start(
  ssh: SystemSsh,
  options: readonly string[],
  command: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(ssh.file, [...options, ...always, ...ssh.args, ...command], {
    ...{ env: { ...ssh.env, ...env }, cwd: ssh.folder, windowsHide: true },
    // Without a terminal of its own, so that neither it nor the ssh of a jump host asks there.
    detached: process.platform !== 'win32',
  })
  // What it has said is read before: timers come before what has arrived meanwhile.
  const release = (): void => void setImmediate(() => child.stderr.destroy())
  let timer: NodeJS.Timeout | undefined
  child.once('exit', () => (timer = setTimeout(release, heldOpenFor)))
  child.once('close', () => clearTimeout(timer))
  return child
}

/** Seconds in which the machine has to answer: where a host on the way asks, the person has them first. */
const connectTimeout = (ssh: SystemSsh, asking: Asking | null, seconds: number): readonly string[] =>
  option('ConnectTimeout', String(asking && !ssh.isDirect ? answersWithin : seconds))

/** Ends it after so many seconds, of which a person has more from each question on. The function returned lets it run on. */
function endLate(
  child: ChildProcessWithoutNullStreams,
  seconds: number,
  asking: Asking | null,
  late: () => void,
): () => void {
  const wait = (within: number): NodeJS.Timeout =>
    setTimeout(() => {
      late()
      child.kill()
    }, within * 1_000)
  let timer = wait(seconds)
  const stopListening = asking?.onAsk(() => {
    clearTimeout(timer)
    timer = wait(answersWithin)
  })
  return () => {
    clearTimeout(timer)
    stopListening?.()
  }
}

/** The host's key, asked for by a sign-in that offers nothing, so that a proxy on the way is passed as by any other. */
async function askHostKey(
  ssh: SystemSsh,
  folder: string,
  signal: AbortSignal,
  seconds: number,
): Promise<{ readonly key: HostKey | undefined; readonly said: string }> {
  const file = join(folder, 'k')
  const asking = ssh.isDirect ? null : await ssh.listen()
  const child = start(
    ssh,
    [
      ...option('UserKnownHostsFile', sshConfigQuoted(file)),
      ...option('StrictHostKeyChecking', 'accept-new'),
      ...option('PreferredAuthentications', 'none'),
      ...option('BatchMode', 'yes'),
      ...connectTimeout(ssh, asking, seconds),
      ...says,
    ],
    ['true'],
    asking?.env,
  )
  const said = await ended(child, signal, seconds * 2, asking)
  asking?.close()
  const text = await readFile(file, 'utf8').catch(() => '')
  await rm(file, { force: true })
  return { key: keysIn(text, ssh.alias)[0], said }
}

/** What ssh said until it ended; it is ended after so many seconds, and with `signal`. */
function ended(
  child: ChildProcessWithoutNullStreams,
  signal: AbortSignal,
  seconds: number,
  asking: Asking | null,
): Promise<string> {
  return new Promise((resolve) => {
    let said = ''
    const end = (): void => void child.kill()
    const letRun = endLate(child, seconds, asking, () => (said += late))
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    child.stdout.resume()
    child.stdin.on('error', () => undefined).end()
    child.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-longestText)))
    const settle = (): void => {
      letRun()
      signal.removeEventListener('abort', end)
      resolve(said)
    }
    child.on('error', settle)
    child.on('close', settle)
  })
}

/**
 * A connection that the system's ssh keeps: one of its own that ends with the application, over which it carries the
 * channels where it can; otherwise each is a connection beside it. Host keys are compared with the recorded ones alone.
 * Never rejects.
 */
export async function openSystemConnection(
  ssh: SystemSsh,
  known: readonly HostKey[],
  signal: AbortSignal,
  limits: ExecLimits & { readonly ready: number; readonly keepAlive: number },
): Promise<SystemOutcome> {
  let made: string | undefined
  const remove = (): void =>
    void (made !== undefined && rm(made, { recursive: true, force: true }).catch(() => undefined))
  try {
    const folder = await makeProcessFolder('ssh')
    made = folder
    if (known.length === 0) {
      const { key, said } = await askHostKey(ssh, folder, signal, limits.ready)
      remove()
      return key ? { kind: 'host-key-unknown', key } : refusalIn(said)
    }
    const outcome = await keep(ssh, folder, signal, limits, remove)
    if (typeof outcome !== 'string') return outcome
    const refusal = refusalIn(outcome)
    // Said last, it is of the machine's, whatever a host on the way has said before.
    const isHostKey =
      /Host key verification failed\.\s*$/.test(outcome) ||
      (refusal.kind === 'not-reached' && /Host key verification failed/.test(outcome))
    const { key } = isHostKey ? await askHostKey(ssh, folder, signal, limits.ready) : {}
    remove()
    return key ? { kind: 'host-key-refused', key, reason: reasonIn(outcome) } : refusal
  } catch (error) {
    remove()
    return { kind: 'not-reached', reason: error instanceof Error ? error.message : String(error) }
  }
}

/** The connection that is kept, or what ssh said as it ended. */
async function keep(
  ssh: SystemSsh,
  folder: string,
  signal: AbortSignal,
  limits: ExecLimits & { readonly ready: number; readonly keepAlive: number },
  remove: () => void,
): Promise<Extract<SystemOutcome, { kind: 'connected' }> | string> {
  const socket = option('ControlPath', ssh.shares ? sshConfigQuoted(join(folder, 'c')) : 'none')
  const strict = option('StrictHostKeyChecking', 'yes')
  const alive = [
    ...option('ServerAliveInterval', String(limits.keepAlive)),
    ...option('ServerAliveCountMax', String(mostUnanswered)),
  ]
  const asking = await ssh.listen()
  const child = start(
    ssh,
    [
      ...socket,
      ...strict,
      ...option('ControlMaster', ssh.shares ? 'yes' : 'no'),
      ...option('ControlPersist', 'no'),
      ...option('BatchMode', asking ? 'no' : 'yes'),
      ...connectTimeout(ssh, asking, limits.ready),
      ...alive,
      ...says,
    ],
    // It ends with its input, and so with the application, however that ends.
    ['echo; exec cat'],
    asking?.env,
  )
  const lost = createEmitter<string>()
  const gone = new AbortController()
  let reason: string | undefined
  const end = (): void => void child.kill()
  let said = ''
  const seconds = asking && ssh.isDirect ? answersWithin : limits.ready * 2
  const letRun = endLate(child, seconds, asking, () => (said += late))
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  /** Characters, of which `said` has the last. */
  let saidInAll = 0
  child.stdin.on('error', () => undefined)
  child.stderr.on('data', (data: Buffer) => {
    const text = data.toString()
    saidInAll += text.length
    said = (said + text).slice(-longestText)
  })
  const isOpen = await new Promise<boolean>((resolve) => {
    child.stdout.once('data', () => resolve(true))
    child.once('close', () => resolve(false))
    child.once('error', (error) => {
      said += error.message
      resolve(false)
    })
  })
  letRun()
  signal.removeEventListener('abort', end)
  asking?.close()
  if (!isOpen) return said
  const lose = (): void => {
    reason = reasonIn(said)
    gone.abort(new ChannelError('lost', 'connection lost'))
    remove()
    lost.emit(reason)
    lost.clear()
  }
  child.stdout.resume()
  child.once('exit', lose)
  if (child.exitCode !== null || child.signalCode !== null) lose()

  // Over the kept connection, or not at all; or over a line of its own, which can be lost by itself.
  const only = ssh.shares
    ? option('ProxyCommand', 'false')
    : [...option('BatchMode', 'yes'), ...option('ConnectTimeout', String(limits.ready)), ...alive]
  const channel = (options: readonly string[], command: readonly string[]) =>
    start(ssh, [...socket, ...strict, ...option('ControlMaster', 'no'), ...only, ...options], command)
  const whileOpen = <Value>(open: () => Promise<Value>): Promise<Value> =>
    reason === undefined ? open() : Promise.reject(new ChannelError('lost', 'connection lost'))
  const quiet = option('LogLevel', 'ERROR')
  const plain = (command: string) => channel(quiet, [command])
  const run: SshConnection['run'] = (command, output, abort) =>
    whileOpen(() => runBySystem(plain, command, output, gone.signal, abort, !ssh.shares))
  const runPlain: SshConnection['run'] = (command, output, abort) =>
    whileOpen(() => commandOf(() => plain(command), output, gone.signal, abort))
  const open = (options: readonly string[], command: readonly string[], abort?: AbortSignal) =>
    whileOpen(() => {
      const before = saidInAll
      // What it said of an earlier channel is no answer to this one.
      const since = (): string => said.slice(Math.max(0, said.length - (saidInAll - before)))
      return streamOf(() => channel(options, command), gone.signal, since, abort)
    })
  return {
    kind: 'connected',
    connection: {
      run,
      exec: (command, abort) => exec((output, ending) => runPlain(command, output, ending), limits, abort),
      pipe: (command, abort) => whileOpen(() => pipeOf(() => plain(command), gone.signal, abort)),
      shell: () => Promise.reject(new ChannelError('refused', 'a terminal runs its own ssh')),
      forward: (host, port, abort) => {
        const place = `${host.includes(':') ? `[${host}]` : host}:${String(port)}`
        return open(['-vv', '-W', place], [], abort)
      },
      sftp: (abort) => open(['-vv', '-s'], ['sftp'], abort),
      ...(!ssh.shares && { signsInAgain: true }),
      onLost: (listener) => {
        if (reason !== undefined) listener(reason)
        return lost.on(listener)
      },
      close: () => {
        lost.clear()
        child.kill()
      },
    },
  }
}
