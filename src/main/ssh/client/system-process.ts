import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { connect } from 'node:net'
import type { Subscribe } from '#shared/emitter'
import { onAbort } from '../../core/on-abort'
import { refusedFor, servesOneSession } from './refused-address'
import { signInLimit, userActionSeconds } from './sign-in-limit'

/** Endpoint for the questions of one start of ssh, and of the ssh for each jump host. */
export interface Asking {
  readonly env: NodeJS.ProcessEnv
  readonly onAsk: Subscribe<undefined>
  close(): void
}

/** The system's ssh, as a terminal starts it for one machine. */
export interface SystemSsh {
  readonly file: string
  /** Arguments of a terminal, the host last. */
  readonly args: readonly string[]
  /** The machine's name in the file of host keys. */
  readonly alias: string
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  /** Whether it can carry several channels over one connection: OpenSSH for Windows cannot. */
  readonly shares: boolean
  /** Whether no proxy or jump host can ask a question before the machine answers. */
  readonly isDirect: boolean
  /** Opens an endpoint for questions; null: ssh can ask nothing. */
  listen(): Promise<Asking | null>
}

/** Characters of ssh's output that are kept. */
export const maxOutputLength = 16_000

export const option = (name: string, value: string): readonly string[] => ['-o', `${name}=${value}`]
/** Overrides the user's log level, since the output of ssh is read here. */
export const printsMessages = option('LogLevel', 'INFO')
/** Prints the progress of a sign-in, in every version. The ssh of a jump host would inherit `-v`. */
export const printsProgress = option('LogLevel', 'DEBUG1')
const signedIn = /^debug1: Entering interactive session/
const softwareVersion = /^debug1: Remote protocol version [\d.]+, remote software version (.*)/

const proxyStarts = /^debug1: Executing proxy command: /
const signInBegins = /^debug1: SSH2_MSG_SERVICE_ACCEPT received/
const signInEnds = /^Authenticated (?:to|using) /
/**
 * Messages that ssh itself prints during a sign-in. They end like its debug lines, with CR LF in all versions so far. ssh
 * prints a banner unchanged, so a line of a banner counts as a message only if it ends in the same way.
 */
const ownMessage =
  /^(?:\S+: )?(?:Permission denied|Received disconnect|Disconnect|Connection |Too many authentication|Timeout|ssh_|client_|sign_|Load key|Couldn't load|Could not|Unable to negotiate|Agent |Server |Host key|Bad |Warning: |\*\* |Confirm user presence|User presence|Corrupted|Bytes per|padding error|no such identity: |@@@@@|@ +WARNING: |Permissions \d+ for |It is (?:required|recommended) that your private key|This private key will be ignored)/

/**
 * Reads the output of ssh line by line. Calls `message` for messages, without debug lines except a refusal of the address,
 * `banner` for lines of the server's banner, and `opened` after the sign-in. The proxy prints among ssh's lines until the
 * server answers: its lines are a banner of a jump host, or messages, so both are called. `isForOneSession`: the server
 * serves one session on a connection.
 */
export function outputLines(listener: {
  message(text: string): void
  banner(text: string): void
  opened(server: { readonly isForOneSession: boolean }): void
}) {
  let rest = ''
  let isForOneSession = false
  let isBehindProxy = false
  let isSigningIn = false
  let endsWithCr = true
  const isBanner = (line: string): boolean =>
    isSigningIn && !(line.endsWith('\r') === endsWithCr && ownMessage.test(line)) && !signInEnds.test(line)
  function read(line: string): void {
    isForOneSession ||= servesOneSession(softwareVersion.exec(line)?.[1] ?? '')
    if (proxyStarts.test(line)) isBehindProxy = true
    if (softwareVersion.test(line)) isBehindProxy = false
    if (signInBegins.test(line)) isSigningIn = true
    if (signedIn.test(line)) listener.opened({ isForOneSession })
    if (line.startsWith('debug1: ')) {
      endsWithCr = line.endsWith('\r')
      if (refusedFor(line) !== undefined) listener.message(`${line}\n`)
      return
    }
    if (isBanner(line)) return listener.banner(`${line}\n`)
    if (signInEnds.test(line)) isSigningIn = false
    if (isBehindProxy && !ownMessage.test(line)) listener.banner(`${line}\n`)
    listener.message(`${line}\n`)
  }
  return {
    push(text: string): void {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      lines.forEach(read)
    },
    end(): void {
      listener.message(rest)
      rest = ''
    },
  }
}

/** Output of an ssh that was ended for taking too long, as ssh itself would print it. */
export const timeoutMessage = '\nConnection timed out'

/** Options in front of all others, as ssh uses the first value of each. */
const firstOptions = [
  ...option('PermitLocalCommand', 'no'),
  ...option('RemoteCommand', 'none'),
  ...option('ClearAllForwardings', 'yes'),
  ...option('ForwardX11', 'no'),
  // The user lends their agent to a terminal, not to work in the background.
  ...option('ForwardAgent', 'no'),
  ...option('RequestTTY', 'no'),
]

/** Time after the end of ssh in which its output may stay open: a proxy that outlives ssh can hold it open. */
const outputCloseTimeoutMs = 500

/** Runs its arguments as a program, and ends it with its own input or with SIGTERM. Needs no other program. */
const untilInputEnds =
  'exec 3<&0; "$@" 3<&- </dev/null & p=$!; trap "kill $p" TERM; (while read -r line; do :; done <&3; kill $p) >/dev/null 2>&1 & w=$!; exec 3<&-; wait $p; s=$?; kill $w 2>/dev/null; exit $s'

/**
 * Starts an ssh that keeps a connection without a session (-N), so the machine runs no command. It ends with its input, so
 * also if the application crashes.
 */
export function startKeeper(
  ssh: SystemSsh,
  options: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcessWithoutNullStreams {
  const program = [ssh.file, '-N', ...options, ...firstOptions, ...ssh.args]
  return startProgram({ ...ssh, file: '/bin/sh' }, ['-c', untilInputEnds, 'sh', ...program], env)
}

/** Time in which a keeper answers on its control socket. */
const greetingTimeoutMs = 2_000

/**
 * Returns whether a keeper still has its connection: it then greets clients of its control socket (OpenSSH, PROTOCOL.mux).
 * After a loss it accepts no more clients, although its process may end only 100 ms later.
 */
export function keepsConnection(controlSocket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = connect(controlSocket)
    const answer = (keeps: boolean): void => {
      client.destroy()
      resolve(keeps)
    }
    client
      .setTimeout(greetingTimeoutMs, () => answer(false))
      .on('error', () => answer(false))
      .once('close', () => answer(false))
      .once('data', () => answer(true))
  })
}

export function start(
  ssh: SystemSsh,
  options: readonly string[],
  command: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcessWithoutNullStreams {
  return startProgram(ssh, [...options, ...firstOptions, ...ssh.args, ...command], env)
}

function startProgram(
  ssh: Pick<SystemSsh, 'file' | 'env' | 'folder'>,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ChildProcessWithoutNullStreams {
  const child = spawn(ssh.file, args, {
    env: { ...ssh.env, ...env },
    cwd: ssh.folder,
    windowsHide: true,
    // Detached from the terminal, so that neither ssh nor the ssh of a jump host asks there.
    detached: process.platform !== 'win32',
  })
  // Reads the output that has arrived first: timers run before it.
  const release = (): void => void setImmediate(() => child.stderr.destroy())
  let timer: NodeJS.Timeout | undefined
  child.once('exit', () => (timer = setTimeout(release, outputCloseTimeoutMs)))
  child.once('close', () => clearTimeout(timer))
  return child
}

/** Limit for the machine's first answer. Includes the user's time if a jump host may ask a question. */
export const connectTimeout = (ssh: SystemSsh, asking: Asking | null, seconds: number): readonly string[] =>
  option('ConnectTimeout', String(asking && !ssh.isDirect ? userActionSeconds : seconds))

/** Ends ssh after `seconds`. Each question, and `restart`, start a new limit. */
export function endLate(
  child: ChildProcessWithoutNullStreams,
  seconds: number,
  asking: Asking | null,
  timedOut: () => void,
): ReturnType<typeof signInLimit> {
  const limit = signInLimit(seconds, () => {
    timedOut()
    child.kill()
  })
  const stopListening = asking?.onAsk(() => limit.restart(userActionSeconds))
  return {
    restart: limit.restart,
    cancel(): void {
      limit.cancel()
      stopListening?.()
    },
  }
}

/** Returns the output of ssh until it ends. Ends it after `seconds`, and when `signal` aborts. */
export function outputOf(
  child: ChildProcessWithoutNullStreams,
  signal: AbortSignal,
  seconds: number,
  asking: Asking | null,
): Promise<string> {
  return new Promise((resolve) => {
    let output = ''
    const end = (): void => void child.kill()
    const limit = endLate(child, seconds, asking, () => (output += timeoutMessage))
    const stop = onAbort(signal, end)
    if (signal.aborted) end()
    child.stdout.resume()
    child.stdin.on('error', () => undefined).end()
    child.stderr.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-maxOutputLength)))
    const settle = (): void => {
      limit.cancel()
      stop()
      resolve(output)
    }
    child.on('error', settle)
    child.on('close', settle)
  })
}
