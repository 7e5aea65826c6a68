import type { Duplex } from 'node:stream'
import type { NotBegun } from '#shared/bridge/command'
import type { FrameOptions } from '#shared/command-frame'
import type { Subscribe } from '#shared/emitter'

/** Keep-alive packets that may stay unanswered before a connection counts as lost. */
export const maxUnanswered = 3

/** Output and exit code of a command; `status` is null if a signal ended it. */
export interface CommandResult {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}

/**
 * Result of a framed command. `stdout` and `stderr` don't contain the output of start-up files.
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
  /** Input and standard output of the command. Its error output is dropped. */
  readonly stream: Duplex
  readonly exit: Promise<ChannelExit>
}

export interface ShellChannel extends CommandChannel {
  /** Input and output of the terminal. */
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
 * A connection to a machine that opens channels, by ssh2 (connection.ts) or by the system's ssh. Methods reject with
 * ChannelError if a channel cannot be opened, and with the reason of `signal` when that aborts. Streams honour backpressure
 * in both directions. They fail with ChannelError when the connection is lost, and with AbortError when `signal` aborts.
 */
export interface SshConnection {
  /**
   * Runs a script under /bin/sh without input and collects its output up to a limit. Ends a script that prints far more.
   * The status is null then, and also if the machine refuses the script: `stderr` contains the machine's reason.
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
   * begins. `isOptional`: the channel saves others, so it ends if the machine opens no more.
   */
  pipe(command: string, signal?: AbortSignal, isOptional?: true): Promise<CommandChannel>
  /** Opens the user's login shell, or `command` instead, in a terminal of the machine, with the same environment. */
  shell(size: TerminalSize, signal?: AbortSignal, command?: string | null): Promise<ShellChannel>
  /** Opens a TCP connection from the machine to `host` and `port`. */
  forward(host: string, port: number, signal?: AbortSignal): Promise<Duplex>
  /**
   * Opens a stream to the machine's SFTP server. `isOptional`: the channel only makes a copy faster, so no second
   * connection opens for it.
   */
  sftp(signal?: AbortSignal, isOptional?: true): Promise<Duplex>
  /** Sets the seconds between two keep-alive packets. Absent if they are fixed when the connection opens. */
  readonly setKeepAlive?: (seconds: number) => void
  /**
   * The machine answers requests of all channels in their order, so an answer proves that it has handled every earlier
   * request. Over the system's ssh each channel has a separate process, whose requests may overtake each other.
   */
  readonly answersInOrder?: boolean
  /** A channel costs this computer no process and no sign-in, so it may stay open. */
  readonly hasCheapChannels?: boolean
  /** The server serves one session on this connection, and ends both together. */
  readonly isForOneSession?: true
  /** Each channel is a separate connection, whose sign-in may ask the user something. */
  readonly signsInAgain?: true
  /** Called once when the connection ends without `close`, or at once if it has ended. `reason`: the system's. */
  readonly onLost: Subscribe<string>
  close(): void
}
