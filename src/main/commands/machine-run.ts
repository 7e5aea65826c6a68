import type { CommandMessage, CommandState } from '#shared/bridge/command'
import type { SshLink } from '#shared/bridge/ssh-link'
import type { Clock } from '../core/clock'
import { ChannelError, type SshConnection } from '../ssh/client/transport'
import { machineLink, type MachineLinkDeps } from '../ssh/machine-link'
import { boundedOutput } from './output'

/** Bytes after which a command is ended: more than a person reads, and reading it slows everything else. */
const mostPrinted = 64 * 1024 * 1024

/**
 * Ends what runs over the same connection. A command without a terminal does not notice that its channel is closed, and
 * sshd passes signals on for no root. Every session is a child of the process that serves the connection, and leads a
 * process group.
 */
const endOthers =
  'exec /bin/sh -c \'for file in $(grep -lx "PPid:.$PPID" /proc/[0-9]*/status 2>/dev/null); do pid=${file#/proc/}; pid=${pid%/status}; [ "$pid" = $$ ] || kill -s TERM -- "-$pid"; done\''
/** Seconds that this may take. */
const endWithin = 3

export interface MachineRunDeps extends Pick<
  MachineLinkDeps,
  'reach' | 'open' | 'record' | 'clock' | 'report'
> {
  readonly command: string
  /** That it may take once it runs. */
  readonly seconds: number
  /** Characters of each of its two streams that are sent. */
  readonly limit: number
  send(message: Omit<Extract<CommandMessage, { kind: 'output' }>, 'machine'>): void
  /** It runs from now on. */
  begun(): void
}

/** Why a link has not come about; undefined while it may. */
function stopOf(link: SshLink): CommandState | undefined {
  switch (link.kind) {
    case 'waiting':
      return { kind: 'not-reached', reason: link.reason }
    case 'host-key-unknown':
      return { kind: 'host-key-unknown' }
    case 'stopped':
      return { kind: 'stopped', stop: link.stop }
    case 'off':
    case 'connecting':
    case 'connected':
      return undefined
  }
}

async function endRunning(connection: SshConnection, clock: Clock): Promise<void> {
  const giveUp = new AbortController()
  const cancel = clock.after(endWithin, () => giveUp.abort())
  // A machine that does not answer ends nothing.
  await connection.exec(endOthers, giveUp.signal).catch(() => undefined)
  cancel()
}

async function runOver(
  connection: SshConnection,
  { clock, command, seconds, limit, send }: MachineRunDeps,
  signal: AbortSignal,
): Promise<CommandState> {
  const ending = new AbortController()
  let outcome: CommandState | undefined
  const end = (state: CommandState) => (): void => {
    outcome ??= state
    ending.abort()
  }
  const cancelLimit = clock.after(seconds, end({ kind: 'timed-out', seconds }))
  const cancelled = end({ kind: 'cancelled' })
  signal.addEventListener('abort', cancelled, { once: true })
  const stdout = boundedOutput(limit, (text, leftOut) =>
    send({ kind: 'output', from: 'stdout', leftOut, text }),
  )
  const stderr = boundedOutput(limit, (text, leftOut) =>
    send({ kind: 'output', from: 'stderr', leftOut, text }),
  )
  let printed = 0
  const count =
    ({ push }: typeof stdout) =>
    (data: Buffer): void => {
      if (outcome) return
      push(data)
      printed += data.length
      if (printed > mostPrinted) end({ kind: 'printed-too-much', bytes: mostPrinted })()
    }
  try {
    const output = { stdout: count(stdout), stderr: count(stderr) }
    const exit = await connection.run(command, output, ending.signal)
    return exit.signal === null
      ? { kind: 'exited', code: exit.status }
      : { kind: 'signalled', signal: exit.signal }
  } catch (error) {
    if (outcome) {
      await endRunning(connection, clock)
      return outcome
    }
    if (!(error instanceof ChannelError)) throw error
    return error.kind === 'lost' ? { kind: 'lost' } : { kind: 'refused', reason: error.message }
  } finally {
    cancelLimit()
    signal.removeEventListener('abort', cancelled)
    stdout.end()
    stderr.end()
  }
}

/** Connects once and runs the command once. Resolves to its outcome, soon after `signal` aborts too. */
export async function runOnMachine(deps: MachineRunDeps, signal: AbortSignal): Promise<CommandState> {
  let settle: (opened: SshConnection | CommandState) => void = () => undefined
  const connected = new Promise<SshConnection | CommandState>((resolve) => (settle = resolve))
  const cancel = (): void => settle({ kind: 'cancelled' })
  const link = machineLink({
    ...deps,
    // Running a command is consent to connect, as with a terminal.
    trustsFirstKey: () => true,
    action: 'ssh.connect',
    random: () => 0,
    // It waits for nothing.
    network: { onBack: () => () => undefined },
    begin: settle,
    end: () => undefined,
    changed() {
      const stop = stopOf(link.link())
      if (stop === undefined) return
      settle(stop)
      // A command is never rerun automatically.
      link.close()
    },
  })
  signal.addEventListener('abort', cancel, { once: true })
  try {
    link.connect()
    const opened = await connected
    if ('kind' in opened) return opened
    if (signal.aborted) return { kind: 'cancelled' }
    deps.begun()
    return await runOver(opened, deps, signal)
  } finally {
    signal.removeEventListener('abort', cancel)
    link.close()
  }
}
