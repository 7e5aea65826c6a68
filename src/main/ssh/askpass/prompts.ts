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
  /** Whether a host is to be trusted, or a key used: never answered. */
  | { readonly kind: 'refused' }
  /** Words of the machine, or of another host on the way: only a person answers them. */
  | { readonly kind: 'other'; readonly text: string }

/** ssh cuts the path after so many bytes (`%.100s`). */
const longestPath = 100

/** The passphrase question for a key. */
const passphraseOf = /^Enter passphrase for key '(.*)': $/
const yesOrNo = /\((?:yes\/no|y\/n)|type 'yes'|fingerprint\]/i

/** A path as ssh shows it. */
export const shownPath = (path: string): string => Buffer.from(path).subarray(0, longestPath).toString('utf8')

/**
 * What ssh asks. A machine's own words begin with `(user@alias) `, since OpenSSH 8.5, so that none can pass for a
 * question of ssh's.
 */
export function readPrompt(prompt: string, { user, alias }: PromptTarget): Prompt {
  const own = `(${user}@${alias}) `
  if (!prompt.startsWith(own) && yesOrNo.test(prompt)) return { kind: 'refused' }
  if (prompt === `${user}@${alias}'s password: `) return { kind: 'password' }
  // A server that asks in its own way, as with PAM. It is the machine itself, whose host key has been checked.
  if (prompt.startsWith(own) && /^password: ?$/i.test(prompt.slice(own.length))) return { kind: 'password' }
  const path = passphraseOf.exec(prompt)?.[1]
  if (path !== undefined) return { kind: 'passphrase', path }
  return { kind: 'other', text: prompt }
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
