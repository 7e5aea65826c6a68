import type { Duplex } from 'node:stream'
import type { Subscribe } from '#shared/emitter'

/** Alive packets that may go unanswered before the connection counts as lost. */
export const mostUnanswered = 3

/** What a command left behind; `status` is null where it was ended by a signal. */
export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}

/** `isRefused`: the machine opened no channel for it. */
export type ExecOutcome =
  | ({ readonly kind: 'finished'; readonly isRefused?: true } & CommandResult)
  | { readonly kind: 'timed-out' }

/** What a command prints, as it comes. */
export interface CommandOutput {
  stdout(data: Buffer): void
  stderr(data: Buffer): void
  /** It runs, in this process group of the machine; null: in one that is not known. The system's ssh alone says so. */
  begun?(group: number | null): void
}

/** In characters. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** How a shell or a command ended. Both are null where the machine reported neither, as after a lost connection. */
export interface ChannelExit {
  readonly status: number | null
  readonly signal: string | null
}

export interface CommandChannel {
  /** What the command reads goes in, what it prints comes out; what it complains of is dropped. */
  readonly stream: Duplex
  readonly exit: Promise<ChannelExit>
}

export interface ShellChannel extends CommandChannel {
  /** What is typed goes in, what the terminal shows comes out. */
  readonly stream: Duplex
  resize(size: TerminalSize): void
}

/** A channel that the machine did not open (`refused`), or that ended with its connection (`lost`). */
export class ChannelError extends Error {
  constructor(
    readonly kind: 'refused' | 'lost',
    reason: string,
    /** The server permits no such channel to anybody (RFC 4254 §5.1), as with `AllowTcpForwarding no`. */
    readonly isProhibited = false,
  ) {
    super(reason)
    this.name = 'ChannelError'
  }
}

/**
 * A connection to a machine over which channels are opened, whatever carries it: ssh2 (connection.ts), or a system's
 * OpenSSH client. Every channel rejects with ChannelError where it cannot be opened, and with the reason of `signal`
 * once that aborts. The streams honour backpressure in both directions, are destroyed with a ChannelError when the
 * connection is lost, and with an AbortError when `signal` aborts.
 */
export interface SshConnection {
  /**
   * Runs a command without input and collects what it prints, up to a limit; one that prints far more is ended, and
   * has no status. Nor has a command that the machine refuses to run, with the machine's words in `stderr`.
   */
  exec(command: string, signal?: AbortSignal): Promise<ExecOutcome>
  /**
   * Runs a command of the person's without input, with the environment that is sent to the machine. Where `signal` aborts,
   * its channel is closed; it may still run.
   */
  run(command: string, output: CommandOutput, signal: AbortSignal): Promise<ChannelExit>
  /** Runs a command between two streams of bytes. */
  pipe(command: string, signal?: AbortSignal): Promise<CommandChannel>
  /** The person's login shell, or `command` in its place, in a terminal of the machine, with the same environment. */
  shell(size: TerminalSize, signal?: AbortSignal, command?: string | null): Promise<ShellChannel>
  /** A TCP connection from the machine to `host` and `port`, as seen from there. */
  forward(host: string, port: number, signal?: AbortSignal): Promise<Duplex>
  /**
   * Opens the machine's SFTP server: a stream of the protocol's bytes, for an SFTP client. `isOptional`: the channel only
   * makes a copy faster, so no second connection opens for it.
   */
  sftp(signal?: AbortSignal, isOptional?: true): Promise<Duplex>
  /** Sets the seconds between two keep-alive packets. Absent if they are fixed when the connection opens. */
  readonly setKeepAlive?: (seconds: number) => void
  /** Each channel is a connection of its own, for which the user may be asked something. */
  readonly signsInAgain?: true
  /** Called once, when the connection ends without `close`, or at once where it has; `reason` is the system's. */
  readonly onLost: Subscribe<string>
  close(): void
}
