/** User and machine as they appear in ssh's prompts. */
export interface PromptTarget {
  readonly user: string
  /** HostKeyAlias: ssh prints it instead of the address. */
  readonly alias: string
}

/** A prompt of ssh, recognised by its text (OpenSSH 8.5 and newer). */
export type Prompt =
  | { readonly kind: 'password' }
  | { readonly kind: 'passphrase'; readonly path: string }
  /** Asks whether to trust a jump host without a recorded key. Only the user answers. */
  | {
      readonly kind: 'new-host'
      readonly address: string
      readonly type: string
      readonly fingerprint: string
    }
  /** Asks whether to trust the machine, or to use a key. Never answered. */
  | { readonly kind: 'refused' }
  /** Text of the machine, or of the jump host `from` (user@host). Only the user answers. */
  | { readonly kind: 'other'; readonly text: string; readonly from?: string }

/** Bytes of a path that ssh prints (`%.100s`). */
const maxPathBytes = 100

const passphraseOf = /^Enter passphrase for key '(.*)': $/
/** Asks about a host whose key is not in the user's known_hosts. */
const unknownHost =
  /^The authenticity of host '([^'\n]+) \([^\n]*\)' can't be established[^]*\n(\S+) key fingerprint is (SHA256:[\w+/]{43})\.\n[^]*\(yes\/no\/\[fingerprint\]\)\? $/
/** The host that asks, as ssh itself prints it. */
const askingHost = /^(?:\((\S+@[^\s()]+)\) |(\S+@\S+)'s password: $)/
const yesOrNo = /\((?:yes\/no|y\/n)|type 'yes'|fingerprint\]/i

/** Returns a path as ssh prints it. */
export const shownPath = (path: string): string =>
  Buffer.from(path).subarray(0, maxPathBytes).toString('utf8')

/**
 * Classifies a prompt of ssh. Since OpenSSH 8.5 a machine's own text begins with `(user@alias) `, so it can't pass for a
 * question of ssh.
 */
export function readPrompt(prompt: string, { user, alias }: PromptTarget): Prompt {
  const own = `(${user}@${alias}) `
  const [, address, type, fingerprint] = unknownHost.exec(prompt) ?? []
  if (address && type && fingerprint && address !== alias)
    return { kind: 'new-host', address, type, fingerprint }
  const from = prompt.startsWith(own) ? undefined : askingHost.exec(prompt)?.slice(1).find(Boolean)
  if (!from && !prompt.startsWith(own) && yesOrNo.test(prompt)) return { kind: 'refused' }
  if (prompt === `${user}@${alias}'s password: `) return { kind: 'password' }
  // Asked by keyboard-interactive, as with PAM. The machine's host key has been checked by then.
  if (prompt.startsWith(own) && /^password: ?$/i.test(prompt.slice(own.length))) return { kind: 'password' }
  const path = passphraseOf.exec(prompt)?.[1]
  if (path !== undefined) return { kind: 'passphrase', path }
  return { kind: 'other', text: prompt, ...(from !== undefined && { from }) }
}

/** First version that marks text of the machine: before, a machine could imitate a question of ssh. */
const firstVersion = [8, 5] as const

/** Returns whether an ssh supports askpass and marks text of the machine. `version`: the first word of `ssh -V`. */
export function asksSafely(version: string): boolean {
  const [, major, minor] = /^OpenSSH(?:_for_Windows)?_(\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined || minor === undefined) return false
  const [wantedMajor, wantedMinor] = firstVersion
  return Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor)
}
