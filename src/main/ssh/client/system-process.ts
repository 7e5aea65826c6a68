import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { connect } from 'node:net'
import type { Subscribe } from '#shared/emitter'
import { onAbort } from '../../core/on-abort'
import { refusedFor, servesOneSession } from './refused-address'

/** Where one start of ssh asks, and the ssh of each host on the way with it. */
export interface Asking {
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

/** Seconds that a person has to answer; sshd by itself ends a sign-in after 120. */
export const questionTimeoutSeconds = 130
/** Characters of what ssh says that are kept. */
export const longestText = 16_000

export const option = (name: string, value: string): readonly string[] => ['-o', `${name}=${value}`]
/** What it says is read here, however quiet the person's configuration makes it. */
export const says = option('LogLevel', 'INFO')

/** ssh says with these lines that the sign-in is over, in every version; `-v` would be passed on to the ssh of a jump host. */
export const saysMore = option('LogLevel', 'DEBUG1')
const signedIn = /^debug1: Entering interactive session/
const softwareVersion = /^debug1: Remote protocol version [\d.]+, remote software version (.*)/

const signInBegins = /^debug1: SSH2_MSG_SERVICE_ACCEPT received/
const signInEnds = /^Authenticated (?:to|using) /
/**
 * Messages of ssh's own during a sign-in. ssh ends them with CR LF and prints a banner as it is, so a line of a banner is
 * mistaken for one of them only if it ends that way too.
 */
const ownMessage =
  /^(?:\S+: )?(?:Permission denied|Received disconnect|Disconnect|Connection |Too many authentication|Timeout|ssh_|client_|sign_|Load key|Couldn't load|Could not|Unable to negotiate|Agent |Server |Host key|Bad |Warning: |\*\* |Confirm user presence|User presence|Corrupted|Bytes per|padding error)/

/**
 * Reads the output of ssh line by line. Passes messages to `message`, without the lines of `saysMore` except a refusal of
 * the address, and lines of the server's banner to `banner`. Calls `opened` after the sign-in. `isForOneSession`: the
 * server serves one session on a connection.
 */
export function spokenLines(listener: {
  message(text: string): void
  banner(text: string): void
  opened(server: { readonly isForOneSession: boolean }): void
}) {
  let rest = ''
  let isForOneSession = false
  let isSigningIn = false
  const isBanner = (line: string): boolean =>
    isSigningIn && !(line.endsWith('\r') && ownMessage.test(line)) && !signInEnds.test(line)
  function read(line: string): void {
    isForOneSession ||= servesOneSession(softwareVersion.exec(line)?.[1] ?? '')
    if (signInBegins.test(line)) isSigningIn = true
    if (signedIn.test(line)) listener.opened({ isForOneSession })
    if (line.startsWith('debug1: ')) {
      if (refusedFor(line) !== undefined) listener.message(`${line}\n`)
      return
    }
    if (isBanner(line)) return listener.banner(`${line}\n`)
    if (signInEnds.test(line)) isSigningIn = false
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

/** As ssh says it, where it is ended for it. */
export const late = '\nConnection timed out'

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

/** Runs the arguments as a program, and ends it with its input, or with SIGTERM. Needs nothing of the PATH. */
const untilInputEnds =
  'exec 3<&0; "$@" 3<&- </dev/null & p=$!; trap "kill $p" TERM; (while read -r line; do :; done <&3; kill $p) >/dev/null 2>&1 & w=$!; exec 3<&-; wait $p; s=$?; kill $w 2>/dev/null; exit $s'

/**
 * Starts ssh without a session, which ends with its input: with the application, however that ends. ssh itself does not
 * read its input with -N, and asks the machine for no session, so the machine needs to run no command.
 */
export function startKeeper(
  ssh: SystemSsh,
  options: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcessWithoutNullStreams {
  const program = [ssh.file, '-N', ...options, ...always, ...ssh.args]
  return startProgram({ ...ssh, file: '/bin/sh' }, ['-c', untilInputEnds, 'sh', ...program], env)
}

/** Milliseconds in which a keeper answers on its control socket. */
const greetsWithin = 2_000

/**
 * Whether a keeper still has its connection. It greets each client of its control socket (OpenSSH, PROTOCOL.mux). A
 * keeper whose connection is lost accepts no client any more, although its process may end only 100 ms later.
 */
export function keepsConnection(controlSocket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = connect(controlSocket)
    const answer = (keeps: boolean): void => {
      client.destroy()
      resolve(keeps)
    }
    client
      .setTimeout(greetsWithin, () => answer(false))
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
  return startProgram(ssh, [...options, ...always, ...ssh.args, ...command], env)
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
export const connectTimeout = (ssh: SystemSsh, asking: Asking | null, seconds: number): readonly string[] =>
  option('ConnectTimeout', String(asking && !ssh.isDirect ? questionTimeoutSeconds : seconds))

/** Ends it after so many seconds, of which a person has more from each question on. */
export function endLate(
  child: ChildProcessWithoutNullStreams,
  seconds: number,
  asking: Asking | null,
  late: () => void,
) {
  const wait = (within: number): NodeJS.Timeout =>
    setTimeout(() => {
      late()
      child.kill()
    }, within * 1_000)
  let timer = wait(seconds)
  /** Starts counting again, with another limit. */
  function extend(within: number): void {
    clearTimeout(timer)
    timer = wait(within)
  }
  const stopListening = asking?.onAsk(() => extend(questionTimeoutSeconds))
  return {
    extend,
    /** Sets no limit any more. */
    cancel(): void {
      clearTimeout(timer)
      stopListening?.()
    },
  }
}

/** What ssh said until it ended; it is ended after so many seconds, and with `signal`. */
export function ended(
  child: ChildProcessWithoutNullStreams,
  signal: AbortSignal,
  seconds: number,
  asking: Asking | null,
): Promise<string> {
  return new Promise((resolve) => {
    let said = ''
    const end = (): void => void child.kill()
    const limit = endLate(child, seconds, asking, () => (said += late))
    const stop = onAbort(signal, end)
    if (signal.aborted) end()
    child.stdout.resume()
    child.stdin.on('error', () => undefined).end()
    child.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-longestText)))
    const settle = (): void => {
      limit.cancel()
      stop()
      resolve(said)
    }
    child.on('error', settle)
    child.on('close', settle)
  })
}
