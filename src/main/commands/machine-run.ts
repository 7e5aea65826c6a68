import type { AccountId } from '#shared/bridge/account'
import type { CommandMessage, CommandState } from '#shared/bridge/command'
import type { FrameOptions } from '#shared/command-frame'
import type { SshLink } from '#shared/bridge/ssh-link'
import { onAbort } from '../core/on-abort'
import type { Clock } from '../core/clock'
import {
  ChannelError,
  type CommandOutput,
  type ExecOutcome,
  type SshConnection,
} from '../ssh/client/transport'
import type { SshMachines } from '../ssh/machines/index'
import type { LeaseUse, SshLease } from '../ssh/machines/lease'
import { boundedOutput } from './output'

/** Bytes of output after which a command is ended: nobody reads that much, and it slows other work. */
const maxPrintedBytes = 64 * 1024 * 1024

/**
 * Ends the process group of a command. The command has ended if neither the group nor its leader exists; with a forced
 * command, the leader may belong to another group. busybox rejects the form `kill -s TERM -- -4242`.
 */
const endGroup = (group: number): string => `kill -TERM -${group} || ! kill -0 ${group} || exit; echo ended`
/** Seconds to end a command. `signInAndEndSeconds` applies if each channel signs in again. */
const endSeconds = 3
const signInAndEndSeconds = 10
/** Discard service (RFC 863), which rarely runs. */
const unusedPort = 9

export interface MachineRunDeps {
  readonly account: AccountId
  readonly machine: string
  readonly acquire: SshMachines['acquire']
  readonly clock: Clock
  readonly command: string
  /** `login`: a user's command. `sh`: a script of the application. */
  readonly shell: FrameOptions['shell']
  readonly seconds: number
  /** Characters sent of each of the two streams. */
  readonly limit: number
  send(message: Omit<Extract<CommandMessage, { kind: 'output' }>, 'machine'>): void
  begun(): void
  readonly login?: CommandOutput['login']
  /** Use of the connection; by default, a command that the user started. */
  readonly use?: Pick<LeaseUse, 'purpose' | 'mayAsk' | 'trustsFirstKey'>
}

const userCommand: NonNullable<MachineRunDeps['use']> = {
  purpose: 'action',
  mayAsk: () => true,
  trustsFirstKey: () => true,
}

/** Returns the reason for a missing connection; undefined if the link is connected or connecting. */
function stopOf(link: SshLink): CommandState | undefined {
  switch (link.kind) {
    case 'waiting':
      return { kind: 'not-reached', reason: link.reason }
    case 'host-key-unknown':
      return { kind: 'host-key-unknown' }
    case 'stopped':
      return { kind: 'stopped', stop: link.stop }
    case 'off':
      return { kind: 'not-reached', reason: 'ECONNABORTED' }
    case 'connecting':
    case 'connected':
      return undefined
  }
}

/**
 * Returns whether the machine still answers, without a login shell: by opening or refusing an unused port. If the connection
 * answers in order, all earlier output has arrived by then.
 */
async function answers(connection: SshConnection, signal: AbortSignal): Promise<boolean> {
  try {
    const stream = await connection.forward('127.0.0.1', unusedPort, signal)
    stream.on('error', () => undefined).destroy()
    return true
  } catch (error) {
    return error instanceof ChannelError && error.kind === 'refused'
  }
}

type Ending = 'ended' | 'not-begun' | 'unknown'

/**
 * Ends a command whose channel is closed. `group` returns its process group: null if unknown, undefined until the command
 * begins. A machine does not begin a command whose channel is closed (docs/machine-commands.md); only a connection that
 * answers in order proves that the channel is closed.
 */
async function endRunning(
  connection: SshConnection,
  group: () => number | null | undefined,
  clock: Clock,
): Promise<Ending> {
  const timeout = new AbortController()
  const seconds = connection.signsInAgain ? signInAndEndSeconds : endSeconds
  const cancel = clock.after(seconds, () => timeout.abort())
  try {
    const isAnswered = group() !== undefined || (await answers(connection, timeout.signal))
    const id = group()
    if (id === undefined) return isAnswered && connection.answersInOrder ? 'not-begun' : 'unknown'
    if (id === null) return 'unknown'
    const outcome = await connection.exec(endGroup(id), timeout.signal)
    return outcome.kind === 'finished' && /^ended$/m.test(outcome.stdout) ? 'ended' : 'unknown'
  } catch {
    return 'unknown'
  } finally {
    cancel()
  }
}

/** Runs a command over an open connection, until it ends, its time is over or `signal` aborts. */
export async function runOver(
  connection: SshConnection,
  {
    clock,
    command,
    shell,
    seconds,
    limit,
    send,
    login,
  }: Omit<MachineRunDeps, 'account' | 'machine' | 'acquire' | 'begun'>,
  signal: AbortSignal,
): Promise<CommandState> {
  const ending = new AbortController()
  let outcome: Extract<CommandState, { kind: 'timed-out' | 'cancelled' | 'printed-too-much' }> | undefined
  let group: number | null | undefined
  const end = (state: NonNullable<typeof outcome>) => (): void => {
    outcome ??= state
    ending.abort()
  }
  const cancelTimeout = clock.after(seconds, end({ kind: 'timed-out', seconds }))
  const stopFollowing = onAbort(signal, end({ kind: 'cancelled' }))
  let printedBytes = 0
  function streamOutput(from: 'stdout' | 'stderr') {
    const bounded = boundedOutput(limit, (text, leftOut) => send({ kind: 'output', from, leftOut, text }))
    function receive(data: Buffer): void {
      if (outcome) return
      bounded.push(data)
      printedBytes += data.length
      if (printedBytes > maxPrintedBytes) end({ kind: 'printed-too-much', bytes: maxPrintedBytes })()
    }
    return { receive, end: bounded.end }
  }
  const stdout = streamOutput('stdout')
  const stderr = streamOutput('stderr')
  try {
    const output: CommandOutput = {
      stdout: stdout.receive,
      stderr: stderr.receive,
      begun: (id) => void (group = id),
      ...(login && { login }),
    }
    const exit = await connection.run(command, output, ending.signal, shell)
    if (exit.signal === null) return { kind: 'exited', code: exit.status }
    return { kind: 'signalled', signal: exit.signal === '' ? null : exit.signal }
  } catch (error) {
    if (outcome) {
      const ending = await endRunning(connection, () => group, clock)
      if (ending === 'ended') return outcome
      return { ...outcome, ...(ending === 'unknown' ? { mayRun: true } : { beforeStart: true }) }
    }
    if (!(error instanceof ChannelError)) throw error
    const { kind, message, notBegun } = error
    if (kind === 'lost') return { kind }
    if (notBegun !== undefined) return { kind: 'not-begun', why: notBegun, said: message }
    return { kind: 'refused', reason: message }
  } finally {
    cancelTimeout()
    stopFollowing()
    stdout.end()
    stderr.end()
  }
}

/**
 * Connects to a machine and calls `use` with the connection. Resolves to its result, or to why there is no connection, soon
 * after `signal` aborts.
 */
export async function withConnection<Result>(
  {
    account,
    machine,
    acquire,
    use: leaseUse = userCommand,
  }: Pick<MachineRunDeps, 'account' | 'machine' | 'acquire' | 'use'>,
  signal: AbortSignal,
  use: (connection: SshConnection) => Promise<Result>,
): Promise<Result | CommandState> {
  let settle: (opened: SshConnection | CommandState) => void = () => undefined
  const connected = new Promise<SshConnection | CommandState>((resolve) => (settle = resolve))
  const cancel = (): void => settle({ kind: 'cancelled' })
  let lease: SshLease | undefined
  let isAcquired = false
  function follow(): void {
    const stop = lease && isAcquired ? stopOf(lease.link()) : undefined
    if (stop) settle(stop)
  }
  const stopWaiting = onAbort(signal, cancel)
  try {
    lease = acquire({
      account,
      machine,
      ...leaseUse,
      isUrgent: () => true,
      changed: follow,
      opened: settle,
      closed: () => undefined,
    })
    // An earlier attempt may have failed; the user wants an answer now.
    if (stopOf(lease.link())) lease.retry()
    isAcquired = true
    follow()
    const opened = await connected
    if ('kind' in opened) return opened
    if (signal.aborted) return { kind: 'cancelled' }
    return await use(opened)
  } finally {
    stopWaiting()
    lease?.release()
  }
}

/** Connects once and runs a short script of the application. Resolves to its outcome, or to why there is none. */
export async function execOnMachine(
  deps: Pick<MachineRunDeps, 'account' | 'machine' | 'acquire' | 'use'>,
  signal: AbortSignal,
  script: string,
): Promise<{ readonly outcome: ExecOutcome } | { readonly state: CommandState }> {
  try {
    const result = await withConnection(deps, signal, async ({ exec }) => ({
      outcome: await exec(script, signal),
    }))
    return 'outcome' in result ? result : { state: result }
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    return { state: error.kind === 'lost' ? { kind: 'lost' } : { kind: 'refused', reason: error.message } }
  }
}

/** Connects once and runs the command once. Resolves to its outcome, and soon after `signal` aborts. */
export const runOnMachine = (deps: MachineRunDeps, signal: AbortSignal): Promise<CommandState> =>
  withConnection(deps, signal, (connection) => {
    deps.begun()
    return runOver(connection, deps, signal)
  })
