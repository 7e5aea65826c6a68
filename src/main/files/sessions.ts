import { onAbort } from '../core/on-abort'
import type { Clock } from '../core/clock'
import { errorOf } from '../ssh/client/channel-stream'
import { ChannelError, type SshConnection } from '../ssh/client/transport'
import { openSftp, type Sftp } from './sftp/client'

/** Extra channels of all transfers of a connection. OpenSSH's server allows ten; each transfer needs one and a command. */
const maxExtraChannels = 3
/** Seconds before each retry: a server counts a channel until its process has ended. */
const pauses = [0.1, 0.2, 0.4, 0.8, 1.6]

interface ChannelBudget {
  extraChannels: number
  /** The server reuses handles: one file or folder is open at a time. */
  isOneHandle: boolean
  /** Aborts once the server refuses a channel: extra channels close, and no more open. */
  readonly end: AbortController
}
const budgets = new WeakMap<SshConnection, ChannelBudget>()
function budgetOf(connection: SshConnection): ChannelBudget {
  const budget = budgets.get(connection) ?? {
    extraChannels: 0,
    isOneHandle: false,
    end: new AbortController(),
  }
  budgets.set(connection, budget)
  return budget
}

/** Text of ssh2 1.17 ("Channel open failure") and of OpenSSH 9.2 for a channel that was not opened. */
const notOpened = /open (?:failed|failure|refused)/i

/** Returns whether the server reached its limit of sessions. It may also refuse a request on an open session. */
export const isSessionRefusal = (error: unknown): boolean =>
  error instanceof ChannelError &&
  error.kind === 'refused' &&
  !error.isProhibited &&
  notOpened.test(error.message)

const pauseFor = (seconds: number, clock: Pick<Clock, 'after'>, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = clock.after(seconds, end)
    const stop = onAbort(signal, abort)
    if (signal?.aborted) abort()
    function end(): void {
      stop()
      resolve()
    }
    function abort(): void {
      cancel()
      reject(errorOf(signal?.reason))
    }
  })

/** Opens a required channel. If the server reached its limit of sessions, closes the extra channels and retries. */
async function openWithRetries<Value>(
  connection: SshConnection,
  clock: Pick<Clock, 'after'>,
  signal: AbortSignal | undefined,
  open: () => Promise<Value>,
  isRefused: (value: Value) => boolean = () => false,
): Promise<Value> {
  const budget = budgetOf(connection)
  for (const pause of pauses) {
    const opening = open()
    if (!(await opening.then(isRefused, isSessionRefusal))) return opening
    budget.end.abort()
    await pauseFor(pause, clock, signal)
  }
  return open()
}

/** Opens an SFTP channel. Fails as SshConnection.sftp and openSftp do. */
export const openOwn = (
  connection: SshConnection,
  clock: Pick<Clock, 'after'>,
  signal?: AbortSignal,
): Promise<Sftp> =>
  openWithRetries(connection, clock, signal, async () =>
    openSftp(await connection.sftp(signal), clock, budgetOf(connection).isOneHandle),
  )

export const openOneByOne = (connection: SshConnection): void => {
  budgetOf(connection).isOneHandle = true
}

export const commandsOf = (
  connection: SshConnection,
  clock: Pick<Clock, 'after'>,
): Pick<SshConnection, 'exec' | 'pipe'> => ({
  exec: (command, signal) =>
    openWithRetries(
      connection,
      clock,
      signal,
      () => connection.exec(command, signal),
      (outcome) =>
        outcome.kind === 'finished' && outcome.isRefused === true && notOpened.test(outcome.stderr),
    ),
  pipe: (command, signal) =>
    openWithRetries(connection, clock, signal, () => connection.pipe(command, signal)),
})

export function extraChannels(connection: SshConnection, clock: Pick<Clock, 'after'>, signal?: AbortSignal) {
  const budget = budgetOf(connection)
  const ending = new AbortController()
  const until = AbortSignal.any([budget.end.signal, ending.signal, ...(signal ? [signal] : [])])
  let opened: readonly Promise<Sftp>[] | undefined
  let count = 0
  const open = async (): Promise<Sftp> => {
    try {
      return await openSftp(await connection.sftp(until, true), clock)
    } catch (error) {
      if (error instanceof ChannelError && error.kind === 'refused') budget.end.abort()
      throw error
    }
  }
  return {
    open(): readonly Promise<Sftp>[] {
      if (opened) return opened
      const isOff = connection.signsInAgain === true || until.aborted
      count = isOff ? 0 : maxExtraChannels - budget.extraChannels
      budget.extraChannels += count
      opened = Array.from({ length: count }, open)
      return opened
    },
    close(): void {
      ending.abort()
      budget.extraChannels -= count
      count = 0
    },
  }
}
