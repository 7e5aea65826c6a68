import type { ExecLimits } from './commands'
import type { ConfirmHostKey, HostKey } from './host-key'
import type { NoKey, OfferedKey } from './offered-keys'
import type { SignInAnswers } from './sign-in'
import type { SystemSsh } from './system-process'
import type { SshConnection } from './transport'

export type ConnectionOutcome =
  | { readonly kind: 'connected'; readonly connection: SshConnection }
  | { readonly kind: 'host-key-unknown'; readonly key: HostKey }
  /** `isJump`: of the host that leads to the machine. */
  | {
      readonly kind: 'host-key-changed'
      readonly known: string
      readonly offered: string
      readonly isJump?: true
    }
  /**
   * `isExpired`: the machine wants another password first. `isCut`: it hung up, so that not all keys may have been tried.
   * `methods`: what the server still accepts (RFC 4252 §5.1), if it named that.
   */
  | {
      readonly kind: 'key-refused'
      readonly isJump?: true
      readonly isExpired?: true
      readonly isCut?: true
      readonly methods?: readonly string[]
    }
  /** ssh does not know the key of a host on the way, and the person did not trust it, or it is another by now. */
  | { readonly kind: 'jump-untrusted' }
  /** The server refuses the address of this computer; another attempt makes sense after so many seconds. */
  | { readonly kind: 'refused-for-a-while'; readonly seconds: number }
  | { readonly kind: 'not-reached'; readonly reason: string }

/** Where a machine is, and how it is to be signed in to. */
export interface ConnectionTarget {
  readonly user: string
  readonly host: string
  readonly port: number
  /** Keys recorded for the machine. */
  readonly known: readonly HostKey[]
  readonly keys: readonly OfferedKey[]
  /** The host that leads to it. */
  readonly via?: Via
  /** How the system's ssh reaches it. */
  readonly system?: SystemTransport
  /** Variables that commands and shells of the person's get there, where the server accepts their names. */
  readonly environment?: Readonly<Record<string, string>>
  /** Where the agent listens that a terminal lends to the machine. */
  readonly lentAgent?: string
  /** Why there are no keys to offer: the system's ssh alone may get in. */
  readonly noKey?: NoKey
  /** Answers what ssh2 asks for the machine; without it, keys alone are offered. */
  readonly asks?: SignInAnswers
  /** Asks about the key of a first contact; without it, that is recorded unasked. */
  readonly confirms?: ConfirmHostKey
  /**
   * Records the host key of a first contact, so that the sign-in continues on the same connection. Resolves to false if
   * another key was recorded in between. Without it the attempt ends with `host-key-unknown`.
   */
  acceptFirstKey?(key: HostKey): Promise<boolean>
  /** Reports the sign-in banners of the server, and of a jump host, as plain text. */
  banner?(text: string): void
  /** The machine has accepted one of the keys. */
  opened?(): void
  /** The machine has refused the key that the system's ssh offered. */
  refused?(): void
}

export interface SystemTransport {
  readonly ssh: SystemSsh
  /** Only the system's ssh can sign in: the configuration, or a key, needs it. */
  readonly isNeeded: boolean
  /** It may offer keys that ssh2 does not; it is then tried if ssh2's keys are refused. */
  readonly hasOtherKeys?: boolean
}

/** A jump host: its key is recorded at first contact, as a terminal does, and a changed one stops. */
export interface Via {
  readonly target: Omit<ConnectionTarget, 'via' | 'system' | 'noKey' | 'asks'>
  record(key: HostKey): Promise<void>
}

/** Seconds for opening a connection (`ready`), and between two keep-alive packets. */
export interface ConnectionLimits extends ExecLimits {
  readonly ready: number
  readonly keepAlive: number
}
export const connectionLimits: ConnectionLimits = {
  ready: 15,
  command: 20,
  keepAlive: 15,
  // Of 16 GPUs and hundreds of processes; what is kept is read while the application waits.
  output: 64 * 1024,
}
/** Limits for work a user waits for: a lost connection is noticed within 20 seconds, as by a terminal (ssh-arguments.ts). */
export const interactiveLimits: ConnectionLimits = { ...connectionLimits, keepAlive: 5 }
