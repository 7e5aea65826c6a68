import type { Duplex } from 'node:stream'
import type { NotBegun } from '#shared/bridge/command'
import type { FrameOptions } from '#shared/command-frame'
import type { Subscribe } from '#shared/emitter'

/** Alive packets that may go unanswered before the connection counts as lost. */
export const maxUnanswered = 3

/** Output and exit code of a command; `status` is null if a signal ended it. */
export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}

/**
 * Result of a framed command. Output of start-up files is no part of `stdout` and `stderr`.
 * `isRefused`: the machine opened no channel for it. `not-begun`: the login shell never started it. `isLogin`: the login
 * shell had not started it in time.
 */
export type ExecOutcome =
  | ({ readonly kind: 'finished'; readonly isRefused?: true; readonly loginOutput?: string } & CommandResult)
  | ({ readonly kind: 'not-begun' } & NotBegun)
  | { readonly kind: 'timed-out'; readonly isLogin?: true; readonly loginOutput?: string }

/** Output of a channel as it arrives. */
export interface ChannelOutput {
  stdout(data: Buffer): void
  stderr(data: Buffer): void
}

/** Output of a channel, and the exit of its login shell. */
export interface ChannelEvents extends ChannelOutput {
  /** The login shell has ended; its channel stays open while a background process holds it. Not every transport reports it. */
  exited?(exit: ChannelExit): void
}

/** Output of a command as it arrives, without the output of start-up files. */
export interface CommandOutput extends ChannelOutput {
  /** The command runs in this process group of the machine; null: the machine has no POSIX shell to report it. */
  begun?(group: number | null): void
  /** Output of start-up files of the login shell, once the command has ended. `hasBegun`: the command began. */
  login?(text: string, hasBegun: boolean): void
}

/** In characters. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/**
 * How a shell or a command ended. Both are null if the machine reported neither, as after a lost connection.
 * `signal`: its name with SIG; empty for a signal that SSH has no name for (RFC 4254 §6.10), such as SIGBUS.
 */
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
    /** Why the login shell did not start the command. */
    readonly notBegun?: NotBegun['why'],
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
   * Runs a script under /bin/sh without input and collects its output, up to a limit. Ends a script that prints far more;
   * its status is null. Also null is the status of a script that the machine refuses, with the machine's words in `stderr`.
   */
  exec(command: string, signal?: AbortSignal): Promise<ExecOutcome>
  /**
   * Runs a user's command without input in the user's login shell (`sh`: a script of the application under /bin/sh), with
   * the environment that is sent to the machine. Rejects with ChannelError if the command never begins. Closes the channel
   * when `signal` aborts; the command may still run.
   */
  run(
    command: string,
    output: CommandOutput,
    signal: AbortSignal,
    shell?: FrameOptions['shell'],
  ): Promise<ChannelExit>
  /**
   * Runs a script under /bin/sh between two streams of bytes. The stream fails with ChannelError if the script never
   * begins.
   */
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
  /**
   * The machine answers requests of all channels in their order, so an answer proves that it has handled every earlier
   * request. Over the system's ssh each channel has a process of its own, whose requests may overtake each other.
   */
  readonly answersInOrder?: boolean
  /** The server serves one session on this connection, and ends both together. */
  readonly isForOneSession?: true
  /** Each channel is a connection of its own, for which the user may be asked something. */
  readonly signsInAgain?: true
  /** Called once, when the connection ends without `close`, or at once where it has; `reason` is the system's. */
  readonly onLost: Subscribe<string>
  close(): void
}
