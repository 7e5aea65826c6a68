import type { TerminalState } from '#shared/bridge/terminal'
import { type Failure, FailureError } from '#shared/failure'
import { failureOf } from '../core/failure-of'
import type { Clock } from '../core/clock'
import type { Network } from '../core/network'
import { isRecent } from '../core/elapsed'
import { channelPty, type PreparedShell } from './channel-pty'
import { createOutput } from './output'
import type { Pty, PtyListener, PtyProgram, StartPty } from './pty'

type TerminalSize = Pick<PtyProgram, 'columns' | 'rows'>
/** What is run, checked anew before every attempt: ssh, or a shell that is open already. Fails as ssh.connect does. */
export type PrepareProgram = (
  size: TerminalSize,
  signal: AbortSignal,
  /** Shows a text in the terminal before the program runs. */
  print: (text: string) => void,
) => Promise<PreparedProgram>
export type PreparedProgram = (Omit<PtyProgram, keyof TerminalSize> | PreparedShell) & {
  /** It has ended; `isRefused`: because the machine refused to sign in. */
  ended?(isRefused: boolean): void
}

export interface SessionDeps {
  readonly start: StartPty
  readonly prepare: PrepareProgram
  readonly clock: Clock
  readonly network: Network
  /** It goes on at the machine, and is tried again however long that takes. */
  readonly isKept: boolean
  /** It is a tab of an earlier run of the application: nothing runs in it until the user reconnects it. */
  readonly isRestored?: boolean
  /** The state is another. */
  changed(): void
}

/** ssh's exit code for its own errors, a lost line among them; a shell may end with the same. */
const sshFailed = 255
/** The last words of ssh where the shell has ended, which it also says below those of a lost line. */
const shellEnded = /Connection to \S+ closed\.\s*$/
/** By the machine, and not by a jump host: below that one's words ssh says that the way is closed. */
const tooManyKeys = /Too many authentication failures(?:\s+Disconnected from [^\n]*)?\s*$/
const signInRefused = new RegExp(`Permission denied \\([^)]*\\)\\.\\s*$|${tooManyKeys.source}`)
/** Nobody was signed in, here or at a jump host, whatever ssh says below it of the connection. */
const neverBegan =
  // Each line in one way alone: a machine may print anything, and is judged while the application waits.
  /(?:Permission denied \([^)]*\)\.|Too many authentication failures|Host key verification failed\.)[^\S\n]*(?:\n(?:Disconnected from|Connection closed by|kex_exchange_identification:) [^\n]*)*\s*$/
const lineLost = /remote host[^\n]*\s+Connection to \S+ closed\.\s*$/
/** Seconds after which a session has really begun: one that ends sooner was refused, and is not tried again. */
const settled = 10
/** Seconds before the next attempts to reach a machine again; the last one repeats. */
const pauses = [2, 5, 10, 20, 30] as const
/** Attempts, with a network, after which only the person tries again. */
const mostAttempts = 20

/** Ends what a program that was cut off may have left switched on: attributes, the other screen, mouse, pasting. */
const softReset = '\x1b[!p\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?25h\r\n'

/** Transient failures. */
const mayPass = ({ kind }: Failure): boolean =>
  kind === 'cannot-connect' || kind === 'timed-out' || kind === 'offline'

/** One terminal: ssh in a pseudo-terminal or a shell, what it has printed, and the way back after a lost line. */
export function createSession({ start, prepare, clock, network, isKept, isRestored, changed }: SessionDeps) {
  const output = createOutput(clock)
  let state: TerminalState = { kind: isRestored ? 'restored' : 'connecting' }
  let pty: Pty | undefined
  let released: PreparedProgram['ended']
  let size = { columns: 80, rows: 24 }
  let startedAt = 0
  let attempts = 0
  /** Those of them that the computer had a network for. */
  let counted = 0
  /** Whether a lost connection is being retried: failed attempts are followed by others. */
  let isReturning = false
  let isClosed = false
  const closing = new AbortController()
  let cancel = (): void => undefined

  function replace(next: TerminalState): void {
    state = next
    if (!isClosed) changed()
  }

  const mayTryAgain = (): boolean => isKept || counted < mostAttempts

  function beginCount(): void {
    attempts = 0
    counted = 0
  }

  function wait(): void {
    attempts += 1
    if (network.online()) counted += 1
    const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? 30
    const cancelPause = clock.after(pause, () => void connect())
    const stopFollowing = network.onBack(() => {
      beginCount()
      void connect()
    })
    cancel = () => {
      cancelPause()
      stopFollowing()
    }
    replace({ kind: 'waiting', until: clock.now() + pause, attempts })
  }

  function release(isRefused: boolean): void {
    released?.(isRefused)
    released = undefined
  }

  function ended(code: number | null, isShellLost?: boolean): void {
    pty = undefined
    output.follow(undefined)
    if (isClosed) return
    const hasBegun = !isRecent(startedAt, settled, clock.now())
    if (hasBegun) beginCount()
    const tail = output.tail()
    release(code === sshFailed && signInRefused.test(tail))
    // However long the person took to answer: another attempt would ask again, and count as one more failure there.
    const isRefused = neverBegan.test(tail)
    const isSshLost = code === sshFailed && !isRefused && (!shellEnded.test(tail) || lineLost.test(tail))
    const isLost = isShellLost ?? isSshLost
    isReturning = isLost && (hasBegun || isReturning) && mayTryAgain()
    if (!isReturning) {
      const hasTooManyKeys = code === sshFailed && tooManyKeys.test(tail)
      return replace({
        kind: 'ended',
        code,
        ...(isShellLost && { isLost: true }),
        ...(hasTooManyKeys && { hasTooManyKeys }),
      })
    }
    output.push(Buffer.from(softReset))
    wait()
  }

  function begin({ ended: hasEnded, ...program }: PreparedProgram): void {
    startedAt = clock.now()
    const startWith = (listener: PtyListener): Pty =>
      'file' in program ? start({ ...program, ...size }, listener) : channelPty(program, listener)
    const child = startWith({
      output: output.push,
      ended: (code, isLost) => {
        if (child === pty) ended(code, isLost)
      },
    })
    // The window may have another size than when the shell was asked for.
    if ('channel' in program) child.resize(size.columns, size.rows)
    pty = child
    released = hasEnded
    output.follow(child)
    replace({ kind: 'running' })
  }

  /** Answers whether it began: not where the terminal was closed meanwhile. */
  async function attempt(): Promise<boolean> {
    const program = await prepare(size, closing.signal, (text) =>
      output.push(Buffer.from(text.replaceAll('\n', '\r\n'))),
    )
    let hasBegun = false
    try {
      if (!isClosed) begin(program)
      hasBegun = !isClosed
    } finally {
      if (!hasBegun) {
        program.ended?.(false)
        if ('channel' in program) program.close()
      }
    }
    return hasBegun
  }

  async function connect(): Promise<void> {
    cancel()
    replace({ kind: 'connecting' })
    try {
      await attempt()
    } catch (error) {
      if (isClosed) return
      const failure = failureOf(error, 'ssh.connect')
      if (isReturning && mayPass(failure) && mayTryAgain()) wait()
      else replace({ kind: 'failed', failure })
    }
  }

  return {
    state: () => state,
    /** The first attempt. Fails as `prepare` does, with what the system says where ssh does not start, and with cancelled. */
    async open(): Promise<void> {
      if (!(await attempt())) throw new FailureError({ kind: 'cancelled' })
    },
    /** Another attempt, asked for by the person or because the computer woke up. */
    async reconnect(): Promise<void> {
      if (pty !== undefined || isClosed || state.kind === 'connecting') return
      await connect()
    },
    /** Resolves once more may follow. */
    write: (text: string): Promise<void> => pty?.write(text) ?? Promise.resolve(),
    resize(columns: number, rows: number): void {
      size = { columns, rows }
      pty?.resize(columns, rows)
    },
    read: output.read,
    close(): void {
      isClosed = true
      closing.abort()
      cancel()
      pty?.kill()
      pty = undefined
      release(false)
      output.close()
    },
  }
}
export type Session = ReturnType<typeof createSession>

/** For a terminal that is not there any more. */
export const unknownSession = (): FailureError =>
  new FailureError({ kind: 'invalid-input', field: 'session', reason: 'unknown' })
