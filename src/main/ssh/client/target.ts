import type { ExecLimits } from './commands'
import type { ConfirmHostKey, HostKey } from './host-key'
import type { NoKey, OfferedKey } from './offered-keys'
import type { SignInAnswers } from './sign-in'
import type { SystemSsh } from './system-process'
import type { SshConnection } from './transport'

export type ConnectionOutcome =
  | { readonly kind: 'connected'; readonly connection: SshConnection }
  | { readonly kind: 'host-key-unknown'; readonly key: HostKey }
  /** `isJump`: the key of the jump host. */
  | {
      readonly kind: 'host-key-changed'
      readonly known: string
      readonly offered: string
      readonly isJump?: true
    }
  /**
   * `isExpired`: the machine demands a new password first. `isCut`: it hung up, so not all keys may have been tried.
   * `methods`: methods that the server still accepts (RFC 4252 §5.1), if it named them.
   */
  | {
      readonly kind: 'key-refused'
      readonly isJump?: true
      readonly isExpired?: true
      readonly isCut?: true
      readonly methods?: readonly string[]
    }
  /** The key of a jump host is not recorded and the user did not trust it, or it has changed. */
  | { readonly kind: 'jump-untrusted' }
  /** The server refuses the address of this computer for about `seconds`. */
  | { readonly kind: 'refused-for-a-while'; readonly seconds: number }
  | { readonly kind: 'not-reached'; readonly reason: string }

/** Address of a machine, and how to sign in to it. */
export interface ConnectionTarget {
  readonly user: string
  readonly host: string
  readonly port: number
  /** Keys recorded for the machine. */
  readonly known: readonly HostKey[]
  readonly keys: readonly OfferedKey[]
  /** Jump host. */
  readonly via?: Via
  /** How the system's ssh reaches it. */
  readonly system?: SystemTransport
  /** Variables for the user's commands and shells, if the server accepts their names. */
  readonly environment?: Readonly<Record<string, string>>
  /** Socket of the agent that a terminal lends to the machine. */
  readonly lentAgent?: string
  /** Why there are no keys to offer: only the system's ssh may sign in. */
  readonly noKey?: NoKey
  /** Answers the machine's questions. Without it only keys are offered. */
  readonly asks?: SignInAnswers
  /** Asks about the host key of a first contact. Without it the key is recorded without a question. */
  readonly confirms?: ConfirmHostKey
  /**
   * Records the host key of a first contact, so that the sign-in continues on the same connection. Resolves to false if
   * another key was recorded in between. Without it the attempt ends with `host-key-unknown`.
   */
  acceptFirstKey?(key: HostKey): Promise<boolean>
  /** Reports the sign-in banners of the server, and of a jump host, as plain text. */
  banner?(text: string): void
  /** The machine has accepted a key. */
  opened?(): void
  /** The machine has refused the key that the system's ssh offered. */
  refused?(): void
}

export interface SystemTransport {
  readonly ssh: SystemSsh
  /** Whether only the system's ssh can sign in, because of the configuration or a key. */
  readonly isNeeded: boolean
  /** Whether it can offer keys that ssh2 can't. It is then tried if ssh2's keys are refused. */
  readonly hasOtherKeys?: boolean
}

/** A jump host. Its key is recorded at first contact, as a terminal does; a changed key stops the attempt. */
export interface Via {
  readonly target: Omit<ConnectionTarget, 'via' | 'system' | 'noKey' | 'asks'>
  record(key: HostKey): Promise<void>
}

/** `ready`: seconds for opening a connection. `keepAlive`: seconds between two keep-alive packets. */
export interface ConnectionLimits extends ExecLimits {
  readonly ready: number
  readonly keepAlive: number
}
export const connectionLimits: ConnectionLimits = {
  ready: 15,
  command: 20,
  keepAlive: 15,
  // Enough for 16 GPUs and hundreds of processes. Parsing blocks the application.
  output: 64 * 1024,
}
/** Limits for work that a user waits for: a loss is noticed within 20 seconds, as in a terminal (ssh-arguments.ts). */
export const interactiveLimits: ConnectionLimits = { ...connectionLimits, keepAlive: 5 }
