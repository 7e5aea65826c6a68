import type { TerminalState } from '#shared/bridge/terminal'
import { type Failure, FailureError } from '#shared/failure'
import { failureOf } from '../core/failure-of'
import type { Clock } from '../core/clock'
import type { Network } from '../core/network'
import { isRecent } from '../core/elapsed'
import { channelPty, type PreparedShell } from './channel-pty'
import { createOutput } from './output'
import { sessionEnd } from './session-end'
import type { Pty, PtyListener, PtyProgram, StartPty } from './pty'

type TerminalSize = Pick<PtyProgram, 'columns' | 'rows'>
/** Prepares the program before every attempt: ssh, or an open shell. Fails as ssh.connect does. */
export type PrepareProgram = (
  size: TerminalSize,
  signal: AbortSignal,
  print: (text: string) => void,
) => Promise<PreparedProgram>
export type PreparedProgram = (Omit<PtyProgram, keyof TerminalSize> | PreparedShell) & {
  /** The program has ended. `isRefused`: the machine refused the sign-in. */
  ended?(isRefused: boolean): void
}

export interface SessionDeps {
  readonly start: StartPty
  readonly prepare: PrepareProgram
  readonly clock: Clock
  readonly network: Network
  /** The session continues on the machine: attempts to reconnect are unlimited. */
  readonly isKept: boolean
  /** Tab of an earlier run of the application: nothing runs in it until the user reconnects it. */
  readonly isRestored?: boolean
  changed(): void
}

/** Seconds after which a session has begun. A session that ends sooner was refused, and is not retried. */
const settledSeconds = 10
/** Seconds before each attempt to reconnect; the last pause repeats. */
const pauses = [2, 5, 10, 20, 30] as const
/** Attempts, with a network, before only the user retries. */
const maxAttempts = 20

/** Resets what an interrupted program may have left on: text attributes, alternate screen, mouse, bracketed paste. */
const softReset = '\x1b[!p\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?25h\r\n'

const isTransient = ({ kind }: Failure): boolean =>
  kind === 'cannot-connect' || kind === 'timed-out' || kind === 'offline'

/** Schedules attempts to reconnect. A new network starts the count again. */
function createRetries({ clock, network, isKept }: SessionDeps, connect: () => Promise<void>) {
  let attempts = 0
  let onlineAttempts = 0
  let cancel = (): void => undefined

  function reset(): void {
    attempts = 0
    onlineAttempts = 0
  }
  return {
    reset,
    isAllowed: (): boolean => isKept || onlineAttempts < maxAttempts,
    cancel: (): void => cancel(),
    schedule(): { readonly until: number; readonly attempts: number } {
      attempts += 1
      if (network.online()) onlineAttempts += 1
      const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? 30
      const cancelPause = clock.after(pause, () => void connect())
      const stopFollowing = network.onBack(() => {
        reset()
        void connect()
      })
      cancel = () => {
        cancelPause()
        stopFollowing()
      }
      return { until: clock.now() + pause, attempts }
    },
  }
}

/** Runs one terminal: ssh in a pseudo-terminal, or a shell. Stores its output, and reconnects after a lost connection. */
export function createSession(deps: SessionDeps) {
  const { start, prepare, clock, isRestored, changed } = deps
  const output = createOutput(clock)
  let state: TerminalState = { kind: isRestored ? 'restored' : 'connecting' }
  let pty: Pty | undefined
  let released: PreparedProgram['ended']
  let size = { columns: 80, rows: 24 }
  let startedAt = 0
  const retries = createRetries(deps, connect)
  /** Whether a lost connection is being retried: other attempts follow a failed one. */
  let isReturning = false
  let isClosed = false
  const closing = new AbortController()

  function replace(next: TerminalState): void {
    state = next
    if (!isClosed) changed()
  }

  const wait = (): void => replace({ kind: 'waiting', ...retries.schedule() })

  function release(isRefused: boolean): void {
    released?.(isRefused)
    released = undefined
  }

  function ended(code: number | null, isShellLost?: boolean): void {
    pty = undefined
    output.follow(undefined)
    if (isClosed) return
    const hasBegun = !isRecent(startedAt, settledSeconds, clock.now())
    if (hasBegun) retries.reset()
    const { isSignInRefused, hasTooManyKeys, isLost } = sessionEnd(code, output.tail())
    release(isSignInRefused)
    isReturning = (isShellLost ?? isLost) && (hasBegun || isReturning) && retries.isAllowed()
    if (isReturning) {
      output.push(Buffer.from(softReset))
      wait()
    } else
      replace({
        kind: 'ended',
        code,
        ...(isShellLost && { isLost: true }),
        ...(hasTooManyKeys && { hasTooManyKeys }),
      })
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
    // The window may have been resized since the request for the shell.
    if ('channel' in program) child.resize(size.columns, size.rows)
    pty = child
    released = hasEnded
    output.follow(child)
    replace({ kind: 'running' })
  }

  /** Prepares and starts the program. Returns false if the terminal is closed before the start. */
  async function attempt(): Promise<boolean> {
    const program = await prepare(size, closing.signal, (text) =>
      output.push(Buffer.from(text.replaceAll('\n', '\r\n'))),
    )
    let hasBegun = false
    try {
      if (!isClosed) begin(program)
      hasBegun = !isClosed
      return hasBegun
    } finally {
      if (!hasBegun) {
        program.ended?.(false)
        if ('channel' in program) program.close()
      }
    }
  }

  async function connect(): Promise<void> {
    retries.cancel()
    replace({ kind: 'connecting' })
    try {
      await attempt()
    } catch (error) {
      if (isClosed) return
      const failure = failureOf(error, 'ssh.connect')
      if (isReturning && isTransient(failure) && retries.isAllowed()) wait()
      else replace({ kind: 'failed', failure })
    }
  }

  return {
    state: () => state,
    /** Makes the first attempt. Fails as `prepare` does, with the system's error if ssh does not start, and with cancelled. */
    async open(): Promise<void> {
      if (!(await attempt())) throw new FailureError({ kind: 'cancelled' })
    },
    /** Retries: the user wants it, or the computer woke up. */
    async reconnect(): Promise<void> {
      if (pty !== undefined || isClosed || state.kind === 'connecting') return
      await connect()
    },
    write: (text: string): Promise<void> => pty?.write(text) ?? Promise.resolve(),
    resize(columns: number, rows: number): void {
      size = { columns, rows }
      pty?.resize(columns, rows)
    },
    read: output.read,
    close(): void {
      isClosed = true
      closing.abort()
      retries.cancel()
      pty?.kill()
      pty = undefined
      release(false)
      output.close()
    },
  }
}
export type Session = ReturnType<typeof createSession>

export const unknownSession = (): FailureError =>
  new FailureError({ kind: 'invalid-input', field: 'session', reason: 'unknown' })
