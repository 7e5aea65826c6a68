/** Who ssh signs in as, by the name that it shows for the machine. */
export interface PromptTarget {
  readonly user: string
  /** HostKeyAlias, which ssh shows in place of the address. */
  readonly alias: string
}

/** What ssh asks for, by its own words (OpenSSH 8.5 and newer). */
export type Prompt =
  | { readonly kind: 'password' }
  | { readonly kind: 'passphrase'; readonly path: string }
  /** Whether a host on the way, which ssh meets for the first time, is to be trusted: only a person says. */
  | {
      readonly kind: 'new-host'
      readonly address: string
      readonly type: string
      readonly fingerprint: string
    }
  /** Whether the machine is to be trusted, or a key used: never answered. */
  | { readonly kind: 'refused' }
  /** Words of the machine, or of another host on the way, `from` (user@host): only a person answers them. */
  | { readonly kind: 'other'; readonly text: string; readonly from?: string }

/** ssh cuts the path after so many bytes (`%.100s`). */
const longestPath = 100

/** The passphrase question for a key. */
const passphraseOf = /^Enter passphrase for key '(.*)': $/
/** The question about the key of a host that is not in the person's known_hosts. */
const unknownHost =
  /^The authenticity of host '([^'\n]+) \([^\n]*\)' can't be established[^]*\n(\S+) key fingerprint is (SHA256:[\w+/]{43})\.\n[^]*\(yes\/no\/\[fingerprint\]\)\? $/
/** Who asks, which ssh itself says. */
const asker = /^(?:\((\S+@[^\s()]+)\) |(\S+@\S+)'s password: $)/
const yesOrNo = /\((?:yes\/no|y\/n)|type 'yes'|fingerprint\]/i

/** A path as ssh shows it. */
export const shownPath = (path: string): string => Buffer.from(path).subarray(0, longestPath).toString('utf8')

/**
 * What ssh asks. A machine's own words begin with `(user@alias) `, since OpenSSH 8.5, so that none can pass for a
 * question of ssh's.
 */
export function readPrompt(prompt: string, { user, alias }: PromptTarget): Prompt {
  const own = `(${user}@${alias}) `
  const [, address, type, fingerprint] = unknownHost.exec(prompt) ?? []
  if (address && type && fingerprint && address !== alias)
    return { kind: 'new-host', address, type, fingerprint }
  const from = prompt.startsWith(own) ? undefined : asker.exec(prompt)?.slice(1).find(Boolean)
  if (!from && !prompt.startsWith(own) && yesOrNo.test(prompt)) return { kind: 'refused' }
  if (prompt === `${user}@${alias}'s password: `) return { kind: 'password' }
  // A server that asks in its own way, as with PAM. It is the machine itself, whose host key has been checked.
  if (prompt.startsWith(own) && /^password: ?$/i.test(prompt.slice(own.length))) return { kind: 'password' }
  const path = passphraseOf.exec(prompt)?.[1]
  if (path !== undefined) return { kind: 'passphrase', path }
  return { kind: 'other', text: prompt, ...(from !== undefined && { from }) }
}

/** OpenSSH marks what a machine asks since 8.5; before, a machine could ask in ssh's own words. */
const firstVersion = [8, 5] as const

/** Whether an ssh asks our program, and marks what is the machine's, by the first line of `ssh -V`. */
export function asksSafely(version: string): boolean {
  const [, major, minor] = /^OpenSSH(?:_for_Windows)?_(\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined || minor === undefined) return false
  const [wantedMajor, wantedMinor] = firstVersion
  return Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor)
}
