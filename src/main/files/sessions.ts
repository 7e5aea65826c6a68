import { onAbort } from '../core/on-abort'
import type { Clock } from '../core/clock'
import { errorOf } from '../ssh/client/channel-stream'
import { ChannelError, type SshConnection } from '../ssh/client/transport'
import { openSftp, type Sftp } from './sftp/client'

/**
 * Channels beside the first that all transfers of a connection have: OpenSSH's server opens ten for all, and each transfer
 * has one more for commands.
 */
const mostOthers = 3
/** Seconds before each further try: a server counts a channel until its process has ended. */
const pauses = [0.1, 0.2, 0.4, 0.8, 1.6]

/** The channels of a connection that its transfers can do without. */
interface Others {
  taken: number
  /** Its server reuses handles: one file or folder is open at a time. */
  oneHandle: boolean
  /** Aborted once the server has refused a channel: they are closed, and there are no more. */
  readonly end: AbortController
}
const allOthers = new WeakMap<SshConnection, Others>()
function othersOf(connection: SshConnection): Others {
  const others = allOthers.get(connection) ?? {
    taken: 0,
    oneHandle: false,
    end: new AbortController(),
  }
  allOthers.set(connection, others)
  return others
}
const isRefusal = (error: unknown): boolean => error instanceof ChannelError && error.kind === 'refused'

/** Words of ssh2 1.17 ("Channel open failure"), and of OpenSSH 9.2, for a channel that was not opened. */
const notOpened = /open (?:failed|failure|refused)/i

/** Whether the server opened no session: it has as many as it allows. A request on an open session may be refused too. */
export const isSessionRefusal = (error: unknown): boolean =>
  error instanceof ChannelError &&
  error.kind === 'refused' &&
  !error.isProhibited &&
  notOpened.test(error.message)

/** Rejects with the reason of `signal` once that aborts. */
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

/** Opens what a transfer cannot do without. If the server opens no more sessions, the others give way, and it is retried. */
async function insist<Value>(
  connection: SshConnection,
  clock: Pick<Clock, 'after'>,
  signal: AbortSignal | undefined,
  open: () => Promise<Value>,
  isRefused: (value: Value) => boolean = () => false,
): Promise<Value> {
  const others = othersOf(connection)
  for (const pause of pauses) {
    const opening = open()
    if (!(await opening.then(isRefused, isSessionRefusal))) return opening
    others.end.abort()
    await pauseFor(pause, clock, signal)
  }
  return open()
}

/** An SFTP channel of its own. Fails as SshConnection.sftp and openSftp do. */
export const openOwn = (
  connection: SshConnection,
  clock: Pick<Clock, 'after'>,
  signal?: AbortSignal,
): Promise<Sftp> =>
  insist(connection, clock, signal, async () => {
    const { oneHandle } = othersOf(connection)
    return openSftp(await connection.sftp(signal), clock, oneHandle)
  })

/** Opens files one at a time from now on, on new channels of this connection. */
export const openOneByOne = (connection: SshConnection): void => {
  othersOf(connection).oneHandle = true
}

/** The commands of a transfer. */
export const commandsOf = (
  connection: SshConnection,
  clock: Pick<Clock, 'after'>,
): Pick<SshConnection, 'exec' | 'pipe'> => ({
  exec: (command, signal) =>
    insist(
      connection,
      clock,
      signal,
      () => connection.exec(command, signal),
      (outcome) =>
        outcome.kind === 'finished' && outcome.isRefused === true && notOpened.test(outcome.stderr),
    ),
  pipe: (command, signal) => insist(connection, clock, signal, () => connection.pipe(command, signal)),
})

/** The channels that one transfer has beside its own, opened once. */
export function otherChannels(connection: SshConnection, clock: Pick<Clock, 'after'>, signal?: AbortSignal) {
  const others = othersOf(connection)
  const ending = new AbortController()
  const until = AbortSignal.any([others.end.signal, ending.signal, ...(signal ? [signal] : [])])
  let opened: readonly Promise<Sftp>[] | undefined
  let taken = 0
  const open = async (): Promise<Sftp> => {
    try {
      return await openSftp(await connection.sftp(until, true), clock)
    } catch (error) {
      if (isRefusal(error)) others.end.abort()
      throw error
    }
  }
  return {
    open(): readonly Promise<Sftp>[] {
      if (opened) return opened
      const isOff = connection.signsInAgain === true || until.aborted
      taken = isOff ? 0 : mostOthers - others.taken
      others.taken += taken
      opened = Array.from({ length: taken }, open)
      return opened
    },
    close(): void {
      ending.abort()
      others.taken -= taken
      taken = 0
    },
  }
}
